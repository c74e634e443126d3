import type { Client } from "../clients.js";
import { monotonicNow } from "../clock.js";
import type { ConnectionFacts } from "../connection/connection-facts.js";
import type { AnswerHeaders } from "../connection/header-names.js";
import type { Http2ErrorCode } from "../connection/http2-error.js";
import type { DeliveryListener, EndedPassage, Passage, UnprocessedReason } from "../connection/passage.js";
import { hasBody } from "../connection/wire-answer.js";
import type { ListQuery } from "../lists/query.js";
import type { OperationName } from "../operations.js";
import type { ActingRule } from "../scenarios/engine.js";
import type { AccessToken } from "../tokens/token-service.js";
import { type AnsweredPage, ExchangeFacts, renewalOf, type TakenStep } from "./exchange-facts.js";
import type { Refusal } from "./refusal.js";

/**
 * Bodies up to this length, in characters, are kept for the journal: all of the sandbox's own except pages with very
 * long rows.
 */
export const longestBody = 65_536;

/**
 * What is needed until the exchange is over. It is a separate object, because the journal keeps ten thousand finished
 * exchanges.
 */
class Unfinished {
  /** When the turn of the request came, on the monotonic clock. */
  readonly startedAt = monotonicNow();
  listener: ExchangeListener | undefined = undefined;
  /** The number of the exchange in the journal; 0 before it is recorded. */
  id = 0;
  passage: Passage | undefined = undefined;
  /** Whether another answer was given instead of its own. */
  isReplaced = false;
}

/** Called when an exchange is over: its answer was sent, or its connection is gone. */
export interface ExchangeListener {
  /** @param id of the exchange in the journal */
  over(exchange: Exchange, id: number): void;
}

type Draft = { -readonly [Name in keyof Exchange]: Exchange[Name] };

type Facts = {
  [Name in keyof Exchange]: Exchange[Name] extends (...given: never[]) => unknown ? never : Name;
}[keyof Exchange];

/** What is known of an exchange only when it is over; the duration in milliseconds. */
export type ExchangeEnding = Pick<
  Exchange,
  "delivered" | "sent" | "reset" | "sending" | "endedBy" | "duration" | "sentHeaders"
>;

/** The facts of an exchange that a store outside of this process has kept. */
export type RestoredExchange = Omit<
  Pick<Exchange, Facts>,
  "keptCharacters" | "isReplaced" | "answerBody" | "bodyLength" | "ending" | "headersOfAnswer"
>;

/**
 * One request and its answer, with all facts that were found. The journal keeps it, so it has no reference to a request
 * or a socket. Decisions and explanations are derived when they are read.
 *
 * It is written by its methods alone, and frozen when it is over.
 */
export class Exchange extends ExchangeFacts implements Required<DeliveryListener> {
  /** The body of the answer, or how to make it again. */
  #answerBody: string | (() => string) | undefined = undefined;
  /** Microseconds until the answer was released, or had failed. */
  #took = 0;
  #unfinished: Unfinished | undefined = new Unfinished();

  /** The same object, for the methods of this class: nobody else writes to it. */
  get #draft(): Draft {
    return this as Draft;
  }

  /** Where the request came from. */
  cameFrom(client: Client | undefined, connection: ConnectionFacts | undefined, stream: number | undefined): void {
    this.#draft.client = client;
    if (client && client.ends.size > 0) this.#draft.renewal = renewalOf(client, this.peer);
    this.#draft.connection = connection;
    this.#draft.stream = stream;
  }

  /** The correlation id of the answer is known. */
  correlatedBy(correlationId: string): void {
    this.#draft.correlationId = correlationId;
  }

  /** An operation has the path of the request. */
  routed(operation: OperationName | undefined, list: string | undefined): void {
    this.#draft.operation = operation;
    this.#draft.list = list;
    if (operation === "token" && this.client) this.#draft.tokenRole = this.client.hadToken ? "renewal" : "first";
  }

  /** The operation begins. */
  began(steps: readonly TakenStep[]): void {
    this.#draft.steps = steps;
  }

  /** @param count how many steps have passed */
  passed(count: number): void {
    this.#draft.stepsPassed = count;
  }

  /** A rule matched. */
  matched(fault: ActingRule): void {
    this.#draft.fault = fault;
  }

  /** A scenario moved the clock of the client. */
  clockMoved(now: number): void {
    this.#draft.now = now;
  }

  /**
   * The token was verified.
   * @param holder the client that it was issued to, if that is not the one of the certificate
   */
  tokenVerified(token: AccessToken, holder: Client | undefined): void {
    this.#draft.token = token;
    this.#draft.holder = holder;
  }

  /** The form of a token request was read. */
  formRead(form: Exchange["form"]): void {
    this.#draft.form = form;
  }

  /** The query of a list request was parsed. */
  queryParsed(query: ListQuery): void {
    this.#draft.listQuery = query;
  }

  /** Parameters that the operation does not know. */
  parametersIgnored(names: readonly string[]): void {
    this.#draft.unknownParameters = names;
  }

  /** @param code of the answer, as it is sent */
  refused(refusal: Refusal, code: string): void {
    this.#draft.refusal = refusal;
    this.#draft.code = code;
  }

  /**
   * Keeps the answer: the headers, and the body if it is short.
   * @param length of the body, in bytes
   */
  answered(status: number, headers: AnswerHeaders, body: string, length = Buffer.byteLength(body)): void {
    this.#draft.status = status;
    this.#draft.answerHeaders = headers;
    this.#draft.answerLength = length;
    this.#draft.keptCharacters = body.length <= longestBody ? body.length : 0;
    this.#answerBody = body.length <= longestBody ? body : undefined;
    this.#stopWatch();
  }

  /**
   * The answer is sent in another form (RFC 9110 §8.4). The body is kept as it was before.
   * @param length of the body as it is sent, in bytes
   */
  encoded(headers: AnswerHeaders, length: number): void {
    this.#draft.answerHeaders = headers;
    this.#draft.answerLength = length;
  }

  /**
   * Keeps an answer that a scenario gave or changed, with its whole body. The facts of the sandbox's own page are no
   * longer true.
   */
  answeredByScenario(status: number, headers: AnswerHeaders, body: string, code: string | undefined): void {
    this.answered(status, headers, body);
    this.#draft.code = code;
    this.#draft.isByScenario = true;
    this.#draft.page = undefined;
    this.#draft.keptCharacters = body.length;
    this.#answerBody = body;
  }

  /**
   * Builds the record of an exchange that such a store has kept.
   * @param facts `wholeBody` is undefined if it is too long to be kept; `duration` is in milliseconds
   */
  static restored({ wholeBody, duration, ...facts }: RestoredExchange): Exchange {
    const { peer, method, target, rawHeaders, now } = facts;
    const exchange = new Exchange(peer, method, target, rawHeaders, now);
    Object.assign(exchange, facts);
    exchange.#answerBody = wholeBody;
    exchange.#draft.keptCharacters = wholeBody?.length ?? 0;
    exchange.#took = Math.round(duration * 1000);
    exchange.#unfinished = undefined;
    return exchange;
  }

  /** What is known only when it is over. */
  get ending(): ExchangeEnding {
    const { delivered, sent, reset, sending, endedBy, duration, sentHeaders } = this;
    return { delivered, sent, reset, sending, endedBy, duration, sentHeaders };
  }

  /**
   * A restored exchange has ended.
   * @param connection what is known of the end of its connection
   */
  endedElsewhere({ duration, ...facts }: ExchangeEnding, connection?: Partial<ConnectionFacts>): void {
    Object.assign(this.#draft, facts);
    if (this.connection && connection) this.#draft.connection = { ...this.connection, ...connection };
    this.#took = Math.round(duration * 1000);
  }

  /**
   * Keeps a function that makes the body instead of the body, if the body is short enough to be kept.
   * @param keeps the characters that the function keeps
   */
  remakeBody(make: () => string, keeps: number): void {
    if (this.#answerBody === undefined) return;
    this.#answerBody = make;
    this.#draft.keptCharacters = keeps;
  }

  /** The body of the answer, if it is short enough to be kept. */
  get answerBody(): string | undefined {
    const body = this.wholeBody;
    return body !== undefined && body.length <= longestBody ? body : undefined;
  }

  /** The same; that of a scenario, however long it is. */
  get wholeBody(): string | undefined {
    return typeof this.#answerBody === "function" ? this.#answerBody() : this.#answerBody;
  }

  /** Milliseconds until the answer was released, or had failed; exact to the microsecond. */
  get duration(): number {
    return this.#took / 1000;
  }

  /** The length of what is sent of the body, in bytes. */
  get bodyLength(): number {
    return hasBody(this.status, this.method) ? this.answerLength : 0;
  }

  /** Called when the answer was sent, or the connection is closed. */
  closed(delivered: boolean, passage?: Passage): void {
    if (Object.isFrozen(this)) return;
    this.#draft.delivered = delivered;
    const whole = this.bodyLength;
    this.#draft.sent = delivered || whole === 0 ? whole : passage?.bodySent;
    this.#draft.reset = passage?.reset;
    if (passage?.begunAt !== undefined) this.#draft.sending = monotonicNow() - passage.begunAt;
    if (!delivered) this.#draft.endedBy = passage?.endedBy;
    // The sandbox may notice it later: it drains the connection.
    this.#stopWatch(this.endedBy === "client" ? passage?.gaveUpAt : undefined);
    if (this.#unfinished === undefined) return;
    if (this.#unfinished.id > 0) this.#notify(this.#unfinished, passage);
    // Only its facts: an exchange must not reference sockets.
    else this.#unfinished.passage = passage && ended(passage, 0);
  }

  /**
   * Called when the head of the answer is written.
   * @param headers as they are sent, names and values in turn
   */
  headed(headers: readonly string[]): void {
    if (!Object.isFrozen(this)) this.#draft.sentHeaders = headers;
  }

  /**
   * Called for a request that was read, and is not processed.
   * @param reset the code of the RST_STREAM that ended its stream
   */
  notProcessed(reason: UnprocessedReason, reset: Http2ErrorCode | undefined): void {
    this.#draft.unprocessed = reason;
    this.#draft.reset = reset;
    this.#draft.delivered = false;
    this.#draft.sent = 0;
  }

  /** Called when another answer, which has its own exchange, is given instead of this one's. */
  replaced(): void {
    if (this.#unfinished !== undefined) this.#unfinished.isReplaced = true;
  }

  /** Whether the answer of another exchange was given instead of this one's; false once it is over. */
  get isReplaced(): boolean {
    return this.#unfinished?.isReplaced === true;
  }

  /**
   * Called when the exchange is in the journal. A client that did not wait may have closed the connection before.
   * @param id its number in the journal
   * @param listener called when the exchange is over
   */
  recorded(id: number, listener: ExchangeListener | undefined): void {
    if (this.#unfinished === undefined) return;
    this.#unfinished.id = id;
    this.#unfinished.listener = listener;
    if (this.delivered !== undefined) this.#notify(this.#unfinished, this.#unfinished.passage);
  }

  /**
   * Called when the exchange is added to the journal.
   * @param machineNow the machine's clock, in milliseconds since the epoch
   * @param epoch how often the scenario and the clocks of the client were changed
   */
  recordedAt(machineNow: number, epoch: number): void {
    if (this.status === 0) this.#stopWatch();
    this.#draft.epoch = epoch;
    const { code, holder, client } = this;
    this.#draft.isExpected = code !== undefined && (holder ?? client)?.expected.includes(code) === true;
    this.#draft.receivedAt = machineNow - Math.round(this.duration);
  }

  /** Keeps the facts of the page in the answer to a list request. */
  answeredPage(page: AnsweredPage): void {
    this.#draft.page = page;
  }

  /** Notes that a fault acted, so that the answer names it. */
  markInjected(handle: string): void {
    this.#draft.injected = handle;
  }

  #notify({ listener, id }: Unfinished, passage: Passage | undefined): void {
    this.#draft.passage = ended(passage, monotonicNow());
    Object.freeze(this);
    listener?.over(this, id);
    this.#unfinished = undefined;
  }

  #stopWatch(now = monotonicNow()): void {
    if (this.#unfinished === undefined) return;
    this.#took = Math.round(Math.max(0, now - this.#unfinished.startedAt) * 1000);
  }
}

/** The facts of a passage; undefined if the answer was written without an HTTP exchange. */
function ended(passage: Passage | undefined, overAt: number): EndedPassage {
  if (passage === undefined)
    return { arrivedAt: overAt, releasedAt: overAt, overAt, ordinal: 0, keptOpen: false, isBroken: false };
  const { arrivedAt, releasedAt, ordinal, keptOpen, isBroken, isUnprocessed, http2Fault } = passage;
  return { arrivedAt, releasedAt, overAt, ordinal, keptOpen, isBroken, isUnprocessed, http2Fault };
}
