import { z } from "zod";
import { type Client, RegistrationError } from "../../clients.js";
import { randomUuid } from "../../uuid.js";
import type { AdminContext } from "../context.js";
import type { KeptIdentity } from "../identities.js";
import { AdminError, type Route, route } from "../route.js";
import { clientId, clientSchema, mintedSchema, newCertificateSchema, newClientSchema } from "../schemas.js";
import { clockView } from "./clock.js";

const params = z.object({ id: clientId });

/** How many clients may be registered: each holds a few kilobytes. */
const mostClients = 50_000;

export const clientRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/clients",
    group: "clients",
    summary: "The registered clients",
    answer: { status: 200, description: "All of them.", schema: z.object({ items: z.array(clientSchema) }) },
    handle: (_input, context) => ({
      status: 200,
      json: { items: context.clients.all().map((client) => clientView(client, context)) },
    }),
  }),
  route({
    method: "POST",
    path: "/clients",
    group: "clients",
    summary: "A client of its own for a test: registered, with certificate and key in the answer",
    description:
      "Scenario, counters, clock and journal of the new client are its own; whoever uses it is alone with it.",
    body: newClientSchema,
    answer: { status: 201, description: "The client.", schema: mintedSchema },
    errors: ["CLIENT_EXISTS", "CERTIFICATE_IN_USE", "TOO_MANY_CLIENTS"],
    handle: async ({ body }, context) => ({ status: 201, json: await createClient(body, context) }),
  }),
  route({
    method: "GET",
    path: "/clients/{id}",
    group: "clients",
    summary: "One client",
    params,
    answer: { status: 200, description: "The client.", schema: clientSchema },
    errors: ["UNKNOWN_CLIENT"],
    handle: (input, context) => ({ status: 200, json: clientView(clientOf(input.params.id, context), context) }),
  }),
  route({
    method: "DELETE",
    path: "/clients/{id}",
    group: "clients",
    summary: "Remove a client; its certificates and tokens are refused from now on",
    params,
    answer: { status: 204, description: "Done." },
    errors: ["UNKNOWN_CLIENT"],
    handle: (input, context) => {
      const client = clientOf(input.params.id, context);
      context.clients.remove(client.id);
      context.identities.forget(client.id);
      return { status: 204 };
    },
  }),
  route({
    method: "POST",
    path: "/clients/{id}/certificates",
    group: "clients",
    summary: "Rotation: register one more certificate, a new one or your own",
    description: "Those that were registered before stay good until they are deleted.",
    params,
    body: newCertificateSchema,
    answer: { status: 201, description: "The client, with the new certificate.", schema: mintedSchema },
    errors: ["UNKNOWN_CLIENT", "CERTIFICATE_IN_USE"],
    handle: async (input, context) => {
      const client = clientOf(input.params.id, context);
      const issued = await certificateFor(client.id, input.body, context);
      orConflict(() =>
        context.clients.addCertificate(client, issued.thumbprint, context.readCertificate(issued.certPem)),
      );
      return { status: 201, json: mintedView(client, issued, context) };
    },
  }),
  route({
    method: "DELETE",
    path: "/clients/{id}/certificates/{thumbprint}",
    group: "clients",
    summary: "Take a certificate from a client; tokens bound to it are refused from now on",
    params: params.extend({
      thumbprint: z.string().regex(/^[A-Za-z0-9_-]{43}$/, "give a thumbprint: 43 characters of base64url"),
    }),
    answer: { status: 204, description: "Done." },
    errors: ["UNKNOWN_CLIENT", "UNKNOWN_CERTIFICATE"],
    handle: (input, context) => {
      const client = clientOf(input.params.id, context);
      if (!context.clients.removeCertificate(client, input.params.thumbprint)) {
        throw new AdminError(
          404,
          "UNKNOWN_CERTIFICATE",
          `The client "${client.id}" has no certificate with this thumbprint.`,
        );
      }
      return { status: 204 };
    },
  }),
  download("cert.pem", "application/x-pem-file", "The certificate of a client, PEM", ({ certPem }) => certPem),
  download("key.pem", "application/x-pem-file", "The private key of a client, PKCS#8 PEM", ({ keyPem }) => keyPem),
  download(
    "client.p12",
    "application/x-pkcs12",
    "Key, certificate and CA of a client as PKCS#12 (AES-256, password `sandbox`)",
    (identity, context) => context.identities.bundle(identity),
  ),
  download("client.env", "text/plain; charset=utf-8", "The environment of a client, for a shell", (identity, context) =>
    context.environmentOf(identity),
  ),
];

function download(
  file: string,
  contentType: string,
  summary: string,
  read: (identity: KeptIdentity, context: AdminContext) => string | Uint8Array | Promise<string | Uint8Array>,
): Route {
  return route({
    method: "GET",
    path: `/clients/{id}/${file}`,
    group: "clients",
    summary,
    params,
    answer: { status: 200, description: summary, contentType: contentType.split(";", 1)[0] as string },
    errors: ["UNKNOWN_CLIENT", "NO_KEY"],
    handle: async (input, context) => {
      const client = clientOf(input.params.id, context);
      const identity = context.identities.ofClient(client.id);
      if (!identity)
        throw new AdminError(
          404,
          "NO_KEY",
          `The sandbox does not have the key of "${client.id}": its certificate is your own.`,
        );
      return { status: 200, text: await read(identity, context), contentType, filename: `${client.id}-${file}` };
    },
  });
}

/** @throws AdminError when there is no such client */
export function clientOf(id: string, { clients }: AdminContext): Client {
  const client = clients.get(id);
  if (!client) throw new AdminError(404, "UNKNOWN_CLIENT", `There is no client "${id}".`);
  return client;
}

interface NewClient {
  readonly clientId?: string | undefined;
  readonly scopes?: string[] | undefined;
  readonly seed?: string | undefined;
  readonly keyType?: "ec" | "rsa" | undefined;
  readonly certificate?: string | undefined;
}

async function createClient(body: NewClient, context: AdminContext) {
  const { clients } = context;
  const id = body.clientId ?? `client-${randomUuid().slice(0, 13)}`;
  if (clients.get(id)) throw new AdminError(409, "CLIENT_EXISTS", `There is a client "${id}" already.`);
  if (clients.size >= mostClients)
    throw new AdminError(409, "TOO_MANY_CLIENTS", `There are ${mostClients} clients; delete some.`);
  const issued = await certificateFor(id, body, context);
  const client = orConflict(() =>
    clients.register({
      id,
      thumbprints: [issued.thumbprint],
      certificates: [context.readCertificate(issued.certPem)],
      scopes: body.scopes ?? ["read"],
      seed: body.seed,
    }),
  );
  return mintedView(client, issued, context);
}

interface IssuedCertificate {
  readonly certPem: string;
  readonly keyPem: string | undefined;
  readonly thumbprint: string;
}

async function certificateFor(
  id: string,
  { certificate, keyType = "ec" }: Pick<NewClient, "certificate" | "keyType">,
  context: AdminContext,
): Promise<IssuedCertificate> {
  if (certificate === undefined) return context.identities.mint(id, keyType, "made by the admin API");
  if (certificate.includes("PRIVATE KEY-----")) {
    throw new AdminError(
      400,
      "INVALID_REQUEST",
      "In the body: certificate: this holds a private key. Send the certificate alone; the key is nobody else's business.",
    );
  }
  try {
    const { thumbprint, pem } = context.readCertificate(certificate);
    return { certPem: pem, keyPem: undefined, thumbprint };
  } catch {
    throw new AdminError(400, "INVALID_REQUEST", "In the body: certificate: this is no certificate in PEM form.");
  }
}

function orConflict<T>(register: () => T): T {
  try {
    return register();
  } catch (error) {
    if (error instanceof RegistrationError && error.code !== "INVALID_CLIENT_ID")
      throw new AdminError(409, error.code, error.message);
    throw error;
  }
}

function mintedView(client: Client, issued: IssuedCertificate, { caPem, url }: AdminContext) {
  return {
    clientId: client.id,
    certificate: issued.certPem,
    key: issued.keyPem ?? null,
    ca: caPem,
    thumbprint: issued.thumbprint,
    scopes: client.scopes,
    seed: client.seed,
    url: url(),
  };
}

function clientView(client: Client, context: AdminContext) {
  const now = client.clock.now();
  return {
    clientId: client.id,
    scopes: client.scopes,
    grantTypes: client.grantTypes,
    seed: client.seed,
    certificates: [...client.thumbprints].map((thumbprint) => {
      const facts = client.certificates.get(thumbprint);
      return {
        thumbprint,
        subject: facts?.subject ?? null,
        serialNumber: facts?.serialNumber ?? null,
        notBefore: facts ? new Date(facts.notBefore).toISOString() : null,
        notAfter: facts ? new Date(facts.notAfter).toISOString() : null,
        valid: facts ? now >= facts.notBefore && now <= facts.notAfter : null,
        identity: context.identities.byThumbprint(thumbprint)?.folder ?? null,
      };
    }),
    scenario: client.scenario.active ?? null,
    clock: clockView(client.clock),
    downloads: context.identities.ofClient(client.id)
      ? ["cert.pem", "key.pem", "client.p12", "client.env"].map((file) => `/clients/${client.id}/${file}`)
      : [],
  };
}
