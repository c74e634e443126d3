import { once } from "node:events";
import { connect as connectTcp, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from "node:tls";

/** How a connection ended, as seen by the TCP socket: a RST, a FIN, or the client's own end. */
export type TcpEnd = "RST" | "FIN" | "cancelled" | string;

/** Bytes of the answer, and the time of their arrival: milliseconds after the request was sent. */
export interface Arrival {
  readonly at: number;
  readonly bytes: number;
}

/**
 * A TLS client over its own TCP socket. TLS libraries report a RST in different ways, or not at all. Here TLS runs over
 * a stream between the two, so that the socket reports what it saw.
 */
export class WireClient {
  readonly #tcp: Socket;
  readonly #tls: TLSSocket;
  readonly #arrivals: Arrival[] = [];
  readonly #chunks: Buffer[] = [];
  #sentAt = 0;
  #closeNotify = false;
  #end: TcpEnd | undefined;
  #endedAt = 0;
  readonly #ended: Promise<void>;

  private constructor(tcp: Socket, options: ConnectionOptions) {
    this.#tcp = tcp;
    const bridge = new Duplex({
      read() {},
      write: (chunk: Buffer, _encoding, done) => tcp.write(chunk, () => done()),
      final: (done) => {
        tcp.end();
        done();
      },
    });
    this.#ended = new Promise((resolve) => {
      const ended = (how: TcpEnd) => {
        this.#end ??= how;
        this.#endedAt ||= performance.now() - this.#sentAt;
        bridge.push(null);
        resolve();
      };
      tcp.on("data", (chunk) => bridge.push(chunk));
      tcp.on("end", () => ended("FIN"));
      tcp.on("error", (error: NodeJS.ErrnoException) => ended(error.code === "ECONNRESET" ? "RST" : `${error.code}`));
      tcp.on("close", () => ended("cancelled"));
    });
    this.#tls = connectTls({ servername: "localhost", ...options, socket: bridge });
    this.#tls.on("data", (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#arrivals.push({ at: performance.now() - this.#sentAt, bytes: chunk.length });
    });
    this.#tls.on("end", () => {
      this.#closeNotify = this.#end === undefined;
    });
    // A stream that ends without a close_notify is an error for TLS; the TCP socket has already reported it.
    this.#tls.on("error", () => {});
  }

  /** Connects, and shakes hands with verification on. */
  static async open(options: ConnectionOptions & { readonly port: number; readonly ca: string }): Promise<WireClient> {
    const tcp = connectTcp({ port: options.port, host: "127.0.0.1", noDelay: true });
    await once(tcp, "connect");
    const client = new WireClient(tcp, options);
    await once(client.#tls, "secureConnect");
    return client;
  }

  /** Sends text; times start here. */
  send(text: string): void {
    this.#sentAt = performance.now();
    this.#tls.write(text);
  }

  /** Resolves with how the connection ended, when it has. */
  async end(): Promise<TcpEnd> {
    await this.#ended;
    // TLS may still be processing bytes that were received before the end.
    await new Promise((resolve) => setImmediate(resolve));
    return this.#end as TcpEnd;
  }

  /** Resolves when this many bytes have arrived; rejects when the connection ends before. */
  async bytes(count: number): Promise<void> {
    while (this.received.length < count) {
      const before = await Promise.race([once(this.#tls, "data").then(() => true), this.#ended.then(() => false)]);
      if (!before && this.received.length < count) throw new Error(`ended after ${this.received.length} bytes`);
    }
  }

  /** Resolves when the whole answer has arrived, according to its Content-Length. */
  async answer(): Promise<{ readonly head: string; readonly body: string }> {
    for (let needed = 1; ; ) {
      await this.bytes(needed);
      const { head, body, announced } = this;
      if (head !== undefined && body.length >= announced) return { head, body };
      needed = this.received.length + 1;
    }
  }

  /** Closes the connection at once, like a client that cancels. */
  giveUp(): void {
    this.#tcp.destroy();
  }

  /** The decrypted bytes so far, byte by byte (latin1). */
  get received(): string {
    return Buffer.concat(this.#chunks).toString("latin1");
  }

  /** Status line and headers, once they have arrived. */
  get head(): string | undefined {
    const end = this.received.indexOf("\r\n\r\n");
    return end < 0 ? undefined : this.received.slice(0, end);
  }

  /** The received part of the body. */
  get body(): string {
    return this.head === undefined ? "" : this.received.slice(this.head.length + 4);
  }

  /** The length that the answer announces. */
  get announced(): number {
    return Number(/\r\ncontent-length: (\d+)/i.exec(this.head ?? "")?.[1] ?? Number.NaN);
  }

  get arrivals(): readonly Arrival[] {
    return this.#arrivals;
  }

  /** Whether TLS was closed properly before TCP. */
  get closeNotify(): boolean {
    return this.#closeNotify;
  }

  /** When the connection ended, in milliseconds after the request. */
  get endedAt(): number {
    return this.#endedAt;
  }
}
