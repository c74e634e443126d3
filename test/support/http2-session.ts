import { once } from "node:events";
import { type ClientHttp2Session, type ClientHttp2Stream, connect, type OutgoingHttpHeaders } from "node:http2";
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from "node:tls";
import type { ClientIdentity, HttpsRequest, HttpsResponse } from "./exchanged.js";

type Options = ConnectionOptions & { readonly ca: string; readonly identity?: ClientIdentity };

/** An HTTP/2 connection over its own TLS socket, verification on. */
export interface Http2Connection {
  readonly socket: TLSSocket;
  readonly session: ClientHttp2Session;
}

/**
 * Connects, and agrees on HTTP/2.
 * @param url base URL, such as `https://localhost:8443`
 */
export async function openHttp2(url: string, { identity, ...options }: Options): Promise<Http2Connection> {
  const { hostname, port } = new URL(url);
  const socket = connectTls({
    host: hostname,
    servername: "localhost",
    port: Number(port),
    ALPNProtocols: ["h2"],
    ...options,
    ...identity,
  });
  await once(socket, "secureConnect");
  if (socket.alpnProtocol !== "h2") throw new Error("The server did not agree on h2.");
  const session = connect(url, { createConnection: () => socket });
  // Each request also reports it.
  session.on("error", () => {});
  return { socket, session };
}

/** A client that keeps one connection, and opens another one when it is closed. */
export class Http2Pool {
  readonly #url: string;
  readonly #options: Options;
  #connection: Promise<Http2Connection> | undefined;

  constructor(url: string, options: Options) {
    this.#url = url;
    this.#options = options;
  }

  async send(path: string, request: HttpsRequest): Promise<HttpsResponse> {
    const { session } = await this.#usable();
    return sendOnStream(session, path, request);
  }

  /**
   * Sends a request again that a GOAWAY left out: the server has not processed it (RFC 9113 §8.7), and may have sent the
   * GOAWAY before it could read the request.
   */
  async sendUntilProcessed(path: string, request: HttpsRequest): Promise<HttpsResponse> {
    const { session } = await this.#usable();
    return sendOnStream(session, path, request).catch((error: Error) => {
      if (!error.message.includes("NGHTTP2_REFUSED_STREAM") || !session.closed) throw error;
      return this.sendUntilProcessed(path, request);
    });
  }

  async #usable(): Promise<Http2Connection> {
    const before = await this.#connection?.catch(() => undefined);
    if (before === undefined || before.session.closed || before.session.destroyed)
      this.#connection = openHttp2(this.#url, this.#options);
    return this.#connection as Promise<Http2Connection>;
  }

  /** Closes its connection. */
  close(): void {
    this.#connection?.then(({ session }) => session.destroy()).catch(() => {});
  }
}

/** Sends a request on a new stream. Rejects when the stream ends with an error, whatever arrived before. */
export function sendOnStream(
  session: ClientHttp2Session,
  path: string,
  { method = "GET", headers = {}, body }: HttpsRequest = {},
): Promise<HttpsResponse> {
  return new Promise((resolve, reject) => {
    const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    // A body without a length represents a chunked one.
    const { host, "transfer-encoding": coding, connection: _connection, ...rest } = given;
    const length = body === undefined || coding !== undefined ? {} : { "content-length": Buffer.byteLength(body) };
    const authority = host === undefined ? {} : { ":authority": host };
    const head = { ":method": method, ":path": path, ...authority, ...length, ...rest };
    const stream = session.request(head as OutgoingHttpHeaders, { endStream: body === undefined });
    const answer = readAnswer(stream);
    answer.then(resolve, reject);
    if (body !== undefined) stream.end(body);
  });
}

/** Reads the answer on a stream. Rejects when it ends with an error, or without an answer. */
export function readAnswer(stream: ClientHttp2Stream): Promise<HttpsResponse> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let status = 0;
    let headers: HttpsResponse["headers"] = {};
    stream.on("response", ({ ":status": code = 0, ...rest }) => {
      status = code;
      headers = rest as HttpsResponse["headers"];
    });
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("error", reject);
    stream.on("close", () => {
      const bytes = Buffer.concat(chunks);
      const text = bytes.toString();
      if (status === 0 || stream.rstCode !== 0) reject(new Error(`The stream was closed with code ${stream.rstCode}.`));
      else
        resolve({
          status,
          headers,
          bytes,
          text,
          get json() {
            return JSON.parse(text);
          },
        });
    });
  });
}
