import { randomUUID } from "node:crypto";
import * as z from "zod";
import { scopePattern, scopeRule } from "../../base/text/name.js";
import { type Client, type RegisteredCertificate, registrationNumber } from "../../sandbox/clients.js";
import { seedPattern } from "../../sandbox/scenarios/draw.js";
import { clientOf, noKey, orCannotIssue, orConflict, refuseOneMore, unknownClient } from "../client-errors.js";
import { clientSchema, clientView } from "../client-view.js";
import { certificateLifetime, clientId, expectedCodes, nullableText, pageOf } from "../common-schemas.js";
import type { AdminContext } from "../context.js";
import { downloadRoutes } from "../downloads.js";
import { AdminError } from "../error.js";
import type { KeptIdentity } from "../identities.js";
import { handshakePageQuery, requestPageQuery } from "../journal-queries.js";
import { readPage } from "../page.js";
import { route } from "../route.js";

const params = z.object({ id: clientId });

const newClientShape = z.strictObject({
  clientId: clientId.describe("Generated when left out.").optional(),
  scopes: z
    .array(z.string().regex(scopePattern, scopeRule), "give a list of scopes")
    .max(50)
    .describe('The scopes that it may request; `["read"]` when left out.')
    .optional(),
  seed: z
    .string("give a text")
    .regex(seedPattern, 'use letters, digits, ".", "_" and "-", at most 64')
    .describe("The seed of its random decisions; derived from the sandbox's seed and its id when left out.")
    .optional(),
  expected: expectedCodes
    .describe(
      "Codes of errors that it provokes on purpose: they fail no check. `PUT /clients/{id}/expected` changes them.",
    )
    .optional(),
  keyType: z.enum(["ec", "rsa"]).describe("`ec` (P-256, milliseconds) when left out, or `rsa` (2048 bits).").optional(),
  validFor: certificateLifetime
    .describe("How long its certificate is valid from now on, on its clock: `90s`, `90d`; about a year when left out.")
    .optional(),
  issuer: z
    .enum(["root", "intermediate"])
    .describe(
      "`root` when left out: the CA itself issues the certificate. `intermediate`: a CA below it, and `certificate` is the leaf, followed by the certificate of the intermediate CA.",
    )
    .optional(),
  certificate: z
    .string("give a certificate, PEM")
    .max(16_384)
    .describe("A certificate of your own, PEM, which is registered instead of a new one.")
    .optional(),
});

/** The others are for a new certificate. A caller that provides one has it already. */
const oneOrTheOther = ({ certificate, keyType, validFor, issuer }: Partial<z.output<typeof newClientShape>>) =>
  certificate === undefined || (keyType === undefined && validFor === undefined && issuer === undefined);
const eitherMessage = "keyType, validFor and issuer are for a new certificate: leave them out if you give certificate";

export const newClientSchema = newClientShape.refine(oneOrTheOther, eitherMessage);

const newCertificateSchema = newClientShape
  .pick({ keyType: true, validFor: true, issuer: true, certificate: true })
  .refine(oneOrTheOther, eitherMessage);

const mintedSchema = z
  .object({
    clientId: z.string(),
    certificate: z.string().describe("PEM."),
    key: nullableText.describe("PKCS#8 PEM; null for a certificate of your own."),
    ca: z.string().describe("The CA to trust, PEM."),
    thumbprint: z.string(),
    scopes: z.array(z.string()),
    seed: z.string(),
    url: z.string().describe("Base URL of the API."),
  })
  .meta({ id: "MintedClient" });

/** How many clients may be registered: each takes about 4 kB of memory. */
export const mostClients = 50_000;

export const clientRoutes = [
  route({
    method: "GET",
    path: "/clients",
    summary: "The registered clients, in the order of their registration",
    query: handshakePageQuery.extend({
      pageSize: requestPageQuery.shape.pageSize.describe("1 to 1000; 1000 when left out."),
    }),
    answer: { status: 200, description: "A page.", schema: pageOf(clientSchema) },
    handle: ({ query: { pageSize = 1000, cursor = 0 } }, context) =>
      readPage(
        context.clients.registeredAfter(cursor),
        pageSize,
        () => true,
        (client) => clientView(client, context),
        registrationNumber,
      ),
  }),
  route({
    method: "POST",
    path: "/clients",
    summary: "A new client for a test: registered, with certificate and key in the answer",
    description:
      "The new client has its own scenario, counters, clock and journal. An empty body is enough. `ec` keys take milliseconds; `rsa` keys come from a small pool, and beyond it each takes about 0.1 s.",
    body: newClientSchema,
    answer: { status: 201, description: "The client.", schema: mintedSchema },
    errors: ["CLIENT_EXISTS", "CERTIFICATE_IN_USE", "TOO_MANY_CLIENTS", "CANNOT_ISSUE"],
    prepare: async ({ body }, context) => {
      const id = body.clientId ?? `client-${randomUUID().slice(0, 13)}`;
      // Checked before a key is made, and again afterwards.
      if (context.clients.get(id)) throw new AdminError("CLIENT_EXISTS", `There is a client "${id}" already.`);
      refuseTooMany(context);
      const issued = await certificateFor(id, body, context.clock.now(), context);
      return { id, issued };
    },
    changes: ({ prepared }) => ({ client: prepared.id }),
    handle: ({ body, prepared: { id, issued } }, context) => {
      refuseTooMany(context);
      const client = orConflict(() =>
        context.clients.register({
          id,
          thumbprints: [issued.certificate.thumbprint],
          certificates: [issued.certificate],
          scopes: body.scopes ?? ["read"],
          seed: body.seed,
        }),
      );
      client.expected = body.expected ?? [];
      if (issued.identity) context.identities.add(issued.identity);
      return mintedView(client, issued, context);
    },
  }),
  route({
    method: "GET",
    path: "/clients/{id}",
    summary: "One client",
    params,
    answer: { status: 200, description: "The client.", schema: clientSchema },
    errors: ["UNKNOWN_CLIENT"],
    handle: (input, context) => clientView(clientOf(input.params.id, context), context),
  }),
  route({
    method: "DELETE",
    path: "/clients/{id}",
    summary: "Remove a client; its certificates and tokens are refused from now on",
    params,
    answer: { status: 204, description: "Done." },
    errors: ["UNKNOWN_CLIENT"],
    changes: ({ params }) => ({ client: params.id }),
    handle: (input, context) => {
      const client = clientOf(input.params.id, context);
      for (const thumbprint of client.thumbprints) context.identities.forget(thumbprint);
      context.clients.remove(client.id);
    },
  }),
  route({
    method: "POST",
    path: "/clients/{id}/certificates",
    summary: "Register one more certificate, a new one or your own",
    description:
      "Certificates that were registered before stay valid until they are deleted. `POST /clients/{id}/rotate` replaces one.",
    params,
    body: newCertificateSchema,
    answer: { status: 201, description: "The client, with the new certificate.", schema: mintedSchema },
    errors: ["UNKNOWN_CLIENT", "CERTIFICATE_IN_USE", "TOO_MANY_CERTIFICATES", "CANNOT_ISSUE"],
    prepare: async ({ params: { id }, body }, context) => {
      const client = clientOf(id, context);
      refuseOneMore(client);
      const { registration } = client;
      const issued = await certificateFor(id, body, client.clock.now(), context);
      return { registration, issued };
    },
    changes: ({ params }) => ({ client: params.id }),
    handle: ({ params: { id }, prepared: { registration, issued } }, context) => {
      const client = clientOf(id, context);
      // Meanwhile the client may have been deleted, and another one with the same id may have been made.
      if (client.registration !== registration) throw unknownClient(id);
      const { certificate } = issued;
      orConflict(() => context.clients.addCertificate(client, certificate.thumbprint, certificate));
      if (issued.identity) context.identities.add(issued.identity);
      return mintedView(client, issued, context);
    },
  }),
  route({
    method: "DELETE",
    path: "/clients/{id}/certificates/{thumbprint}",
    summary: "Remove a certificate from a client; tokens bound to it are refused from now on",
    params: params.extend({
      thumbprint: z.string().regex(/^[A-Za-z0-9_-]{43}$/, "give a thumbprint: 43 characters of base64url"),
    }),
    answer: { status: 204, description: "Done." },
    errors: ["UNKNOWN_CLIENT", "UNKNOWN_CERTIFICATE"],
    changes: ({ params }) => ({ client: params.id }),
    handle: (input, context) => {
      const client = clientOf(input.params.id, context);
      if (!context.clients.removeCertificate(client, input.params.thumbprint)) {
        throw new AdminError(
          "UNKNOWN_CERTIFICATE",
          `The client "${client.id}" has no certificate with this thumbprint.`,
        );
      }
      context.identities.forget(input.params.thumbprint);
    },
  }),
  ...downloadRoutes({
    path: "/clients/{id}",
    params,
    errors: ["UNKNOWN_CLIENT", "NO_KEY"],
    whose: "a client",
    which: "For its newest certificate.",
    find: ({ id }, context) => {
      const client = clientOf(id, context);
      const identity = context.identities.ofClient(client);
      if (!identity) throw noKey(client);
      return { identity, name: id, clientId: id };
    },
  }),
];

function refuseTooMany({ clients }: AdminContext): void {
  if (clients.size >= mostClients)
    throw new AdminError("TOO_MANY_CLIENTS", `There are ${mostClients} clients; delete some.`);
}

interface IssuedCertificate {
  readonly certificate: RegisteredCertificate;
  /** It is kept once it is registered; undefined for a certificate that the caller provided. */
  readonly identity: KeptIdentity | undefined;
}

async function certificateFor(
  id: string,
  { certificate, keyType = "ec", validFor, issuer = "root" }: z.output<typeof newCertificateSchema>,
  now: number,
  { identities, readCertificate }: AdminContext,
): Promise<IssuedCertificate> {
  if (certificate === undefined) {
    const identity = await orCannotIssue(() => identities.issue(id, { keyType, validFor, issuer, now }));
    return { certificate: readCertificate(identity.certPem), identity };
  }
  if (certificate.includes("PRIVATE KEY-----")) {
    throw new AdminError(
      "INVALID_REQUEST",
      "In the body: certificate: this holds a private key. Send only the certificate, and keep the key to yourself.",
    );
  }
  try {
    return { certificate: readCertificate(certificate), identity: undefined };
  } catch {
    throw new AdminError("INVALID_REQUEST", "In the body: certificate: this is not a certificate in PEM form.");
  }
}

function mintedView(client: Client, issued: IssuedCertificate, { serverCertificates: { caPem }, url }: AdminContext) {
  return {
    clientId: client.id,
    certificate: issued.identity?.certPem ?? issued.certificate.pem,
    key: issued.identity?.keyPem ?? null,
    ca: caPem,
    thumbprint: issued.certificate.thumbprint,
    scopes: client.scopes,
    seed: client.seed,
    url: url(),
  };
}
