import type { AssumptionId } from "../assumptions.js";
import type { Client } from "../clients.js";
import { monotonicNow } from "../clock.js";
import type { ConnectionFacts } from "../connection/connection-facts.js";
import type { Passage } from "../connection/passage.js";
import type { Peer } from "../connection/peer.js";
import type { ErrorCode } from "../errors.js";
import type { ListQuery } from "../lists/query.js";
import type { ActiveFault } from "../scenarios/engine.js";
import type { OperationName } from "../scenarios/operation-name.js";
import type { AccessToken } from "../tokens/access-token.js";
import type { Refusal } from "./refusal.js";

/** Bodies up to this length are kept for the journal: every error, token and ping, and a list page of the default size. */
export const longestBody = 4096;

/** What the journal tells of a step: what it checks, and what it can refuse with. */
export interface TakenStep {
  readonly name: string;
  readonly checks: string;
  readonly refuses: readonly (ErrorCode | AssumptionId)[];
}

/** What is known of a page beside its text. */
export interface AnsweredPage {
  readonly rows: number;
  /** The cursor of the next page. */
  readonly cursor: string | undefined;
}

/** Told when an exchange is over: its answer has left, or its connection is gone. */
export interface ExchangeListener {
  /**
   * @param id of the exchange in the journal
   * @param passage undefined where the answer was written without an HTTP exchange
   */
  over(exchange: Exchange, id: number, passage: Passage | undefined): void;
}

/**
 * One request and its answer, with every fact that was found on the way.
 *
 * It is flat and shares what it can, because one is made for each request: decisions and prose are derived when somebody reads it.
 * Instants are milliseconds since the epoch, on the clock of the peer's client.
 */
export class Exchange {
  /** The client for which the peer's certificate is registered. */
  client: Client | undefined = undefined;
  operation: OperationName | undefined = undefined;
  /** The name of the list, for the operation `list`. */
  list: string | undefined = undefined;
  /** Filled in once the token has been verified, whether or not it turned out to be acceptable. */
  token: AccessToken | undefined = undefined;
  /** The correlation id of the answer: the client's, or a fresh one. */
  correlationId = "";
  /** The steps that were to be taken. */
  steps: readonly TakenStep[] = [];
  /** How many of them have passed. */
  stepsPassed = 0;
  /** The fault that the request met, whether or not it came to act. */
  fault: ActiveFault | undefined = undefined;
  /** The handle of the fault, once it acted: the value of `Sandbox-Fault`. */
  injected: string | undefined = undefined;
  refusal: Refusal | undefined = undefined;
  /** The decoded form of a token request; null stands for a value that could not be decoded. */
  form: ReadonlyMap<string, readonly (string | null)[]> | undefined = undefined;
  /** What a list request asked for, once it was understood. */
  listQuery: ListQuery | undefined = undefined;
  /** 0 where no answer was given: the connection was broken on purpose. */
  status = 0;
  /** The error code of the answer, as it stands on the wire. */
  code: string | undefined = undefined;
  #answerHeaders: Readonly<Record<string, string>> | undefined = undefined;
  /** Where others share these headers, the name of the one whose value is the correlation ID. */
  #correlationHeader: string | undefined = undefined;
  /** The body of the answer, or how to make it again. */
  #answerBody: string | (() => string) | undefined = undefined;
  /** Length of the whole body, in characters. */
  answerLength = 0;
  /** The connection that the request came on; undefined in tests without TLS. */
  connection: ConnectionFacts | undefined = undefined;
  /** When the request was begun, on the monotonic clock. */
  #startedAt = monotonicNow();
  /** By how many milliseconds `now` is ahead of the machine's clock. Small whole numbers need no memory of their own; these are millions. */
  #ahead = 0;
  /** Microseconds until the answer was on its way, or had failed. */
  #microseconds = 0;
  /** Whether the whole answer was handed to the network; undefined as long as that is not known. */
  delivered: boolean | undefined = undefined;
  /** The record in the journal, where there is one. It has been written over where it has another serial number. */
  #record: Exchange | undefined = undefined;
  #serial = 0;
  /** The page that a list request was answered with. Not kept in the journal. */
  #page: AnsweredPage | undefined = undefined;
  #listener: ExchangeListener | undefined = undefined;
  /** The number of the exchange in the journal, for the listener. */
  #id = 0;
  #passage: Passage | undefined = undefined;

  constructor(
    readonly peer: Peer,
    readonly method: string,
    /** The request target as it was sent (RFC 9112 §3.2). */
    readonly target: string,
    /** Names and values in turn, as they were sent. */
    readonly rawHeaders: readonly string[],
    readonly now: number,
  ) {}

  /**
   * Keeps what was answered: the headers, and the body if it is short.
   * @param correlationHeader where the headers are shared with other exchanges, the one in which each has its own correlation ID
   */
  answered(
    status: number,
    headers: Readonly<Record<string, string>>,
    body: string,
    correlationHeader?: string | undefined,
  ): void {
    this.status = status;
    this.#answerHeaders = headers;
    this.#correlationHeader = correlationHeader;
    this.answerLength = body.length;
    this.#answerBody = body.length <= longestBody ? body : undefined;
    this.#stopWatch();
  }

  /** Keeps how the body is made instead of the body, where it is short enough to be kept. */
  remakeBody(make: () => string): void {
    if (this.#answerBody !== undefined) this.#answerBody = make;
  }

  /** The body of the answer, where it is short enough to be kept. */
  get answerBody(): string | undefined {
    return typeof this.#answerBody === "function" ? this.#answerBody() : this.#answerBody;
  }

  /** The headers of the answer; undefined where none was given. */
  get answerHeaders(): Readonly<Record<string, string>> | undefined {
    const headers = this.#answerHeaders;
    const name = this.#correlationHeader;
    return headers === undefined || name === undefined ? headers : { ...headers, [name]: this.correlationId };
  }

  /** How many characters of a body are kept; how to make one takes less than its cursor and its rows, which others share. */
  get keptCharacters(): number {
    return this.#answerBody === undefined ? 0 : this.answerLength;
  }

  /** Milliseconds until the answer was on its way, or had failed; to the microsecond. */
  get duration(): number {
    return this.#microseconds / 1000;
  }

  /** When the request was begun, in milliseconds since the epoch on the machine's clock: `now` may be another century's. */
  get receivedAt(): number {
    return this.now - this.#ahead;
  }

  /** Told by the server when the answer has left, or the connection is gone. */
  closed(delivered: boolean, passage?: Passage): void {
    this.delivered = delivered;
    this.#stopWatch();
    this.#passage = passage;
    this.#listener?.over(this, this.#id, passage);
    const record = this.#record;
    if (record === undefined || record.#serial !== this.#serial) return;
    record.delivered = delivered;
    record.#microseconds = this.#microseconds;
  }

  /** Has a listener told when the exchange is over, which it may be already: a client that goes away is noticed at once. */
  tellWhenOver(listener: ExchangeListener, id: number): void {
    this.#listener = listener;
    this.#id = id;
    if (this.delivered !== undefined) listener.over(this, id, this.#passage);
  }

  /** Told when it goes into the journal: the machine's clock is read once, and not by whoever works with the client's. */
  recordedAt(machineNow: number): void {
    const since = this.status === 0 ? monotonicNow() - this.#startedAt : this.duration;
    // Plus zero, because a negative zero is no small whole number: it would have memory of its own.
    this.#ahead = Math.round(this.now - (machineNow - since)) + 0;
  }

  /** Keeps what the page is like that a list request is answered with. */
  answeredPage(page: AnsweredPage): void {
    this.#page = page;
  }

  /** What the page is like; undefined for other answers, and for what the journal has kept. */
  pageAnswered(): AnsweredPage | undefined {
    return this.#page;
  }

  /** Notes that a fault acted, so that the answer says so. */
  markInjected(handle: string): void {
    this.injected = handle;
  }

  /**
   * Writes all that is known into a record of the journal, over the exchange that it holds. Of what comes later, only what `closed` is told
   * is written to it, too.
   */
  recordIn(record: Exchange): void {
    this.#serial = nextSerial();
    this.#record = record;
    Exchange.#copy(this, record);
  }

  /** The same again, as it is now. */
  copy(): Exchange {
    const copy = new Exchange(this.peer, this.method, this.target, this.rawHeaders, this.now);
    Exchange.#copy(this, copy);
    return copy;
  }

  /** One field after the other, because engines do that in no time; a loop over the names takes longer than the rest of the journal. */
  static #copy(from: Exchange, to: Exchange): void {
    const open: { -readonly [Field in keyof Exchange]: Exchange[Field] } = to;
    open.peer = from.peer;
    open.method = from.method;
    open.target = from.target;
    open.rawHeaders = from.rawHeaders;
    open.now = from.now;
    to.client = from.client;
    to.operation = from.operation;
    to.list = from.list;
    to.token = from.token;
    to.correlationId = from.correlationId;
    to.steps = from.steps;
    to.stepsPassed = from.stepsPassed;
    to.fault = from.fault;
    to.injected = from.injected;
    to.refusal = from.refusal;
    to.form = from.form;
    to.listQuery = from.listQuery;
    to.status = from.status;
    to.code = from.code;
    to.#answerHeaders = from.#answerHeaders;
    to.#correlationHeader = from.#correlationHeader;
    to.#answerBody = from.#answerBody;
    to.answerLength = from.answerLength;
    to.connection = from.connection;
    to.#startedAt = from.#startedAt;
    to.#ahead = from.#ahead;
    to.#microseconds = from.#microseconds;
    to.delivered = from.delivered;
    to.#serial = from.#serial;
  }

  #stopWatch(): void {
    this.#microseconds = Math.round((monotonicNow() - this.#startedAt) * 1000);
  }
}

let newestSerial = 0;

/** Small whole numbers, which need no memory of their own. They begin again long after the exchange that had one is forgotten. */
function nextSerial(): number {
  newestSerial = (newestSerial + 1) & 0x3fffffff;
  return newestSerial;
}
