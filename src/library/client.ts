import { X509Certificate } from "node:crypto";
import { readEnvironment } from "../base/text/environment.js";
import { thumbprintOf } from "../base/x509/certificate.js";
import { operations } from "../sandbox/operations.js";
import type { AdminClient } from "./admin-client.js";
import type { MintedClient } from "./answers.js";
import type { ClientHandle, NewClientOptions } from "./client-handle.js";
import { clockOf } from "./clock-control.js";
import type { Connections } from "./connections.js";
import { SandboxError } from "./error.js";
import { explanationOf } from "./explanation.js";
import { countOf, exchangesOf, matchOf } from "./filters.js";
import { reportOn } from "./report.js";
import { activate } from "./scenario-control.js";

/** What the handle of a client knows. Certificate and key are undefined if the sandbox does not have them. */
interface ClientFacts extends Omit<MintedClient, "certificate" | "key"> {
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

/** What the handles of all clients share. */
interface ClientParts {
  readonly admin: AdminClient;
  readonly connections: Connections;
  /** The CA, which may get a next one beside it, and the URL. */
  readonly common: Pick<MintedClient, "ca" | "url">;
}

/** Makes a client. */
export async function mintClient({ key, ...sent }: NewClientOptions, parts: ClientParts): Promise<ClientHandle> {
  const minted = await parts.admin.call("POST /clients", { body: sent });
  return clientHandle({ ...minted, key: minted.key ?? key }, parts);
}

/** Finds an existing client. */
export async function findClient(clientId: string, parts: ClientParts): Promise<ClientHandle> {
  const path = `/clients/${encodeURIComponent(clientId)}`;
  const { scopes, seed, certificates, downloads } = await parts.admin.call("GET /clients/{id}", {
    params: { id: clientId },
  });
  const files =
    downloads.length > 0
      ? await readFiles(path, parts)
      : { certificate: undefined, key: undefined, thumbprint: certificates[0]?.thumbprint ?? "" };
  return clientHandle({ clientId, scopes, seed, ...parts.common, ...files }, parts);
}

/** A standing identity, with the handle of the client that it belongs to or pretends to be. */
export async function findIdentity(name: string, parts: ClientParts): Promise<ClientHandle> {
  const path = `/identities/${encodeURIComponent(name)}`;
  const files = await readFiles(path, parts);
  const environment = readEnvironment(await parts.admin.text(`${path}/client.env`));
  const clientId = environment.get("SANDBOX_CLIENT_ID") ?? name;
  const { scopes, seed } = await parts.admin.call("GET /clients/{id}", { params: { id: clientId } });
  return clientHandle({ clientId, scopes, seed, ...parts.common, ...files }, parts);
}

async function readFiles(path: string, { admin }: ClientParts) {
  const [certificate, key] = await Promise.all([admin.text(`${path}/cert.pem`), admin.text(`${path}/key.pem`)]);
  const thumbprint = thumbprintOf(new X509Certificate(certificate).raw);
  return { certificate, key, thumbprint };
}

function clientHandle({ clientId, scopes, seed, url, ...identity }: ClientFacts, parts: ClientParts): ClientHandle {
  /** A rotation replaces it. */
  let { certificate, key, thumbprint } = identity;
  const { admin, connections, common } = parts;
  const params = { id: clientId };
  const path = `/clients/${encodeURIComponent(clientId)}`;
  const missing = (what: string): never => {
    throw new SandboxError(
      "NO_KEY",
      `The sandbox does not have the ${what} of "${clientId}", because its certificate is your own: use your files, or give \`key\` to createClient.`,
    );
  };
  const forgetConnections = () => {
    if (certificate !== undefined) connections.forget(certificate);
  };
  const client: ClientHandle = {
    clientId,
    get ca() {
      return common.ca;
    },
    get thumbprint() {
      return thumbprint;
    },
    scopes,
    seed,
    url,
    get certificate() {
      return certificate ?? missing("certificate");
    },
    get key() {
      return key ?? missing("key");
    },
    get tls() {
      return { ca: client.ca, cert: client.certificate, key: client.key };
    },
    clock: clockOf(clientId, admin),
    p12: () => admin.bytes(`${path}/client.p12`),
    env: () => admin.text(`${path}/client.env`),
    info: () => admin.call("GET /clients/{id}", { params }),
    useScenario: (scenario) => activate(clientId, scenario, admin),
    clearScenario: () => admin.call("DELETE /scenario", { client: clientId }),
    scenario: () => admin.call("GET /scenario", { client: clientId }),
    requests: (filters) => exchangesOf({ ...filters, client: clientId }, admin),
    countRequests: (filters) => countOf({ ...filters, client: clientId }, admin),
    waitForRequest: (filters, { timeout = "5s" } = {}) => matchOf({ ...filters, client: clientId }, timeout, admin),
    report: (options) => reportOn(clientId, options, admin),
    expect: async (codes) => {
      await admin.call("PUT /clients/{id}/expected", { params, body: { expected: [...codes] } });
    },
    reset: () => admin.run("POST /reset", { body: { client: clientId } }),
    request: async (target, options) => connections.send(url, client.tls, target, options),
    token: async ({ scope = "read" } = {}) => {
      const body = new URLSearchParams({ grant_type: "client_credentials", client_id: clientId, scope });
      const answer = await client.request(operations.token.path, { method: "POST", body });
      if (answer.status === 200) return answer.json<{ access_token: string }>().access_token;
      const why = await explanationOf(answer.headers, admin);
      throw new SandboxError(
        "TOKEN_REFUSED",
        `The client "${clientId}" got no token: ${answer.status} ${answer.text.slice(0, 500)}${why === undefined ? "" : `\n${why}`}`,
        { status: answer.status },
      );
    },
    addCertificate: async ({ key: own, ...sent } = {}) => {
      const minted = await admin.call("POST /clients/{id}/certificates", { params, body: sent });
      return clientHandle({ ...minted, key: minted.key ?? own }, parts);
    },
    removeCertificate: async () => {
      await admin.run("DELETE /clients/{id}/certificates/{thumbprint}", { params: { ...params, thumbprint } });
      forgetConnections();
    },
    rotate: async (options = {}) => {
      const rotated = await admin.call("POST /clients/{id}/rotate", { params, body: options });
      forgetConnections();
      ({ certificate, key, thumbprint } = rotated);
    },
    finishRotation: () => admin.run("POST /clients/{id}/rotate/finish", { params }),
    delete: async () => {
      await admin.run("DELETE /clients/{id}", { params });
      forgetConnections();
    },
  };
  // These getters may throw, and one returns the private key: code that prints or compares a handle must not read them.
  for (const name of ["certificate", "key", "tls"]) Object.defineProperty(client, name, { enumerable: false });
  return client;
}
