import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { AgentOptions } from "node:https";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, inject } from "vitest";
import { startSandbox } from "../../../src/library/composition/sandbox.js";
import { type Clock, systemClock } from "../../../src/sandbox/clock.js";
import { resolveConfiguration } from "../../../src/sandbox/config/resolve.js";
import type { GivenSettings } from "../../../src/sandbox/config/settings.js";
import type { ErrorRequest } from "../../../src/sandbox/errors/error-facts.js";
import { copyFolder } from "../../support/copy-folder.js";
import { Http2Client } from "../../support/http2-client.js";
import {
  type ClientIdentity,
  HttpsClient,
  type HttpsRequest,
  type HttpsResponse,
  speaksHttp2,
} from "../../support/https-client.js";
import { openTls, parseResponses, type RawResponse, type RawTlsOptions } from "../../support/raw-client.js";
import { assertAnswerMatchesOpenApi, type Document } from "../openapi/validate.js";

/** The identities of the certificates folder that must be refused, and why. */
export const misfits = [
  "unregistered",
  "expired",
  "not-yet-valid",
  "untrusted",
  "renewed",
  "lookalike",
  "wrong-usage",
] as const;

export type IdentityName = "demo" | "other" | (typeof misfits)[number];

/** The sender of a request: an identity by its name, or a client without a certificate. */
export type Caller = IdentityName | "nobody";

export const versions = ["TLSv1.2", "TLSv1.3"] as const;

export const tokenPath = "/oauth/v2/oauth-token";

/** The form of a good token request of a client. */
export const goodForm = (clientId: string = "demo") => `grant_type=client_credentials&client_id=${clientId}&scope=read`;

/** Every UUID that the sandbox makes is a version 4. */
export const freshId = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export interface Call extends HttpsRequest {
  readonly as?: Caller;
  readonly token?: string;
  readonly tls?: AgentOptions;
}

export interface SandboxOptions {
  /** Text of a `sandbox.yaml`. */
  readonly yaml?: string;
  /** Additional files in its folder, by their paths. */
  readonly files?: Readonly<Record<string, string>>;
  readonly settings?: GivenSettings;
  readonly clock?: Clock;
  /** The certificates folder. By default a new one, which may have the same keys as others. */
  readonly certs?: string;
}

/** A sandbox that listens, and clients for it: real sockets, verification on. */
export class RunningSandbox {
  readonly url: string;
  readonly adminUrl: string;
  readonly port: number;
  readonly certs: string;
  readonly ca: string;
  readonly #close: () => Promise<void>;
  readonly #clients = new Map<string, HttpsClient>();
  #openApi: Promise<Document> | undefined;

  constructor(url: string, adminUrl: string, certs: string, close: () => Promise<void>) {
    this.url = url;
    this.adminUrl = adminUrl;
    this.port = Number(new URL(url).port);
    this.certs = certs;
    this.ca = this.file("ca.pem");
    this.#close = close;
  }

  /** The text of a file in the certificates folder. */
  file(name: string): string {
    return readFileSync(join(this.certs, name), "utf8");
  }

  identity(name: IdentityName): ClientIdentity {
    const folder = name === "demo" || name === "other" ? `clients/${name}` : `misfits/${name}`;
    return { cert: this.file(`${folder}/cert.pem`), key: this.file(`${folder}/key.pem`) };
  }

  /**
   * Sends a request over a kept-alive connection of the caller, and asserts that the OpenAPI document describes the
   * answer.
   */
  async send(path: string, call: Call = {}): Promise<HttpsResponse> {
    const answer = await this.unchecked(path, call);
    await this.#assertDescribed(call.method ?? "GET", path, answer, answer.text);
    return answer;
  }

  /** Sends the request of the page about an error code. */
  async sendErrorRequest({ method = "GET", path, token, headers, form }: ErrorRequest): Promise<HttpsResponse> {
    const type = form === undefined ? {} : { "Content-Type": "application/x-www-form-urlencoded" };
    return this.send(path, {
      method,
      headers: { ...type, ...headers },
      ...(token && { token: await this.token() }),
      ...(form !== undefined && { body: form }),
    });
  }

  /** The same, whatever the OpenAPI document says. */
  unchecked(path: string, { as = "demo", token, tls = {}, ...request }: Call = {}): Promise<HttpsResponse> {
    const key = `${as} ${tls.minVersion} ${tls.maxVersion}`;
    let client = this.#clients.get(key);
    if (!client) {
      const identity = as === "nobody" ? {} : { identity: this.identity(as) };
      client = new HttpsClient(this.url, { ...tls, ca: this.ca, ...identity });
      this.#clients.set(key, client);
    }
    const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    return client.send(path, { ...request, headers: { ...authorization, ...request.headers } });
  }

  async #assertDescribed(method: string, path: string, { status, headers }: Answer, text: string): Promise<void> {
    this.#openApi ??= fetch(`${this.adminUrl}/openapi.json`).then((answer) => answer.json());
    await assertAnswerMatchesOpenApi(await this.#openApi, method, path, status, headers, text);
  }

  /** Sends a token request. */
  postToken(body: string = goodForm(), call: Call = {}, path: string = tokenPath): Promise<HttpsResponse> {
    const headers = { "Content-Type": "application/x-www-form-urlencoded", ...call.headers };
    return this.send(path, { method: "POST", body, ...call, headers });
  }

  /** An access token of a client. */
  async token(clientId: "demo" | "other" = "demo"): Promise<string> {
    const answer = await this.postToken(goodForm(clientId), { as: clientId });
    if (answer.status !== 200) throw new Error(`No token: ${answer.text}`);
    return answer.json.access_token;
  }

  /**
   * Sends raw bytes over a new TLS connection, and reads until the server closes it. A single answer must be one that
   * the OpenAPI document describes; for bytes that are not a request, any operation is accepted.
   */
  async raw(text: string, as: Caller = "demo", options: Partial<RawTlsOptions> = {}): Promise<RawResponse[]> {
    const identity = as === "nobody" ? {} : this.identity(as);
    const client = await openTls({ port: this.port, ca: this.ca, ...identity, ...options });
    const received = await client.sendAndClose(text);
    if (client.errorCode !== undefined) throw new Error(`The connection ended with ${client.errorCode}.`);
    const answers = parseResponses(received);
    const [only, ...more] = answers;
    // With several answers it is unknown which request each belongs to.
    if (only && more.length === 0) {
      const [, method = "GET", target = "/v1/ping"] =
        /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+) (\/[\x21-\x7e]*) HTTP/.exec(text) ?? [];
      await this.#assertDescribed(method, target, only, only.body);
    }
    return answers;
  }

  /** Sends one GET with exactly this target. */
  async get(target: string, headers: readonly string[] = [], as: Caller = "demo"): Promise<RawResponse> {
    if (speaksHttp2) return this.#getOverHttp2(target, headers, as);
    const lines = [`GET ${target} HTTP/1.1`, "Host: localhost", "Connection: close", ...headers];
    const [answer, ...more] = await this.raw(`${lines.join("\r\n")}\r\n\r\n`, as);
    if (!answer || more.length > 0) throw new Error("Not exactly one answer came.");
    return answer;
  }

  async #getOverHttp2(target: string, headers: readonly string[], as: Caller): Promise<RawResponse> {
    const identity = as === "nobody" ? {} : this.identity(as);
    const client = await Http2Client.open({ port: this.port, ca: this.ca, ...identity });
    const fields = headers.map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    });
    client.get(1, target, fields);
    const { status, headers: all, body, reset } = await client.over(1);
    client.destroy();
    if (reset !== undefined) throw new Error(`The stream was reset with ${reset}.`);
    const { ":status": _status, ...received } = all;
    const answer = { status, headers: received, body: body.toString() };
    await this.#assertDescribed("GET", target, answer, answer.body);
    return answer;
  }

  async close(): Promise<void> {
    for (const client of this.#clients.values()) client.close();
    await this.#close();
  }
}

/** Starts a sandbox in a new folder, on free ports, with P-256 keys. */
export async function openSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const folder = mkdtempSync(join(tmpdir(), "conformance-"));
  const yaml = options.yaml === undefined ? {} : { "sandbox.yaml": options.yaml };
  for (const [name, text] of Object.entries({ ...yaml, ...options.files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const certs = options.certs ?? join(folder, "certs");
  const wholeCerts = inject("wholeCerts");
  // Its CA must not issue certificates for other names.
  const isUsual = options.certs === undefined && options.settings?.hostnames === undefined;
  if (isUsual && wholeCerts !== undefined) copyFolder(wholeCerts, certs);
  const settings: GivenSettings = { port: 0, adminPort: 0, keyType: "ec", log: "none", ...options.settings, certs };
  try {
    const configuration = await resolveConfiguration(settings, {}, folder);
    const sandbox = await startSandbox(configuration, {
      machineClock: options.clock ?? systemClock,
      ownsProcess: true,
    });
    await sandbox.identities;
    return new RunningSandbox(sandbox.url, sandbox.adminUrl, certs, async () => {
      await sandbox.close(0);
      rmSync(folder, { recursive: true, force: true });
    });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** One sandbox for all tests of a file. */
export function sharedSandbox(options: SandboxOptions = {}): () => RunningSandbox {
  let sandbox: RunningSandbox | undefined;
  beforeAll(async () => {
    sandbox = await openSandbox(options);
  });
  afterAll(() => sandbox?.close());
  return () => {
    if (!sandbox) throw new Error("The sandbox is not running.");
    return sandbox;
  };
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Asserts what every error has in common (§2.2, §7): status, JSON, a correlation ID, and exactly `message` and `code`. */
export function expectError(
  answer: Answer & ({ readonly text: string } | { readonly body: string }),
  status: number,
  code: string,
): void {
  const text = "text" in answer ? answer.text : answer.body;
  expect(`${answer.status} ${text}`).toMatch(new RegExp(`^${status} \\{`));
  const body = JSON.parse(text);
  expect(body).toEqual({ message: expect.stringMatching(/^['A-Z][\s\S]{8,}\.$/), code });
  expect(answer.headers["content-type"]).toBe("application/json");
  expect(answer.headers["x-correlation-id"]).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
}

/** The same for the token endpoint, whose errors also have the members of RFC 6749 §5.2 and are not to be stored. */
export function expectTokenError(answer: HttpsResponse, status: number, code: string, error: string): void {
  expect(`${answer.status} ${answer.text}`).toMatch(new RegExp(`^${status} \\{`));
  expect(answer.json).toEqual({
    message: expect.stringMatching(/\w{3}.*\.$/),
    code,
    error,
    error_description: expect.stringMatching(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/),
  });
  expect(answer.headers["content-type"]).toBe("application/json");
  expect(answer.headers["x-correlation-id"]).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
  expect(answer.headers["cache-control"]).toBe("no-store");
  expect(answer.headers["pragma"]).toBe("no-cache");
}
