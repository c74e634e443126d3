import type { ClientConnection } from "./client-connection.js";
import type { ReadAnswer, SentRequest } from "./messages.js";
import { Signal } from "./world.js";

/** What becomes of an attempt, as its client sees it. */
export type Reply =
  | { readonly kind: "answer"; readonly answer: ReadAnswer }
  | {
      readonly kind: "failed";
      readonly why: "closed" | "unprocessed" | "timeout" | "certificate";
      /** Whether no byte came, on a connection that had carried another request. */
      readonly mayResend: boolean;
    };

/** One sending of a request. */
export class Attempt {
  readonly reply = new Signal<Reply>();
  connection: ClientConnection | undefined;
  stream = 0;
  /** Called when it is sent. */
  onSent: () => void = () => {};

  constructor(
    readonly worker: number,
    readonly request: SentRequest,
  ) {}

  fail(why: (Reply & { kind: "failed" })["why"], mayResend = false): void {
    this.reply.give({ kind: "failed", why, mayResend });
  }
}

/** How a pool makes its connections. */
export interface Connector {
  /** Opens a connection, with the certificate of the pool. */
  open(pool: Pool): ClientConnection;
  /** Sends what waited for a connection that is gone. */
  send(attempt: Attempt): void;
}

interface PoolTraits {
  readonly connections: number;
  readonly races: boolean;
  readonly takesNewest: boolean;
}

/** The connections of a client with one certificate: each carries one request at a time, or over HTTP/2 any number. */
export class Pool {
  readonly #all = new Set<ClientConnection>();
  readonly #idle: ClientConnection[] = [];
  #queue: Attempt[] = [];
  /** Connections that are being opened, and the attempts that wait for theirs. */
  readonly #opening = new Map<ClientConnection, Attempt | undefined>();
  /** Whether another pool has taken its place. */
  #isRetired = false;

  constructor(
    private readonly connector: Connector,
    readonly thumbprint: string,
    private readonly version: 1 | 2,
    private readonly traits: PoolTraits,
  ) {}

  /** Whether the next request opens a connection. */
  get opensNext(): boolean {
    if (this.version === 2) return ![...this.#all].some(({ takesMore }) => takesMore);
    return this.#idle.length === 0 && this.#all.size < this.traits.connections;
  }

  send(attempt: Attempt): void {
    if (attempt.reply.isGiven) return;
    if (this.version === 2) {
      this.#sendStream(attempt);
      return;
    }
    const idle = this.traits.takesNewest ? this.#idle.pop() : this.#idle.shift();
    if (idle !== undefined) idle.send(attempt);
    else {
      if (this.#all.size < this.traits.connections && !this.traits.races) this.#open(attempt);
      else {
        this.#queue.push(attempt);
        if (this.#all.size < this.traits.connections) this.#open(undefined);
      }
    }
  }

  #sendStream(attempt: Attempt): void {
    const [current] = [...this.#all].filter(({ takesMore }) => takesMore);
    if (current?.isOpen === true) current.send(attempt);
    else {
      this.#queue.push(attempt);
      if (current === undefined) this.#open(undefined);
    }
  }

  #open(attempt: Attempt | undefined): void {
    const connection = this.connector.open(this);
    this.#all.add(connection);
    this.#opening.set(connection, attempt);
  }

  /** A connection is open, or free again. */
  free(connection: ClientConnection): void {
    const own = this.#opening.get(connection);
    this.#opening.delete(connection);
    if (this.version === 2) {
      const waiting = this.#queue;
      this.#queue = [];
      for (const attempt of waiting) this.send(attempt);
      return;
    }
    const next = own !== undefined && !own.reply.isGiven ? own : this.#next();
    if (next !== undefined) connection.send(next);
    else if (this.#isRetired) connection.close();
    else this.#idle.push(connection);
  }

  #next(): Attempt | undefined {
    this.#queue = this.#queue.filter(({ reply }) => !reply.isGiven);
    return this.#queue.shift();
  }

  /** A connection takes no further request. Those that wait get another one. */
  gone(connection: ClientConnection, why: "closed" | "certificate" = "closed"): void {
    this.#all.delete(connection);
    const own = this.#opening.get(connection);
    const wasOpening = this.#opening.delete(connection);
    const place = this.#idle.indexOf(connection);
    if (place >= 0) this.#idle.splice(place, 1);
    own?.fail(why);
    if (wasOpening && own === undefined) this.#next()?.fail(why);
    const waiting = this.#queue;
    this.#queue = [];
    for (const attempt of waiting) this.connector.send(attempt);
  }

  /** A new certificate has come: idle connections are closed, the others after their answers. */
  retire(): readonly Attempt[] {
    this.#isRetired = true;
    const waiting = this.#queue;
    this.#queue = [];
    for (const connection of [...this.#idle]) connection.close();
    if (this.version === 2) for (const connection of [...this.#all]) connection.closeWhenIdle();
    return waiting;
  }

  /** The program ends. */
  close(): void {
    for (const connection of [...this.#all]) connection.close();
  }
}
