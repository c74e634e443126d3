import type { IncomingHttpHeaders } from "node:http";
import { Agent, type AgentOptions, request } from "node:https";

/** What a client presents. */
export interface ClientIdentity {
  /** PEM. */
  readonly cert: string;
  /** PEM. */
  readonly key: string;
}

export interface HttpsRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
}

export interface HttpsResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of bodies whose shape is what they check
  readonly json: any;
}

/** An HTTPS client with one identity, or none: verification on, connections kept alive until it is closed. */
export class HttpsClient {
  readonly #url: string;
  readonly #agent: Agent;

  /**
   * @param url base URL, such as `https://localhost:8443`
   * @param options.ca PEM of the CA that must vouch for the server
   */
  constructor(url: string, options: { readonly ca: string; readonly identity?: ClientIdentity } & AgentOptions) {
    const { identity, ...rest } = options;
    this.#url = url;
    this.#agent = new Agent({ keepAlive: true, ...rest, ...identity });
  }

  send(path: string, { method = "GET", headers = {}, body }: HttpsRequest = {}): Promise<HttpsResponse> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        new URL(this.#url),
        { path, method, agent: this.#agent, headers: headers as Record<string, string | string[]> },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
          incoming.on("error", reject);
          incoming.on("end", () => {
            const text = Buffer.concat(chunks).toString();
            resolve({
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              text,
              get json() {
                return JSON.parse(text);
              },
            });
          });
        },
      );
      outgoing.on("error", reject);
      outgoing.end(body);
    });
  }

  /** Closes its idle connections. */
  close(): void {
    this.#agent.destroy();
  }
}
