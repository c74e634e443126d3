import type { Downward, Upward } from "./messages.js";
import type { Attempt, Pool } from "./pool.js";
import type { Machine } from "./world.js";

/** The client's end of one connection. */
export class ClientConnection {
  readonly #open = new Map<number, Attempt>();
  readonly #inbox: Downward[] = [];
  #state: "opening" | "open" | "ending" | "closed" = "opening";
  #nextStream: number;
  #used = 0;
  /** Sends to the sandbox. Set when both ends exist. */
  up: (message: Upward) => void = () => {};

  constructor(
    private readonly machine: Machine,
    private readonly version: 1 | 2,
    readonly thumbprint: string,
    private readonly keepAlive: boolean,
    private readonly pool: Pool,
  ) {
    this.#nextStream = version === 2 ? 1 : 0;
  }

  get isOpen(): boolean {
    return this.#state === "open";
  }

  /** Whether it can take further requests, now or when it is open. */
  get takesMore(): boolean {
    return this.#state === "opening" || this.#state === "open";
  }

  send(attempt: Attempt): void {
    if (attempt.reply.isGiven) {
      if (this.version === 1) this.pool.free(this);
      return;
    }
    const stream = this.#nextStream;
    if (this.version === 2) this.#nextStream += 2;
    this.#used += 1;
    this.#open.set(stream, attempt);
    attempt.connection = this;
    attempt.stream = stream;
    attempt.onSent();
    const closes = this.version === 1 && !this.keepAlive;
    this.up({ kind: "request", request: attempt.request, stream, closes });
  }

  /** The client no longer waits for an answer: over HTTP/1.1 that ends the connection. */
  giveUp(attempt: Attempt): void {
    if (this.#open.get(attempt.stream) !== attempt) return;
    this.#open.delete(attempt.stream);
    if (this.version === 1) this.close();
    else if (this.#state !== "closed") {
      this.up({ kind: "reset", stream: attempt.stream });
      this.#endIfIdle();
    }
  }

  /** A message has reached the machine. The process reads it when it runs. */
  receive(message: Downward): void {
    this.#inbox.push(message);
    this.machine.soon(() => this.#read(), 0.01, 0.3);
  }

  #read(): void {
    const message = this.#inbox.shift();
    if (message === undefined || this.#state === "closed") return;
    if (message.kind === "hello") this.#judgeServer(message.defect !== undefined);
    else if (message.kind === "answer") this.#answered(message);
    else if (message.kind === "close") this.#lost();
    else if (message.kind === "reset") {
      this.#fail(message.stream, message.isUnprocessed ? "unprocessed" : "closed");
      this.#endIfIdle();
    } else {
      this.#stopTaking();
      for (const stream of [...this.#open.keys()]) if (stream > message.last) this.#fail(stream, "unprocessed");
      this.#endIfIdle();
    }
  }

  #judgeServer(isDefective: boolean): void {
    if (isDefective) {
      this.#state = "closed";
      this.up({ kind: "close", alert: "unknown_ca" });
      this.pool.gone(this, "certificate");
    } else {
      this.#state = "open";
      this.pool.free(this);
    }
  }

  #answered({ stream, answer, isLast }: Downward & { kind: "answer" }): void {
    const attempt = this.#open.get(stream);
    this.#open.delete(stream);
    if (this.version === 1) {
      if (isLast || !this.keepAlive) this.close();
      else if (attempt !== undefined) this.pool.free(this);
    }
    attempt?.reply.give({ kind: "answer", answer: { ...answer, thumbprint: this.thumbprint } });
    this.#endIfIdle();
  }

  /** The sandbox has closed the connection. */
  #lost(): void {
    this.#state = "closed";
    this.pool.gone(this);
    for (const stream of [...this.#open.keys()]) this.#fail(stream, "closed");
  }

  #fail(stream: number, why: "closed" | "unprocessed"): void {
    const attempt = this.#open.get(stream);
    this.#open.delete(stream);
    attempt?.fail(why, why === "closed" && this.version === 1 && this.#used > 1);
  }

  #stopTaking(): void {
    if (this.#state !== "open") return;
    this.#state = "ending";
    this.pool.gone(this);
  }

  /** Takes no further request, and closes after the answers that it waits for. */
  closeWhenIdle(): void {
    if (this.#state === "opening") this.close();
    this.#stopTaking();
    this.#endIfIdle();
  }

  #endIfIdle(): void {
    if (this.#state === "ending" && this.#open.size === 0) this.close();
  }

  close(): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.up({ kind: "close" });
    this.pool.gone(this);
    for (const stream of [...this.#open.keys()]) this.#fail(stream, "closed");
  }
}
