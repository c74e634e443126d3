import type { Socket } from "node:net";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { monotonicNow } from "../clock.js";
import { afterRead } from "../connection/after-read.js";
import type { Http2ErrorCode } from "../connection/http2-error.js";
import { closeWithin } from "../connection/linger.js";
import type { ApplicationWire } from "../connection/wire.js";
import type { WireAnswer } from "../connection/wire-answer.js";
import type { OpenConnection } from "./connection.js";
import type { Outgoing } from "./outgoing.js";

/** How faults send and break answers: what is the same for each version of HTTP. */
export abstract class OutgoingWire<Answer extends Outgoing> implements ApplicationWire {
  abstract readonly http: 1 | 2;
  readonly alreadySent = RESPONSE_ALREADY_SENT;
  isOver = false;
  /** Whether the head was given to Node, and whether Node has written it. */
  #head: "none" | "given" | "written" = "none";
  /** Whether bytes were written that are not Node's, and all of them were passed to the network. */
  #raw: "none" | "sent" | "lost" = "none";

  constructor(
    protected readonly outgoing: Answer,
    protected readonly connection: OpenConnection,
    /** How long a client may go on sending after the end of the connection, in milliseconds. */
    protected readonly drainTimeoutMs: number,
  ) {}

  get isGone(): boolean {
    return this.outgoing.isGone;
  }

  writeHead({ status, headers, length: whole, chunked }: WireAnswer): void {
    const length = chunked ? undefined : whole;
    const lengthless = Object.entries(headers).filter(([name]) => name.toLowerCase() !== "content-length");
    const own = length === undefined ? Object.fromEntries(lengthless) : headers;
    this.outgoing.writeHead(status, length === undefined ? { ...own } : { ...own, "Content-Length": length });
    this.#head = "given";
    this.#headLeaves();
    this.outgoing.partsSent = 0;
  }

  write(part: Uint8Array): Promise<void> {
    // Node reports a write after the end as an error of the answer, and an answer without a body may have ended.
    if (this.isGone || part.length === 0) return Promise.resolve();
    this.#head = "written";
    const { outgoing } = this;
    return new Promise((resolve) =>
      outgoing.write(Buffer.from(part), (error?: Error | null) => {
        if (!error) outgoing.partsSent = (outgoing.partsSent ?? 0) + part.length;
        resolve();
      }),
    );
  }

  end(): void {
    this.isOver = true;
    if (this.#raw !== "none") this.endRaw(this.#raw === "sent");
    else if (!this.isGone) this.outgoing.end();
  }

  async writeRaw(bytes: Uint8Array): Promise<void> {
    this.#withhold();
    this.connection.acceptNoMore();
    await this.beforeRaw();
    this.#headLeaves();
    const isSent = await sentOn(this.connection.tlsSocket, bytes);
    if (this.#raw !== "lost") this.#raw = isSent ? "sent" : "lost";
  }

  clientGone(longest: number): Promise<boolean> {
    if (this.#head === "none") this.#withhold();
    this.#flushHead();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.outgoing.off("close", done);
        resolve(this.outgoing.isGone);
      };
      const timer = setTimeout(done, Math.max(0, longest));
      this.outgoing.once("close", done);
      if (this.outgoing.isGone) done();
    });
  }

  async goSilent(longest: number): Promise<void> {
    this.#withhold();
    this.connection.acceptNoMore();
    await new Promise<void>(afterRead);
    this.silence();
    await this.clientGone(longest);
  }

  reset(): void {
    this.#break(() => whenRead(() => this.resetNow()));
  }

  close(): void {
    this.#break(() => this.closeNow());
  }

  abstract closeAfterAnswer(): void;

  abstract lastAnswer(answer: WireAnswer): { readonly head: Buffer; readonly body: Buffer };

  abstract resetStream(code?: Http2ErrorCode): void;

  abstract goAway(code: Http2ErrorCode, lastStream: "this" | "before"): void;

  /** Makes the socket ready for bytes that are not Node's. Resolves outside of a read. */
  protected abstract beforeRaw(): Promise<void>;

  /**
   * Ends an answer that was not written by Node.
   * @param isSent whether all of it was passed to the network
   */
  protected abstract endRaw(isSent: boolean): void;

  /** Nothing leaves any more, and what arrives is read and discarded. Called outside of a read. */
  protected abstract silence(): void;

  protected abstract resetNow(): void;

  protected abstract closeNow(): void;

  /** Nothing else answers any more. The answer counts as broken on purpose even if the client is faster than the end. */
  protected broken(): void {
    this.isOver = true;
    this.outgoing.state = "broken";
    this.#flushHead();
  }

  /** Whether the head of the answer was given to Node. */
  protected get hasHead(): boolean {
    return this.#head !== "none";
  }

  /** Breaks the connection, never during a read: the parser would go on without the connection's state. */
  #break(action: () => void): void {
    this.broken();
    this.connection.acceptNoMore();
    afterRead(action);
  }

  #headLeaves(): void {
    this.outgoing.begunAt ??= monotonicNow();
  }

  #withhold(): void {
    if (this.outgoing.state === "open") this.outgoing.state = "withheld";
  }

  #flushHead(): void {
    if (this.#head === "given") this.outgoing.flushHeaders();
    if (this.#head !== "none") this.#head = "written";
  }
}

/**
 * Writes to a socket.
 * @returns whether the bytes were passed to the network
 */
function sentOn(socket: Socket, bytes: Uint8Array): Promise<boolean> {
  return new Promise((resolve) => {
    if (socket.writable) socket.write(bytes, (error) => resolve(!error));
    else resolve(false);
  });
}

/** Calls back when a client has had time to read what was sent, and no read is under way. */
export function whenRead(action: () => void): void {
  setTimeout(() => afterRead(action), readingPauseMs);
}

/** Sends a RST. While a FIN is on its way, the system refuses that, and Node would lose the descriptor. */
export function resetConnection(connection: OpenConnection, timeoutMs: number): void {
  const { tlsSocket, rawSocket } = connection;
  if (rawSocket.destroyed) return;
  const reset = () => connection.reset();
  if (tlsSocket.writableEnded && !tlsSocket.writableFinished) {
    tlsSocket.once("finish", () => afterRead(reset));
    closeWithin(rawSocket, timeoutMs);
  } else reset();
}

/**
 * How long a client has to read what was sent before a RST, in milliseconds. After a RST the kernels drop what they
 * have not sent or delivered. A client that gets data and RST at once (libuv) treats the RST as a FIN.
 */
const readingPauseMs = 50;
