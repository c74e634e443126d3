import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SecureVersion } from "node:tls";
import { afterAll, beforeAll } from "vitest";
import { startSandbox } from "../../../src/library/composition/sandbox.js";
import { type Clock, systemClock } from "../../../src/sandbox/clock.js";
import { resolveConfiguration } from "../../../src/sandbox/config/resolve.js";
import type { GivenSettings } from "../../../src/sandbox/config/settings.js";
import { HttpsClient, type HttpsRequest, type HttpsResponse } from "../../support/https-client.js";
import { WireClient } from "./wire-client.js";

interface Minted {
  readonly clientId: string;
  readonly certificate: string;
  readonly key: string;
  readonly ca: string;
  readonly seed: string;
  readonly url: string;
}

/** A listening sandbox, controlled from outside: the API by separate clients, the rest by the admin API. */
export class ScenarioSandbox {
  readonly adminUrl: string;
  /** The folder of scenarios that it watches. */
  readonly folder: string;
  readonly #close: () => Promise<void>;
  readonly #clients: OutsideClient[] = [];

  constructor(adminUrl: string, folder: string, close: () => Promise<void>) {
    this.adminUrl = adminUrl;
    this.folder = folder;
    this.#close = close;
  }

  /**
   * A request to the admin API.
   * @throws when it is refused
   */
  async admin(method: string, path: string, body?: unknown): Promise<unknown> {
    const yaml = typeof body === "string";
    const response = await fetch(this.adminUrl + path, {
      method,
      ...(body === undefined
        ? {}
        : {
            headers: { "Content-Type": yaml ? "application/yaml" : "application/json" },
            body: yaml ? body : JSON.stringify(body),
          }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }

  /** A client that no other test uses. */
  async client(seed?: string): Promise<OutsideClient> {
    const minted = (await this.admin("POST", "/clients", seed === undefined ? {} : { seed })) as Minted;
    const client = new OutsideClient(this, minted);
    this.#clients.push(client);
    return client;
  }

  /** A client for which a scenario is active. */
  async clientUnder(scenario: string, seed?: string): Promise<OutsideClient> {
    const client = await this.client(seed);
    await client.token();
    await client.activate(scenario);
    return client;
  }

  /** Uploads a scenario by its rules. */
  async upload(name: string, rules: string): Promise<void> {
    await this.admin("PUT", `/scenarios/${name}`, `description: For a test.\nrules:\n${rules}\n`);
  }

  async close(): Promise<void> {
    for (const client of this.#clients) client.close();
    await this.#close();
  }
}

/** A client with its own certificate, on kept-alive connections. */
export class OutsideClient {
  readonly id: string;
  readonly seed: string;
  readonly #sandbox: ScenarioSandbox;
  #minted: Minted;
  #https: HttpsClient;
  #token: string | undefined;

  constructor(sandbox: ScenarioSandbox, minted: Minted) {
    this.id = minted.clientId;
    this.seed = minted.seed;
    this.#sandbox = sandbox;
    this.#minted = minted;
    this.#https = this.#connect();
  }

  get #identity() {
    return { cert: this.#minted.certificate, key: this.#minted.key };
  }

  /** The port of the API. */
  get port(): number {
    return Number(new URL(this.#minted.url).port);
  }

  /** The public key of its certificate. */
  get publicKey(): string | Buffer {
    return new X509Certificate(this.#minted.certificate).publicKey.export({ type: "spki", format: "pem" });
  }

  #connect(): HttpsClient {
    return new HttpsClient(this.#minted.url, { ca: this.#minted.ca, identity: this.#identity });
  }

  async activate(scenario: string | null): Promise<void> {
    await this.#sandbox.admin("PUT", `/clients/${this.id}/scenario`, { name: scenario });
  }

  /** Freezes the client's clock, so that no bucket refills by itself. */
  async freeze(): Promise<void> {
    await this.#sandbox.admin("PUT", `/clients/${this.id}/clock`, { frozenAt: new Date().toISOString() });
  }

  /** Reads the files of its newest certificate, and connects with them from now on. */
  async reload(): Promise<void> {
    const pem = await (await fetch(`${this.#sandbox.adminUrl}/clients/${this.id}/identity.pem`)).text();
    this.#https.close();
    this.#minted = { ...this.#minted, certificate: pem, key: pem };
    this.#https = this.#connect();
    this.#token = undefined;
  }

  /** Moves the client's clock. */
  async advance(distance: string): Promise<void> {
    await this.#sandbox.admin("POST", `/clients/${this.id}/clock`, { advance: distance });
  }

  /** A token request. */
  postToken(headers: HttpsRequest["headers"] = {}): Promise<HttpsResponse> {
    return this.#https.send("/oauth/v2/oauth-token", {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
      body: `grant_type=client_credentials&client_id=${this.id}&scope=read`,
    });
  }

  /** A token, fetched once unless a new one is requested. */
  async token(renew = false): Promise<string> {
    if (this.#token === undefined || renew) {
      const answer = await this.postToken();
      if (answer.status !== 200) throw new Error(`No token: ${answer.status} ${answer.text}`);
      this.#token = answer.json.access_token as string;
    }
    return this.#token;
  }

  /** A request with the token, on a kept-alive connection. Rejects with the error of a broken connection. */
  async get(path: string, headers: HttpsRequest["headers"] = {}): Promise<HttpsResponse> {
    return this.getWith(await this.token(), path, headers);
  }

  /** The same with a given token. */
  getWith(token: string, path: string, headers: HttpsRequest["headers"] = {}): Promise<HttpsResponse> {
    return this.#https.send(path, { headers: { Authorization: `Bearer ${token}`, ...headers } });
  }

  /** The same on its own connection, with access to the packets. */
  async wire(
    path: string,
    headers: Readonly<Record<string, string>> = {},
    tls: { readonly maxVersion?: SecureVersion } = {},
    version = "HTTP/1.1",
  ): Promise<WireClient> {
    const token = await this.token();
    const { ca, url } = this.#minted;
    const client = await WireClient.open({ port: Number(new URL(url).port), ca, ...this.#identity, ...tls });
    const all = { Host: "localhost", Authorization: `Bearer ${token}`, ...headers };
    client.send(
      `GET ${path} ${version}\r\n${Object.entries(all)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join("")}\r\n`,
    );
    return client;
  }

  /** What curl needs to act as this client. */
  get material() {
    return { ...this.#minted, token: this.#token };
  }

  close(): void {
    this.#https.close();
  }
}

/** Starts a sandbox with its certificates in its own folder, on free ports. */
export async function openScenarioSandbox(
  settings: GivenSettings = {},
  files: Readonly<Record<string, string>> = {},
  clock: Clock = systemClock,
  yaml?: string,
): Promise<ScenarioSandbox> {
  const root = mkdtempSync(join(tmpdir(), "scenario-sandbox-"));
  const scenarios = mkdtempSync(join(root, "scenarios-"));
  const remove = () => rmSync(root, { recursive: true, force: true });
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(scenarios, name), text);
    if (yaml !== undefined) writeFileSync(join(root, "sandbox.yaml"), yaml);
    const given: GivenSettings = {
      port: 0,
      adminPort: 0,
      keyType: "ec",
      log: "none",
      certs: join(root, "certs"),
      scenarios,
    };
    const configuration = await resolveConfiguration({ ...given, ...settings }, {}, root);
    const sandbox = await startSandbox(configuration, { machineClock: clock, ownsProcess: true });
    await sandbox.identities;
    return new ScenarioSandbox(sandbox.adminUrl, scenarios, async () => {
      await sandbox.close(0);
      remove();
    });
  } catch (error) {
    remove();
    throw error;
  }
}

/** One sandbox for all tests of a file. */
export function sharedSandbox(settings: GivenSettings = {}, yaml?: string): () => ScenarioSandbox {
  let sandbox: ScenarioSandbox | undefined;
  beforeAll(async () => {
    sandbox = await openScenarioSandbox(settings, {}, systemClock, yaml);
  });
  afterAll(() => sandbox?.close());
  return () => {
    if (!sandbox) throw new Error("The sandbox is not running.");
    return sandbox;
  };
}
