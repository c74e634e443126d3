import { once } from "node:events";
import type { TLSSocket } from "node:tls";
import { eventually } from "./eventually.js";
import type { Field } from "./hpack.js";
import { FrameReader, frame, headers, opening, requestFields, type StreamReceived } from "./http2-frames.js";
import { type RawClient, type RawTlsOptions, startTls } from "./raw-client.js";

/** An HTTP/2 client that sends given frames, and reads what it receives. It answers nothing by itself. */
export class Http2Client {
  readonly connection: RawClient<TLSSocket>;
  readonly received = new FrameReader();
  #pings = 0;

  private constructor(connection: RawClient<TLSSocket>) {
    this.connection = connection;
    connection.socket.on("data", (chunk: Buffer) => this.received.add(chunk));
    void connection.closed.then(() => {
      this.isClosed = true;
    });
  }

  /** Whether the connection is closed in both directions. */
  isClosed = false;

  /**
   * Opens a TLS connection that speaks HTTP/2, verification on.
   * @param first what is sent first, instead of the preface and the settings
   * @throws the handshake's error; Error if the server does not choose HTTP/2
   */
  static async open(options: RawTlsOptions, first: Buffer = opening): Promise<Http2Client> {
    const client = new Http2Client(startTls({ ...options, ALPNProtocols: ["h2"] }));
    const { socket } = client.connection;
    await once(socket, "secureConnect");
    if (socket.alpnProtocol !== "h2") throw new Error(`The server chose ${socket.alpnProtocol}.`);
    client.send(first);
    return client;
  }

  send(...bytes: readonly Buffer[]): void {
    if (this.connection.socket.writable) this.connection.socket.write(Buffer.concat(bytes));
  }

  /** Sends a GET without a body. */
  get(stream: number, path: string, fields: readonly Field[] = []): void {
    this.send(headers(stream, requestFields("GET", path, fields)));
  }

  /** Waits until a stream ends: the whole answer has arrived, or a RST_STREAM, or the connection is closed. */
  async over(stream: number): Promise<StreamReceived> {
    const received = this.received.stream(stream);
    await eventually(() => received.ended || received.reset !== undefined || this.isClosed);
    return received;
  }

  /**
   * Waits until the server has processed everything that was sent.
   * @returns whether the connection is still open
   */
  async isAlive(): Promise<boolean> {
    const { goaways, pongs } = this.received;
    const payload = `ping${String(this.#pings++).padStart(4, "0")}`;
    this.send(frame("PING", 0, 0, payload));
    const isOver = () => this.isClosed || goaways.length > 0;
    await eventually(() => pongs.has(payload) || isOver());
    return !isOver();
  }

  destroy(): void {
    this.connection.socket.destroy();
  }
}
