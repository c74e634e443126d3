import { Agent, type AgentOptions, request } from "node:https";
import type { ClientIdentity, HttpsRequest, HttpsResponse } from "./exchanged.js";
import { Http2Pool } from "./http2-session.js";

export type { ClientIdentity, HttpsRequest, HttpsResponse };

/** Whether tests use HTTP/2 if they do not depend on the version: the project `http2` runs them a second time. */
export const speaksHttp2 = process.env["TEST_HTTP_VERSION"] === "HTTP/2";

/** An HTTPS client with one identity, or none: verification on, connections kept alive until it is closed. */
export class HttpsClient {
  readonly #url: string;
  readonly #agent: Agent;
  readonly #http2: Http2Pool | undefined;

  /**
   * @param url base URL, such as `https://localhost:8443`
   * @param options.ca PEM of the CA of the server
   */
  constructor(url: string, options: { readonly ca: string; readonly identity?: ClientIdentity } & AgentOptions) {
    const { identity, ...rest } = options;
    this.#url = url;
    this.#agent = new Agent({ keepAlive: true, ...rest, ...identity });
    this.#http2 = speaksHttp2 ? new Http2Pool(url, options) : undefined;
  }

  send(path: string, request: HttpsRequest = {}): Promise<HttpsResponse> {
    return this.#http2?.sendUntilProcessed(path, request) ?? this.#sendHttp1(path, request);
  }

  #sendHttp1(path: string, { method = "GET", headers = {}, body }: HttpsRequest): Promise<HttpsResponse> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        new URL(this.#url),
        { path, method, agent: this.#agent, headers: headers as Record<string, string | string[]> },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
          incoming.on("error", reject);
          incoming.on("end", () => {
            const bytes = Buffer.concat(chunks);
            const text = bytes.toString();
            resolve({
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              bytes,
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
    this.#http2?.close();
  }
}
