import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls, createSecureContext, type SecureContext, type TLSSocket } from "node:tls";
import { AnswerReader, type Answers, StreamAnswers } from "./answers.js";
import type { Identity, Input, Move } from "./input.js";
import { type Outcome, patience } from "./judge.js";

export interface Ports {
  readonly api: number;
  readonly admin: number;
}

/** The files of an identity, PEM. */
export interface IdentityFiles {
  readonly cert: string;
  readonly key: string;
}

/**
 * Connects to one server with its identities. Certificates are read once, because reading them costs as much as a
 * handshake.
 */
export class Client {
  readonly #ports: Ports;
  readonly #contexts = new Map<string, SecureContext>();
  readonly #ca: string;
  readonly #files: ReadonlyMap<Identity, IdentityFiles>;

  constructor(ports: Ports, ca: string, files: ReadonlyMap<Identity, IdentityFiles>) {
    this.#ports = ports;
    this.#ca = ca;
    this.#files = files;
  }

  /** Does what an input says, on its own connection. Never rejects. */
  converse(input: Input): Promise<Outcome> {
    return new Conversation(input, this.#open(input)).outcome;
  }

  #open(input: Input): { raw: Socket; tls: TLSSocket | undefined } {
    const port = input.to === "admin" ? this.#ports.admin : this.#ports.api;
    const raw = connectTcp({ port, host: "127.0.0.1", noDelay: true });
    if (input.to !== "tls") return { raw, tls: undefined };
    const tls = connectTls({
      socket: raw,
      servername: input.serverName ?? "localhost",
      ...(input.streams && { ALPNProtocols: ["h2"] }),
      secureContext: this.#contextFor(input.identity ?? "demo", input.tls12 ?? false),
    });
    return { raw, tls };
  }

  #contextFor(identity: Identity, tls12: boolean): SecureContext {
    const name = `${identity} ${tls12}`;
    const known = this.#contexts.get(name);
    if (known !== undefined) return known;
    const context = createSecureContext({
      ca: this.#ca,
      ...this.#files.get(identity),
      ...(tls12 ? { maxVersion: "TLSv1.2" } : { minVersion: "TLSv1.3" }),
    });
    this.#contexts.set(name, context);
    return context;
  }
}

/** One input on its connection. */
class Conversation {
  readonly outcome: Promise<Outcome>;
  readonly #input: Input;
  readonly #raw: Socket;
  readonly #socket: Socket;
  readonly #reader: Answers;
  #resolve: (outcome: Outcome) => void = () => {};
  #opened = false;
  #acted = false;
  #leaving = false;
  #over = false;
  #error: string | undefined;
  /** How many answers its moves have waited for. */
  #awaited = 0;
  /** Called when something has come, or the connection is over. */
  #came = () => {};
  #timer: NodeJS.Timeout;

  constructor(input: Input, { raw, tls }: { raw: Socket; tls: TLSSocket | undefined }) {
    this.#input = input;
    this.#raw = raw;
    this.#socket = tls ?? raw;
    this.#reader = input.streams ? new StreamAnswers(input.streams) : new AnswerReader(input.bodiless);
    this.outcome = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#timer = setTimeout(() => this.#finish("late"), patience);
    raw.once("connect", () => {
      this.#opened = true;
    });
    const fail = (error: NodeJS.ErrnoException) => {
      this.#error ??= error.code ?? error.message;
    };
    raw.on("error", fail);
    tls?.on("error", fail);
    raw.once("close", () => this.#finish(this.#opened ? "closed" : "refused"));
    this.#socket.on("data", (chunk: Buffer) => {
      this.#reader.add(chunk);
      // Node 20 crashes if a connection is broken during a read of its TLS socket.
      setImmediate(() => this.#look());
    });
    this.#socket.once(tls ? "secureConnect" : "connect", () => void this.#act());
  }

  async #act(): Promise<void> {
    await pause(0);
    for (const move of this.#input.moves) {
      if (this.#over) return;
      if (move.do === "pause") await pause(move.milliseconds);
      else if (move.do === "answer") await this.#answer();
      else this.#move(move);
    }
    this.#acted = true;
    this.#look();
  }

  async #answer(): Promise<void> {
    this.#awaited += 1;
    while (!this.#over && this.#reader.answered < this.#awaited) await new Promise<void>((then) => (this.#came = then));
  }

  #move(move: Exclude<Move, { do: "pause" | "answer" }>): void {
    switch (move.do) {
      case "send":
        if (this.#socket.writable) this.#socket.write(move.bytes);
        break;
      case "raw":
        if (this.#raw.writable) this.#raw.write(move.bytes);
        break;
      case "deaf":
        this.#socket.pause();
        break;
      case "end":
        this.#socket.end();
        break;
      case "fin":
        this.#raw.end();
        break;
      default:
        this.#reset();
    }
  }

  /**
   * A RST leaves no port in TIME_WAIT; a long run would run out of ports otherwise. If a FIN has already been sent,
   * Node 20 fails to reset the connection and leaks its descriptor.
   */
  #reset(): void {
    if (this.#raw.destroyed) return;
    if (this.#raw.writableEnded || this.#socket.writableEnded) this.#raw.destroy();
    else this.#raw.resetAndDestroy();
  }

  /** Disconnects when nothing more is owed. */
  #look(): void {
    this.#came();
    const { owed, closes, linger } = this.#input;
    if (!this.#acted || this.#leaving || this.#over || closes || this.#reader.answered < owed) return;
    this.#leaving = true;
    clearTimeout(this.#timer);
    if (linger === 0) this.#finish("left");
    else this.#timer = setTimeout(() => this.#finish("left"), linger);
  }

  #finish(end: Outcome["end"]): void {
    if (this.#over) return;
    this.#over = true;
    if (end === "closed") this.#reader.end?.();
    this.#came();
    clearTimeout(this.#timer);
    this.#reset();
    this.#socket.destroy();
    const { answers, answered, broken } = this.#reader;
    this.#resolve({ answers, answered, broken, end, error: this.#error });
  }
}

/** At least one turn of the event loop. */
function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    if (milliseconds === 0) setImmediate(resolve);
    else setTimeout(resolve, milliseconds);
  });
}
