import { Agent, request } from "node:https";
import { gunzipSync } from "node:zlib";
import { thousands } from "../base/text/numbers.js";
import { longestDelay } from "../sandbox/scenarios/defaults.js";
import { basePathOf } from "./base-url.js";
import type { ApiAnswer, RequestOptions, TlsIdentity } from "./client-handle.js";
import { SandboxError } from "./error.js";
import { ExchangeError, exchange } from "./http-exchange.js";

const usualLimits = {
  /**
   * How long an exchange may take, in milliseconds. A rule may hold its answer back twice: by a delay, and by a fault
   * of the connection. A `hang` or `stall` of more than two minutes may last longer: then this client gives up.
   */
  timeoutMs: 2 * longestDelay + 60_000,
  /** Longest answer, in bytes. A page of a list has a quarter of it in characters. */
  longest: 64 * 1024 * 1024,
};

/** The connections of all clients of a handle, kept open between requests. */
export class Connections {
  readonly #agents = new Map<string, Agent>();
  #closed = false;

  constructor(private readonly limits = usualLimits) {}

  /**
   * Sends a request as it is. Rejects with Node's error when the connection breaks. Never retries: a test must see the
   * fault. The promise always settles: another program than a sandbox may listen at the URL.
   */
  async send(url: string, identity: TlsIdentity, path: string, options: RequestOptions = {}): Promise<ApiAnswer> {
    if (this.#closed) throw new SandboxError("CLOSED", `The handle of ${url} was closed.`);
    const { method = "GET", body, signal } = options;
    const content = body instanceof URLSearchParams ? body.toString() : body;
    const base = new URL(url);
    const outgoing = request(base, {
      path: basePathOf(base) + path,
      method,
      headers: headersOf(options, content),
      agent: this.#agent(identity),
      ...(signal && { signal }),
    });
    const { timeoutMs, longest } = this.limits;
    const { head, body: bytes } = await exchange(outgoing, content, this.limits).catch((error) => {
      throw error instanceof ExchangeError && error.kind === "too-late"
        ? new Error(`There was no whole answer to ${path} within ${timeoutMs / 1000} s.`)
        : error;
    });
    if (bytes === undefined) throw new Error(`The answer to ${path} is longer than ${thousands(longest)} bytes.`);
    const text = unpacked(bytes, head.headers["content-encoding"], longest).toString("utf8");
    return {
      status: head.statusCode ?? 0,
      headers: joined(head.headersDistinct),
      text,
      json: <T>() => JSON.parse(text) as T,
    };
  }

  /** Closes idle connections, so that the next request makes a new handshake. */
  renew(): void {
    for (const agent of this.#agents.values()) closeIdle(agent);
  }

  /** Closes the idle connections of one identity, which is not used any more. */
  forget(cert: string): void {
    for (const [key, agent] of this.#agents) {
      if (!key.startsWith(cert)) continue;
      closeIdle(agent);
      this.#agents.delete(key);
    }
  }

  close(): void {
    this.#closed = true;
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }

  /** A token is bound to the certificate of its connection, so no two certificates share one. */
  #agent(identity: TlsIdentity): Agent {
    // The next CA may have been announced since the last request.
    const key = identity.cert + identity.ca;
    let agent = this.#agents.get(key);
    if (!agent) {
      agent = new Agent({ ...identity, keepAlive: true });
      this.#agents.set(key, agent);
    }
    return agent;
  }
}

function headersOf({ headers, body, token }: RequestOptions, content: string | Uint8Array | undefined) {
  const sent: Record<string, string | string[]> = {};
  if (body instanceof URLSearchParams) sent["Content-Type"] = "application/x-www-form-urlencoded";
  if (content !== undefined) sent["Content-Length"] = String(Buffer.byteLength(content));
  if (token !== undefined) sent["Authorization"] = `Bearer ${token}`;
  // The caller's headers replace the others, in upper or lower case.
  for (const [name, value] of Object.entries(headers ?? {})) {
    for (const other of Object.keys(sent)) if (other.toLowerCase() === name.toLowerCase()) delete sent[other];
    sent[name] = typeof value === "string" ? value : [...value];
  }
  return sent;
}

function joined(headers: NodeJS.Dict<string[]>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, (values ?? []).join(", ")]));
}

function closeIdle({ freeSockets }: Agent): void {
  for (const sockets of Object.values(freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}

/** The bytes before they were compressed (RFC 9110 §8.4.1.3); as they are if they are not what the header says. */
function unpacked(bytes: Buffer, encoding: string | undefined, longest: number): Buffer {
  if (encoding !== "gzip") return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: longest });
  } catch {
    return bytes;
  }
}
