import { Agent, request } from "node:https";
import type { ApiAnswer, RequestOptions, TlsIdentity } from "./client-handle.js";
import { SandboxError } from "./error.js";

/** The connections of all clients of a handle, kept open between requests. */
export class Connections {
  readonly #agents = new Map<string, Agent>();
  #closed = false;

  /**
   * Sends a request as it is. Rejects with Node's error when the connection breaks. Never retries: a test must see the
   * fault.
   */
  send(url: string, identity: TlsIdentity, path: string, options: RequestOptions = {}): Promise<ApiAnswer> {
    if (this.#closed) return Promise.reject(new SandboxError("CLOSED", `The handle of ${url} was closed.`));
    const { method = "GET", body, signal } = options;
    const content = body instanceof URLSearchParams ? body.toString() : body;
    const base = new URL(url);
    return new Promise((resolve, reject) => {
      const outgoing = request(
        base,
        {
          path: base.pathname.replace(/\/$/, "") + path,
          method,
          headers: headersOf(options, content),
          agent: this.#agent(identity),
          ...(signal && { signal }),
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
          incoming.on("error", reject);
          incoming.on("end", () => {
            const text = Buffer.concat(chunks).toString("utf8");
            resolve({
              status: incoming.statusCode ?? 0,
              headers: joined(incoming.headersDistinct),
              text,
              json: <T>() => JSON.parse(text) as T,
            });
          });
        },
      );
      outgoing.on("error", reject);
      outgoing.end(content);
    });
  }

  /** Closes idle connections, so that the next request makes a new handshake. */
  renew(): void {
    for (const agent of this.#agents.values()) closeIdle(agent);
  }

  /** Closes the idle connections of one identity, which is not used any more. */
  forget(cert: string): void {
    const agent = this.#agents.get(cert);
    if (agent) closeIdle(agent);
    this.#agents.delete(cert);
  }

  close(): void {
    this.#closed = true;
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }

  /** A token is bound to the certificate of its connection, so no two certificates share one. */
  #agent(identity: TlsIdentity): Agent {
    let agent = this.#agents.get(identity.cert);
    if (!agent) {
      agent = new Agent({ ...identity, keepAlive: true });
      this.#agents.set(identity.cert, agent);
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
