import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Sandbox, startSandbox } from "../../src/library/composition/sandbox.js";
import { resolveConfiguration } from "../../src/sandbox/config/resolve.js";
import type { GivenSettings } from "../../src/sandbox/config/settings.js";
import type { FileOperations } from "../../src/sandbox/pki/file-operations.js";
import { afterFile } from "../support/cleanups.js";
import { patience } from "../support/patience.js";

/** An answer in the form that tests compare. */
interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every kind
  readonly body: any;
}

/** A client with its certificate and its connections to any replica. */
export interface Minted {
  readonly clientId: string;
  readonly agent: Agent;
}

/** Sandboxes with one certs folder, in this process, that share a Redis. */
export class Replicas {
  readonly certs: string = mkdtempSync(join(tmpdir(), "sandbox-shared-"));
  readonly all: Sandbox[] = [];
  readonly warnings: string[] = [];

  constructor(private readonly url: string | undefined) {
    afterFile(async () => {
      await Promise.all(this.all.map((sandbox) => sandbox.close(0)));
      rmSync(this.certs, { recursive: true, force: true });
    });
  }

  /** @param files by which the certs folder is written; those of the system if they are left out */
  async start(settings: GivenSettings = {}, files?: FileOperations): Promise<Sandbox> {
    const fixed = { port: 0, adminPort: 0, certs: this.certs, keyType: "ec", log: "none", config: undefined } as const;
    const configuration = await resolveConfiguration({ ...fixed, shared: this.url, ...settings }, {}, this.certs);
    const output = { log: () => {}, warn: (text: string) => this.warnings.push(text) };
    const sandbox = await startSandbox(configuration, { output, ...(files && { files }) });
    await sandbox.identities;
    this.all.push(sandbox);
    return sandbox;
  }
}

/** Calls the admin API. */
export async function admin(sandbox: Pick<Sandbox, "adminUrl">, call: string, body?: unknown): Promise<Answer> {
  const [method = "", path = ""] = call.split(" ");
  const isText = typeof body === "string";
  const response = await fetch(sandbox.adminUrl + path, {
    method,
    signal: AbortSignal.timeout(patience),
    ...(body !== undefined && {
      body: isText ? body : JSON.stringify(body),
      headers: { "Content-Type": isText ? "application/yaml" : "application/json" },
    }),
  });
  const text = await response.text();
  return { status: response.status, headers: Object.fromEntries(response.headers), body: parsed(text) };
}

/** Makes a client at a replica. */
export async function mint(sandbox: Pick<Sandbox, "adminUrl">, body: object = {}): Promise<Minted> {
  const answer = await admin(sandbox, "POST /clients", body);
  if (answer.status !== 201) throw new Error(`POST /clients: ${answer.status} ${JSON.stringify(answer.body)}`);
  const { clientId, certificate: cert, key, ca } = answer.body;
  const agent = new Agent({ keepAlive: true, cert, key, ca });
  afterFile(() => agent.destroy());
  return { clientId, agent };
}

/** Sends a request over mutual TLS. */
export function send(
  { url }: Pick<Sandbox, "url">,
  { agent }: Minted,
  call: string,
  headers: Readonly<Record<string, string>> = {},
  body = "",
): Promise<Answer> {
  const [method, path = ""] = call.split(" ");
  return new Promise((resolve, reject) => {
    const outgoing = request(url + path, { method, agent, headers, timeout: patience }, (incoming) => {
      let text = "";
      incoming.setEncoding("utf8").on("data", (part) => {
        text += part;
      });
      incoming.on("end", () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: parsed(text) }),
      );
    });
    outgoing.on("timeout", () => outgoing.destroy(new Error(`${call} was not answered.`)));
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** An access token. */
export async function token(sandbox: Pick<Sandbox, "url">, client: Minted): Promise<string> {
  const form = `grant_type=client_credentials&scope=read&client_id=${client.clientId}`;
  const type = { "Content-Type": "application/x-www-form-urlencoded" };
  const answer = await send(sandbox, client, "POST /oauth/v2/oauth-token", type, form);
  if (answer.status !== 200) throw new Error(`no token: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.access_token;
}

/** The status of a ping. */
export async function ping(sandbox: Pick<Sandbox, "url">, client: Minted, bearer: string): Promise<number> {
  return (await send(sandbox, client, "GET /v1/ping", { Authorization: `Bearer ${bearer}` })).status;
}

/**
 * The same, but it retries if a replica stalled for longer than its lease, which happens on a busy machine. Then
 * nothing is counted.
 */
export async function steadyPing(...call: Parameters<typeof ping>): Promise<number> {
  for (;;) {
    const status = await ping(...call);
    if (status !== 503) return status;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
