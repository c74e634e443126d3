import { fileURLToPath } from "node:url";
import type { Output } from "../../src/library/composition/foundation.js";
import { type Sandbox, startSandbox } from "../../src/library/composition/sandbox.js";
import type { Clock } from "../../src/sandbox/clock.js";
import { configurationOf } from "../../src/sandbox/config/complete.js";
import type { Configuration } from "../../src/sandbox/config/configuration.js";
import { emptyFile } from "../../src/sandbox/config/shape.js";
import type { FileOperations } from "../../src/sandbox/pki/file-operations.js";
import type { Scenario } from "../../src/sandbox/scenarios/scenario.js";
import { afterFile, afterTest } from "../support/cleanups.js";
import { type ClientIdentity, HttpsClient, type HttpsRequest, type HttpsResponse } from "../support/https-client.js";
import { AdminClient } from "./admin-client.js";

export { eventually } from "../support/eventually.js";

const here = fileURLToPath(new URL(".", import.meta.url));

/** What a test starts with: free ports, certificates in memory, nothing on the console. */
export function configuration(): Promise<Configuration> {
  return configurationOf({ port: 0, adminPort: 0, log: "none" }, emptyFile, here);
}

/** A sandbox under test, with clients for both of its ports. */
export class TestSandbox {
  readonly admin: AdminClient;
  readonly #clients: HttpsClient[] = [];

  constructor(readonly sandbox: Sandbox) {
    this.admin = new AdminClient(sandbox.adminUrl, sandbox.adminToken?.value);
  }

  /** A client of the API with one identity, or with none. */
  connect(identity?: ClientIdentity, clientId = "demo"): ApiClient {
    const https = new HttpsClient(this.sandbox.url, { ca: this.sandbox.caPem, ...(identity && { identity }) });
    this.#clients.push(https);
    return new ApiClient(https, clientId, this.admin);
  }

  /** A client with one of the standing identities. */
  async standing(name: string): Promise<ApiClient> {
    const identity = (await this.sandbox.identities).find((candidate) => candidate.name === name);
    if (!identity) throw new Error(`There is no identity ${name}.`);
    return this.connect({ cert: identity.certPem, key: identity.keyPem }, identity.clientId);
  }

  /** A new client, made by the admin API. */
  async mint(request: object = {}): Promise<ApiClient & { readonly minted: Minted }> {
    const { json } = await this.admin.post("/clients", request);
    const client = this.connect({ cert: json.certificate, key: json.key }, json.clientId);
    return Object.assign(client, { minted: json as Minted });
  }

  /** Closes the connections of its clients to the API. */
  disconnect(): void {
    for (const client of this.#clients) client.close();
  }

  async close(gracePeriod = 0): Promise<void> {
    this.disconnect();
    this.admin.close();
    await this.sandbox.close(gracePeriod);
  }
}

export interface Minted {
  readonly clientId: string;
  readonly certificate: string;
  readonly key: string;
  readonly ca: string;
  readonly thumbprint: string;
  readonly seed: string;
  readonly url: string;
}

/** Speaks the business interface over one identity. */
export class ApiClient {
  constructor(
    readonly https: HttpsClient,
    readonly clientId: string,
    readonly admin: AdminClient,
  ) {}

  send(path: string, request?: HttpsRequest): Promise<HttpsResponse> {
    return this.https.send(path, request);
  }

  /** Requests a token, and remembers it as a secret that no answer of the admin API may contain. */
  async requestToken(form: Readonly<Record<string, string>> = {}): Promise<HttpsResponse> {
    const body = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: this.clientId,
      scope: "read",
      ...form,
    });
    const answer = await this.send("/oauth/v2/oauth-token", {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: body.toString(),
    });
    if (answer.status === 200) this.admin.secrets.add(answer.json.access_token);
    return answer;
  }

  async token(): Promise<string> {
    const answer = await this.requestToken();
    if (answer.status !== 200) throw new Error(`No token: ${answer.text}`);
    return answer.json.access_token;
  }

  /** Sends a GET with a token; with a new one unless one is given. */
  async get(path: string, token?: string, headers: Readonly<Record<string, string>> = {}): Promise<HttpsResponse> {
    return this.send(path, { headers: { Authorization: `Bearer ${token ?? (await this.token())}`, ...headers } });
  }

  ping(token?: string): Promise<HttpsResponse> {
    return this.get("/v1/ping", token);
  }
}

interface StartOptions {
  readonly machineClock?: Clock;
  readonly files?: FileOperations;
  readonly output?: Output;
  readonly layer?: Scenario;
}

async function open(changes: Partial<Configuration>, options: StartOptions): Promise<TestSandbox> {
  return new TestSandbox(await startSandbox({ ...(await configuration()), ...changes }, options));
}

/** Starts a sandbox that is closed after the test. */
export async function start(changes: Partial<Configuration> = {}, options: StartOptions = {}): Promise<TestSandbox> {
  const sandbox = await open(changes, options);
  afterTest(() => sandbox.close());
  return sandbox;
}

/** Starts a sandbox that all tests of a file share. */
export async function startShared(
  changes: Partial<Configuration> = {},
  options: StartOptions = {},
): Promise<TestSandbox> {
  const sandbox = await open(changes, options);
  afterFile(() => sandbox.close());
  return sandbox;
}
