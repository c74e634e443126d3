import { once } from "node:events";
import { connect as connectTcp, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from "node:tls";

/** A client that sends given bytes, and keeps every received byte. */
export class RawClient<S extends Socket = Socket> {
  readonly socket: S;
  /** Everything received so far, byte by byte (latin1). */
  received = "";
  /** The code of the error that ended the connection: `ECONNRESET` for a RST. */
  errorCode: string | undefined;
  /** Resolves when the connection is closed in both directions, for any reason. */
  readonly closed: Promise<void>;

  constructor(socket: S) {
    this.socket = socket;
    socket.on("data", (chunk: Buffer) => {
      this.received += chunk.toString("latin1");
    });
    // Answers an end with an end, once everything was sent.
    socket.on("end", () => socket.end());
    socket.on("error", (error: NodeJS.ErrnoException) => {
      this.errorCode ??= error.code ?? error.message;
    });
    this.closed = new Promise((resolve) => socket.once("close", () => resolve()));
  }

  /** Sends text as latin1, one byte for each character. */
  send(text: string): void {
    this.socket.write(text, "latin1");
  }

  /** Sends, and waits for the end of the connection. */
  async sendAndClose(text: string): Promise<string> {
    this.send(text);
    await this.closed;
    return this.received;
  }

  /** Waits until what was received matches, or contains a text. Rejects when the connection ends before it does. */
  async waitFor(pattern: RegExp | string): Promise<string> {
    const found = () => (typeof pattern === "string" ? this.received.includes(pattern) : pattern.test(this.received));
    while (!found()) {
      const data = new Promise((resolve) => this.socket.once("data", resolve)).then(() => false);
      const ended = await Promise.race([data, this.closed.then(() => true)]);
      if (ended && !found()) {
        throw new Error(`closed (${this.errorCode ?? "cleanly"}) with ${JSON.stringify(this.received)}`);
      }
    }
    return this.received;
  }
}

export interface RawTlsOptions extends ConnectionOptions {
  readonly port: number;
  /** PEM of the CA of the server. */
  readonly ca: string;
}

/**
 * Starts a TLS handshake with verification on. The connection may fail later: check `errorCode`. When the server ends
 * its side, the client's side stays open, as in languages with blocking sockets.
 */
export function startTls(options: RawTlsOptions): RawClient<TLSSocket> {
  const defaults = { host: "127.0.0.1", servername: "localhost", allowHalfOpen: true };
  return new RawClient(connectTls({ ...defaults, ...options }));
}

/**
 * Opens a TLS connection, verification on.
 * @throws the handshake's error
 */
export async function openTls(options: RawTlsOptions): Promise<RawClient<TLSSocket>> {
  const client = startTls(options);
  await once(client.socket, "secureConnect");
  return client;
}

/** Opens a TCP connection. When the server ends its side, the client's side stays open. */
export async function openTcp(port: number, host = "127.0.0.1"): Promise<RawClient> {
  const client = new RawClient(connectTcp({ port, host, allowHalfOpen: true }));
  await once(client.socket, "connect");
  return client;
}

export interface RawResponse {
  readonly status: number;
  /** By lower-case name; the last of repeated ones. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Splits responses with Content-Length, in the order of their arrival. Interim ones (1xx) have no body. */
export function parseResponses(received: string): RawResponse[] {
  const responses: RawResponse[] = [];
  let rest = received;
  while (rest !== "") {
    const end = rest.indexOf("\r\n\r\n");
    const [statusLine = "", ...lines] = rest.slice(0, end).split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    if (end < 0 || Number.isNaN(status)) throw new Error(`not an HTTP response: ${JSON.stringify(rest)}`);
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
    );
    const length = status < 200 ? 0 : Number(headers["content-length"] ?? 0);
    responses.push({ status, headers, body: rest.slice(end + 4, end + 4 + length) });
    rest = rest.slice(end + 4 + length);
  }
  return responses;
}
