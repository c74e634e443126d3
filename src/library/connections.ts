import { Agent, request } from "node:https";
import { SandboxError } from "./error.js";

/** What a client presents and trusts: ready for `https.request`, `tls.connect` and undici's `new Agent({ connect })`. */
export interface TlsIdentity {
  /** The CA to trust, PEM. */
  readonly ca: string;
  /** PEM. */
  readonly cert: string;
  /** PKCS#8, PEM. */
  readonly key: string;
}

/** A request to the API. */
export interface RequestOptions {
  /** `GET` when left out. */
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /** `URLSearchParams` are sent as a form, with its content type. */
  readonly body?: string | Uint8Array | URLSearchParams | undefined;
  /** Sent as `Authorization: Bearer …`. */
  readonly token?: string | undefined;
  /** Ends the request; `AbortSignal.timeout(500)` gives up after half a second. */
  readonly signal?: AbortSignal | undefined;
}

/** An answer of the API, whatever its status. */
export interface ApiAnswer {
  readonly status: number;
  /** By lower-case name; values of a repeated header are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body. */
  readonly text: string;
  /** The body, parsed. Throws a `SyntaxError` when it is not JSON. */
  json<T = unknown>(): T;
}

/** The connections of all clients of a handle, kept open between requests. */
export class Connections {
  readonly #agents = new Map<string, Agent>();
  #closed = false;

  /**
   * Sends a request, exactly as it is told to. Rejects with Node's own error when the connection breaks, and never tries again: an
   * injected fault must be seen.
   */
  send(url: string, identity: TlsIdentity, path: string, options: RequestOptions = {}): Promise<ApiAnswer> {
    if (this.#closed) return Promise.reject(new SandboxError("CLOSED", `The handle of ${url} was closed.`));
    const { method = "GET", body, signal } = options;
    const content = body instanceof URLSearchParams ? body.toString() : body;
    return new Promise((resolve, reject) => {
      const outgoing = request(
        new URL(url),
        { path, method, headers: headersOf(options, content), agent: this.#agent(identity), ...(signal && { signal }) },
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

  /** Closes what is idle, so that the next request makes a new handshake. */
  renew(): void {
    for (const agent of this.#agents.values()) {
      for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
    }
  }

  /** Closes the idle connections of one identity. */
  forget(cert: string): void {
    this.#agents.get(cert)?.destroy();
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
  // One's own headers win, however they are written.
  for (const [name, value] of Object.entries(headers ?? {})) {
    for (const other of Object.keys(sent)) if (other.toLowerCase() === name.toLowerCase()) delete sent[other];
    sent[name] = typeof value === "string" ? value : [...value];
  }
  return sent;
}

function joined(headers: NodeJS.Dict<string[]>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, (values ?? []).join(", ")]));
}
