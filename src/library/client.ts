import { createHash, X509Certificate } from "node:crypto";
import type { AdminClient } from "./admin-client.js";
import type { ActiveScenario, ClientInfo, Exchange } from "./answers.js";
import { clockAt } from "./clock-control.js";
import type { Connections } from "./connections.js";
import type { ScenarioDefinition } from "./definition.js";
import { SandboxError } from "./error.js";
import { countOf, exchangesOf } from "./filters.js";
import type {
  ApiAnswer,
  ClientHandle,
  ClientReport,
  ClockControl,
  NewCertificateOptions,
  NewClientOptions,
  ReportOptions,
  RequestFilters,
  RequestOptions,
  TlsIdentity,
} from "./handles.js";
import { reportOn } from "./report.js";
import { activate } from "./scenario-control.js";

/** What the admin API answers for a client, or a certificate, that it made. */
export interface MintedClient {
  readonly clientId: string;
  readonly certificate: string;
  readonly key: string | null;
  readonly ca: string;
  readonly thumbprint: string;
  readonly scopes: readonly string[];
  readonly seed: string;
  readonly url: string;
}

/** What a handle of a client knows; certificate and key are undefined where the sandbox does not have them. */
interface ClientFacts extends Omit<MintedClient, "certificate" | "key"> {
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

/** What every handle of a client works with. */
export interface ClientParts {
  readonly admin: AdminClient;
  readonly connections: Connections;
}

/** Makes a client. */
export async function mintClient(options: NewClientOptions, parts: ClientParts): Promise<ClientHandle> {
  const { key, ...sent } = options;
  const minted = await parts.admin.json<MintedClient>("POST", "/clients", { json: sent });
  return new Client({ ...minted, key: minted.key ?? key }, parts);
}

/** Where a handle finds what all clients share. */
export interface CommonFacts {
  readonly ca: string;
  readonly url: string;
}

/** Finds a client that is there. */
export async function findClient(clientId: string, common: CommonFacts, parts: ClientParts): Promise<ClientHandle> {
  const path = `/clients/${encodeURIComponent(clientId)}`;
  const { scopes, seed, certificates, downloads } = await parts.admin.json<ClientInfo>("GET", path);
  const facts = { clientId, scopes, seed, ...common };
  if (downloads.length > 0) return new Client({ ...facts, ...(await readFiles(path, parts)) }, parts);
  const thumbprint = certificates[0]?.thumbprint ?? "";
  return new Client({ ...facts, thumbprint, certificate: undefined, key: undefined }, parts);
}

/** An identity that lies ready, in the hands of the client that it belongs to or pretends to be. */
export async function findIdentity(name: string, common: CommonFacts, parts: ClientParts): Promise<ClientHandle> {
  const path = `/identities/${encodeURIComponent(name)}`;
  const files = await readFiles(path, parts);
  const clientId = /^SANDBOX_CLIENT_ID=(\S+)$/m.exec(await parts.admin.text(`${path}/client.env`))?.[1] ?? name;
  const { scopes, seed } = await parts.admin.json<ClientInfo>("GET", `/clients/${encodeURIComponent(clientId)}`);
  return new Client({ clientId, scopes, seed, ...common, ...files }, parts);
}

async function readFiles(path: string, { admin }: ClientParts) {
  const [certificate, key] = await Promise.all([admin.text(`${path}/cert.pem`), admin.text(`${path}/key.pem`)]);
  return { certificate, key, thumbprint: thumbprintOf(certificate) };
}

class Client implements ClientHandle {
  readonly clientId: string;
  readonly ca: string;
  readonly thumbprint: string;
  readonly scopes: readonly string[];
  readonly seed: string;
  readonly url: string;
  readonly clock: ClockControl;
  readonly #path: string;
  readonly #certificate: string | undefined;
  readonly #key: string | undefined;
  readonly #admin: AdminClient;
  readonly #connections: Connections;

  constructor(facts: ClientFacts, { admin, connections }: ClientParts) {
    this.clientId = facts.clientId;
    this.ca = facts.ca;
    this.thumbprint = facts.thumbprint;
    this.scopes = facts.scopes;
    this.seed = facts.seed;
    this.url = facts.url;
    this.#path = `/clients/${encodeURIComponent(facts.clientId)}`;
    this.clock = clockAt(`${this.#path}/clock`, admin);
    this.#certificate = facts.certificate;
    this.#key = facts.key;
    this.#admin = admin;
    this.#connections = connections;
  }

  get certificate(): string {
    return this.#certificate ?? this.#missing("certificate");
  }

  get key(): string {
    return this.#key ?? this.#missing("key");
  }

  get tls(): TlsIdentity {
    return { ca: this.ca, cert: this.certificate, key: this.key };
  }

  async p12(): Promise<Uint8Array> {
    return this.#admin.bytes(`${this.#path}/client.p12`);
  }

  env(): Promise<string> {
    return this.#admin.text(`${this.#path}/client.env`);
  }

  info(): Promise<ClientInfo> {
    return this.#admin.json("GET", this.#path);
  }

  useScenario(scenario: string | ScenarioDefinition | null): Promise<ActiveScenario> {
    return activate(`${this.#path}/scenario`, scenario, this.#admin);
  }

  clearScenario(): Promise<ActiveScenario> {
    return this.#admin.json("DELETE", `${this.#path}/scenario`);
  }

  scenario(): Promise<ActiveScenario> {
    return this.#admin.json("GET", `${this.#path}/scenario`);
  }

  requests(filters: Omit<RequestFilters, "client"> = {}): Promise<Exchange[]> {
    return exchangesOf({ ...filters, client: this.clientId }, this.#admin);
  }

  countRequests(filters: Omit<RequestFilters, "client"> = {}): Promise<number> {
    return countOf({ ...filters, client: this.clientId }, this.#admin);
  }

  report(options: ReportOptions = {}): Promise<ClientReport> {
    return reportOn(this.clientId, options, this.#admin);
  }

  reset(): Promise<void> {
    return this.#admin.run("POST", "/reset", { json: { client: this.clientId } });
  }

  async request(path: string, options?: RequestOptions): Promise<ApiAnswer> {
    return this.#connections.send(this.url, this.tls, path, options);
  }

  async token({ scope = "read" }: { readonly scope?: string | undefined } = {}): Promise<string> {
    const body = new URLSearchParams({ grant_type: "client_credentials", client_id: this.clientId, scope });
    const answer = await this.request("/oauth/v2/oauth-token", { method: "POST", body });
    if (answer.status === 200) return answer.json<{ access_token: string }>().access_token;
    throw new SandboxError(
      "TOKEN_REFUSED",
      `The client "${this.clientId}" got no token: ${answer.status} ${answer.text.slice(0, 500)}`,
      { status: answer.status },
    );
  }

  async addCertificate({ key, ...sent }: NewCertificateOptions = {}): Promise<ClientHandle> {
    const minted = await this.#admin.json<MintedClient>("POST", `${this.#path}/certificates`, { json: sent });
    return new Client({ ...minted, key: minted.key ?? key }, { admin: this.#admin, connections: this.#connections });
  }

  async removeCertificate(): Promise<void> {
    await this.#admin.run("DELETE", `${this.#path}/certificates/${this.thumbprint}`);
  }

  async rotate(options?: NewCertificateOptions): Promise<ClientHandle> {
    const next = await this.addCertificate(options);
    await this.removeCertificate();
    return next;
  }

  async delete(): Promise<void> {
    await this.#admin.run("DELETE", this.#path);
    if (this.#certificate !== undefined) this.#connections.forget(this.#certificate);
  }

  #missing(what: string): never {
    throw new SandboxError(
      "NO_KEY",
      `The sandbox does not have the ${what} of "${this.clientId}", because its certificate is your own: use your files, or give \`key\` to createClient.`,
    );
  }
}

function thumbprintOf(pem: string): string {
  return createHash("sha256").update(new X509Certificate(pem).raw).digest("base64url");
}
