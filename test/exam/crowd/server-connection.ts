import type { ServerDefect } from "../../../src/sandbox/connection/server-defect.js";
import type { Downward, SentRequest, Upward } from "./messages.js";
import { observe } from "./observe.js";
import { type OpenExchange, openExchange, type SandboxProcess } from "./open-exchange.js";
import type { Plan } from "./sandbox.js";

/** How long a client may read what was sent before a connection is reset, in milliseconds. */
const readingPause = 50;

/** The longest hang, in milliseconds. */
const longestHang = 60_000;

/** The sandbox's end of one connection, with the times that the sandbox itself would note. */
export class ServerConnection {
  readonly #inbox: Upward[] = [];
  readonly #open = new Map<number, OpenExchange>();
  /** Requests of HTTP/1.1 that came before the answer before them was over. */
  readonly #waiting: OpenExchange[] = [];
  #id = 0;
  #begunAt = 0;
  #count = 0;
  #defect: ServerDefect | undefined;
  #state: "accepting" | "draining" | "ending" | "closed" = "accepting";
  /** Whether a GOAWAY follows an answer. */
  #endsAfterAnswer = false;
  #newestStream = 0;
  #newestOver = 0;
  #goawayLast: number | undefined;
  #isClosedByClient = false;

  constructor(
    private readonly process: SandboxProcess,
    private readonly version: 1 | 2,
    private readonly protocol: string,
    private readonly thumbprint: string,
    private readonly answer: (message: Downward) => void,
  ) {}

  /** A message has reached the machine. The process reads it when it runs. */
  receive(message: Upward): void {
    this.#inbox.push(message);
    this.process.machine.soon(() => this.#read(), 0.01, 0.3);
  }

  get #now(): number {
    return this.process.machine.world.now;
  }

  #read(): void {
    const message = this.#inbox.shift();
    if (message === undefined) return;
    if (message.kind === "connect") this.#accept();
    else if (message.kind === "request") this.#take(message.request, message.stream, message.closes);
    else if (message.kind === "reset") this.#givenUp(message.stream);
    else this.#closedByClient(message.alert);
  }

  #accept(): void {
    const { newest, service, machine } = this.process;
    newest.connection += 1;
    this.#id = newest.connection;
    this.#begunAt = this.#now;
    const defective = service.weather.serverDefect;
    const place = defective === undefined ? -1 : this.#id - defective.from;
    if (defective !== undefined && place >= 0 && place < defective.count) this.#defect = defective.defect;
    machine.soon(() => this.answer({ kind: "hello", defect: this.#defect }), 0.3, 3);
  }

  #closedByClient(alert: string | undefined): void {
    if (this.#isClosedByClient) return;
    this.#isClosedByClient = true;
    if (this.#count === 0) this.#noteHandshake(alert);
    for (const each of [...this.#open.values()]) this.#givenUp(each.stream);
    this.#waiting.length = 0;
    this.#state = "closed";
  }

  #noteHandshake(alert: string | undefined): void {
    const { newest, observed } = this.process;
    newest.handshake += 1;
    const handshake = {
      id: newest.handshake,
      client: alert === undefined ? "demo" : "",
      cause: alert === undefined ? "no-request" : "client-refused-our-certificate",
      alert,
      endedByServer: false,
      protocol: this.protocol,
      serverDefect: this.#defect,
    };
    observed.push({ handshake });
  }

  #take(request: SentRequest, stream: number, closes: boolean): void {
    if (this.#state === "draining" && this.version === 2) this.answer({ kind: "reset", stream, isUnprocessed: true });
    // Over HTTP/2, a request that is given up in the read that brings it is not processed.
    const isGone = this.#inbox.some((each) => each.kind === "reset" && each.stream === stream);
    if (this.#state !== "accepting" || (isGone && this.version === 2)) return;
    const open = openExchange(request, stream, closes, this.#now);
    if (this.version === 1 && this.#open.size > 0) this.#waiting.push(open);
    else this.#begin(open);
  }

  #begin(open: OpenExchange): void {
    const { service, machine, random } = this.process;
    this.#count += 1;
    open.ordinal = this.#count;
    this.#open.set(open.stream, open);
    this.#newestStream = Math.max(this.#newestStream, open.stream);
    const plan = service.plan(open.request, this.thumbprint);
    open.plan = plan;
    if (plan.wire !== undefined && plan.wire !== "truncate") this.#breakAtOnce(open, plan.wire);
    else if (plan.delay > 0) machine.at(this.#now + plan.delay, () => this.#give(open, plan));
    // An answer to a token request has to be signed. Over HTTP/2, all that was read is answered after the read.
    else if (open.request.operation === "token") machine.soon(() => this.#give(open, plan), 0.5, 4);
    else if (this.version === 2 || random.chance(0.2)) machine.soon(() => this.#give(open, plan), 0.05, 2);
    else this.#give(open, plan);
  }

  #give(open: OpenExchange, plan: Plan): void {
    if (open.isAnswered) return;
    this.#record(open);
    if (open.end !== undefined) {
      this.#over(open);
      return;
    }
    if (plan.wire === "truncate") {
      this.#breakLater(open, () => this.#resetStream(open, false));
      return;
    }
    const { machine, random } = this.process;
    const releasedAt = this.#now;
    open.isReleased = true;
    if (plan.isLast) {
      if (this.version === 2) open.http2Fault = "goaway";
      if (this.version === 2) this.#endsAfterAnswer = true;
      else this.#state = "draining";
    }
    this.answer({
      kind: "answer",
      stream: open.stream,
      answer: plan.answer,
      isLast: plan.isLast && this.version === 1,
    });
    // A reset that came before the answer is written makes the write fail.
    const isLost = this.#inbox.some(({ kind }) => kind === "close") && random.chance(0.1);
    machine.soon(() => this.#end(open, { releasedAt, delivered: !isLost, isBroken: false }), 0.01, 0.4);
  }

  #breakAtOnce(open: OpenExchange, wire: NonNullable<Plan["wire"]>): void {
    const { machine } = this.process;
    this.#record(open, false);
    if (wire === "hang") machine.at(this.#now + longestHang, () => this.#breakAll(open));
    else if (wire === "close" && this.version === 1) machine.soon(() => this.#breakAll(open), 0.01, 0.1);
    else if (wire === "close" || wire === "reset") this.#breakLater(open, () => this.#breakAll(open));
    else if (this.version === 1) {
      if (wire === "stream-reset") this.#breakLater(open, () => this.#breakAll(open));
      else machine.soon(() => this.#breakAll(open), 0.01, 0.1);
    } else if (wire === "goaway-before") machine.soon(() => this.#goAwayBefore(open), 0.01, 0.1);
    else {
      if (wire === "refused") open.http2Fault = "refused";
      machine.soon(() => this.#resetStream(open, wire === "refused"), 0.01, 0.1);
    }
  }

  /** The client gets time to read what was sent. Meanwhile the connection takes no request. */
  #breakLater(open: OpenExchange, action: () => void): void {
    if (this.version === 1 || open.plan?.wire !== "truncate") this.#state = "ending";
    this.process.machine.at(this.#now + readingPause, action);
  }

  #resetStream(open: OpenExchange, isUnprocessed: boolean): void {
    if (open.end !== undefined) return;
    if (this.version === 1) {
      this.#breakAll(open);
      return;
    }
    this.answer({ kind: "reset", stream: open.stream, isUnprocessed });
    this.#end(open, { releasedAt: this.#now, delivered: false, isBroken: true });
  }

  #breakAll(open: OpenExchange): void {
    if (open.end !== undefined || this.#state === "closed") return;
    if (this.version === 2 && open.plan?.wire === "hang") {
      this.#resetStream(open, false);
      return;
    }
    this.#state = "closed";
    this.answer({ kind: "close" });
    for (const each of [...this.#open.values()])
      if (!each.isReleased) this.#end(each, { releasedAt: this.#now, delivered: false, isBroken: true });
  }

  /** RFC 9113 §6.8: this request and later ones are not processed. */
  #goAwayBefore(open: OpenExchange): void {
    if (open.end !== undefined || this.#state === "closed") return;
    const all = [...this.#open.values()];
    const released = all.filter(({ isReleased }) => isReleased).map(({ stream }) => stream);
    const last = Math.max(this.#newestOver, open.stream - 2, ...released);
    const isNamed = this.#state === "accepting" && last > 0;
    const unprocessed = all.filter((each) => each.stream >= open.stream && !each.isReleased);
    if (isNamed) this.answer({ kind: "goaway", last });
    this.#state = "draining";
    if (isNamed) this.#goawayLast ??= last;
    for (const each of unprocessed) {
      each.http2Fault = "goaway-before";
      if (!isNamed || each.stream <= last) this.answer({ kind: "reset", stream: each.stream, isUnprocessed: true });
      this.#end(each, { releasedAt: this.#now, delivered: false, isBroken: true });
    }
  }

  /** The client has closed the connection or reset the stream, before the answer was released. */
  #givenUp(stream: number): void {
    const open = this.#open.get(stream);
    if (open === undefined || open.isReleased || open.end !== undefined) return;
    this.#end(open, { releasedAt: 0, delivered: false, isBroken: false });
    // The wait of a fault ends with its client, and the answer is made for nobody.
    if (open.plan !== undefined && open.plan.delay > 0) this.#give(open, open.plan);
  }

  #record(open: OpenExchange, isAnswered = true): void {
    const { newest } = this.process;
    newest.exchange += 1;
    open.id = newest.exchange;
    open.isAnswered = isAnswered;
  }

  #end(open: OpenExchange, end: NonNullable<OpenExchange["end"]>): void {
    if (open.end !== undefined) return;
    open.end = end;
    this.#open.delete(open.stream);
    this.#newestOver = Math.max(this.#newestOver, open.stream);
    if (open.id > 0) this.#over(open);
    this.#goOn(open);
  }

  /** What follows an answer on its connection. */
  #goOn({ plan, stream }: OpenExchange): void {
    if (this.version === 2) {
      if (plan?.isLast === true && this.#state === "accepting") {
        this.answer({ kind: "goaway", last: this.#newestStream });
        this.#goawayLast ??= this.#newestStream;
        this.#state = "draining";
      }
      if (this.#state === "draining" && this.#open.size === 0) {
        this.#state = "closed";
        this.answer({ kind: "close" });
      }
      return;
    }
    if (this.#state === "draining" && stream === 0) {
      this.#state = "closed";
      this.answer({ kind: "close" });
    }
    const next = this.#state === "accepting" ? this.#waiting.shift() : undefined;
    if (next !== undefined) this.#begin(next);
  }

  get #staysOpen(): boolean {
    return this.#state === "accepting" && !this.#endsAfterAnswer;
  }

  #over(open: OpenExchange): void {
    const { request, plan, end } = open;
    if (plan === undefined || end === undefined) return;
    const isAbove = this.#goawayLast !== undefined && open.stream > this.#goawayLast && !end.delivered;
    const exchange = observe(request, plan, {
      id: open.id,
      connection: this.#id,
      begunAt: this.#begunAt,
      stream: open.stream,
      ordinal: open.ordinal,
      protocol: this.protocol,
      thumbprint: this.thumbprint,
      serverDefect: this.#defect,
      replaces: this.process.service.replaces(this.thumbprint),
      arrivedAt: open.arrivedAt,
      releasedAt: end.releasedAt,
      overAt: this.#now,
      delivered: end.delivered,
      keptOpen: this.version === 1 ? open.closes || !plan.isLast : this.#staysOpen,
      isBroken: end.isBroken,
      isAnswered: open.isAnswered,
      http2Fault: isAbove ? "goaway-before" : open.http2Fault,
    });
    this.process.observed.push({ exchange });
  }
}
