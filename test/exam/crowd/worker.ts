import type { Random } from "../../fuzz/random.js";
import type { ReadAnswer, SentRequest } from "./messages.js";
import { Attempt, type Reply } from "./pool.js";
import type { Program, Token } from "./program.js";
import type { Task, Traits } from "./traits.js";
import { Signal, type Steps } from "./world.js";

export type Request = Omit<SentRequest, "token" | "correlationId">;

/** How a call ended: with an answer, or with an error that is reported to the caller. */
export type Outcome = ReadAnswer | undefined;

const cursorCodes = new Set(["INVALID_CURSOR", "CURSOR_FILTERS_CHANGED"]);

const transient = new Set([408, 429, 500, 502, 503, 504]);

/** How often a call gets a new token after a 401. */
const mostRenewals = 1;

/** More pages than any list has: a client may set a cap, and then reports an error. */
const mostPages = 60;

/** A worker of a correct client. */
export class Worker {
  #correlations = 0;

  constructor(
    readonly program: Program,
    readonly number: number,
    readonly traits: Traits,
    readonly random: Random,
  ) {}

  get now(): number {
    return this.program.world.now;
  }

  /**
   * Does its work.
   * @returns whether everything came through
   */
  *run(tasks: readonly Task[]): Steps<boolean> {
    let isWell = true;
    const { checksLogin } = this.traits;
    const loginBefore = checksLogin === "start" ? 0 : Math.floor(tasks.length / 2);
    for (const [place, task] of tasks.entries()) {
      yield* this.program.machine.pause();
      if (checksLogin !== "never" && place === loginBefore && (yield* this.requestToken()) === undefined) return false;
      const isDone = yield* this.does(task);
      if (!isDone) isWell = false;
      if (!isDone && !this.traits.goesOn) return false;
    }
    return isWell;
  }

  *does(task: Task): Steps<boolean> {
    if (task.kind === "walk") return yield* this.walk(task);
    if (task.kind === "ping") return isGood(yield* this.call({ operation: "ping", target: "/v1/ping" }));
    const answer = yield* this.call({
      operation: "ping",
      target: "/v1/ping?produceError=true",
      hasValues: true,
      asksForError: true,
    });
    return answer?.code === "EXAMPLE_ERROR";
  }

  /** Reads a list; begins again when a cursor is refused. */
  *walk(task: Task & { kind: "walk" }): Steps<boolean> {
    for (let restarts = 0; ; restarts++) {
      const end = yield* this.pages(task);
      if (end !== "refused") return end === "whole";
      if (!this.beginsAgain(restarts)) return false;
      yield* this.program.machine.pause();
    }
  }

  beginsAgain(restarts: number): boolean {
    return restarts < this.traits.walks.restarts;
  }

  *pages(task: Task & { kind: "walk" }): Steps<"whole" | "refused" | "failed"> {
    let cursor: string | undefined;
    for (let page = 1; page <= mostPages; page++) {
      const answer = yield* this.call(this.pageRequest(task, cursor));
      if (answer !== undefined && cursorCodes.has(answer.code ?? "")) return "refused";
      if (answer?.page === undefined || !isGood(answer)) return "failed";
      if (this.isLast(answer, task, page)) return "whole";
      cursor = answer.page.next;
      yield* this.program.machine.pause();
    }
    return "failed";
  }

  isLast({ page }: ReadAnswer, { upTo }: Task & { kind: "walk" }, number: number): boolean {
    return page?.next === undefined || number === upTo;
  }

  pageRequest({ list, filters, pageSize }: Task & { kind: "walk" }, cursor: string | undefined): Request {
    const { startsWithFilters } = this.traits.walks;
    const size = `pageSize=${pageSize}`;
    const named = [filters, cursor === undefined ? "" : `cursor=${cursor}`, size].filter((part) => part !== "");
    const query = (startsWithFilters ? named : named.reverse()).join("&");
    return {
      operation: "list",
      target: `/v1/${list}?${query}`,
      hasValues: filters !== "",
      walk: { name: `${list} ${filters}`, pageSize, cursor },
    };
  }

  /** An authorised request. A token that is refused is renewed once. */
  *call(request: Request): Steps<Outcome> {
    const correlationId = this.#correlationId();
    for (let renewals = 0; ; renewals++) {
      this.program.readCertificate("time");
      const token = yield* this.token();
      if (token === undefined) return undefined;
      const used = { token };
      const answer = yield* this.persist(correlationId, () => this.authorise(request, used));
      if (answer?.status !== 401) return answer;
      this.refused(used.token);
      if (!this.renews(renewals)) return answer;
    }
  }

  renews(renewals: number): boolean {
    return this.traits.token.renewOn401 && renewals < mostRenewals;
  }

  /** The token of an attempt: that of the call, or the present one. */
  *authorise(request: Request, used: { token: Token }): Steps<SentRequest> {
    if (this.traits.token.forEachAttempt) used.token = (yield* this.token()) ?? used.token;
    return { ...request, token: used.token.value };
  }

  refused(token: Token): void {
    const cache = this.program.cacheOf(this.number);
    if (cache.token === token) cache.token = undefined;
    this.program.readCertificate("refusal");
  }

  /**
   * Repeats what may succeed the next time.
   * @param signed makes an attempt
   */
  *persist(correlationId: string | undefined, signed: () => Steps<SentRequest>): Steps<Outcome> {
    for (let attempt = 1; ; attempt++) {
      const ofAttempt = this.traits.correlation === "attempt" ? this.#correlationId() : correlationId;
      const sent = { ...(yield* signed()), correlationId: ofAttempt };
      yield* this.program.machine.pause();
      const reply = yield* this.exchange(sent);
      yield* this.program.machine.pause();
      if (reply.kind === "answer" && !this.isTransient(reply.answer)) return reply.answer;
      if (!this.mayRetry(reply, attempt)) return undefined;
      yield* this.program.machine.sleep(this.waitBefore(reply, attempt));
    }
  }

  /** Libraries send some requests again by themselves. */
  *exchange(request: SentRequest): Steps<Reply> {
    for (let resent = 0; ; resent++) {
      const reply = yield* this.program.send(new Attempt(this.number, request));
      const isUnprocessed = reply.kind === "failed" && (reply.why === "unprocessed" || reply.mayResend);
      if (!isUnprocessed || !this.traits.retry.resends || resent === 1 || request.operation === "token") return reply;
    }
  }

  isTransient({ status, isOther = false }: ReadAnswer): boolean {
    return isOther || transient.has(status);
  }

  mayRetry(reply: Reply, attempt: number): boolean {
    const { what, most, longestWait } = this.traits.retry;
    if (reply.kind === "failed" && reply.why === "certificate") return false;
    if (attempt >= most || what === "nothing") return false;
    const told = reply.kind === "answer" ? reply.answer.retryAfter : undefined;
    if (told === undefined) return what !== "told";
    return what !== "untold" && told * 1000 <= longestWait;
  }

  /** In milliseconds. */
  waitBefore(reply: Reply, attempt: number): number {
    const { first, factor, jitter } = this.traits.retry;
    const told = reply.kind === "answer" ? reply.answer.retryAfter : undefined;
    const usual = first * factor ** (attempt - 1);
    const random = 1 + jitter * (this.random.below(1000) / 1000);
    return told === undefined ? usual * random : told * 1000 + usual * (random - 1);
  }

  /** A good token, from the cache or by a request. */
  *token(): Steps<Token | undefined> {
    const cache = this.program.cacheOf(this.number);
    for (;;) {
      if (cache.token !== undefined && this.isFresh(cache.token)) return cache.token;
      if (cache.pending === undefined || !this.traits.token.oneRequest) break;
      const token = yield* cache.pending.taken();
      if (token !== undefined) return token;
      // The other worker got none. This one reports the same.
      return undefined;
    }
    const pending = new Signal<Token | undefined>();
    cache.pending = pending;
    const token = yield* this.requestToken();
    if (token !== undefined) cache.token = token;
    if (cache.pending === pending) cache.pending = undefined;
    pending.give(token);
    return token;
  }

  isFresh({ renewAt, thumbprint }: Token): boolean {
    const { keepsToken } = this.traits.certificate;
    return this.now < renewAt && (keepsToken || thumbprint === this.program.thumbprint);
  }

  *requestToken(): Steps<Token | undefined> {
    const { renewAt } = this.traits.token;
    const request = this.tokenRequest();
    const answer = yield* this.persist(this.#correlationId(), () => unchanged(request));
    const { issued, thumbprint = "" } = answer ?? {};
    if (issued === undefined || !this.accepts(issued.type)) return undefined;
    const end = renewAt === undefined ? Number.POSITIVE_INFINITY : this.now + renewAt * issued.lifetime;
    return { value: issued.token, type: issued.type, thumbprint, renewAt: end };
  }

  tokenRequest(): Request {
    return { operation: "token", target: "/oauth/v2/oauth-token", form: usualForm };
  }

  accepts(type: string): boolean {
    return type.toLowerCase() === "bearer";
  }

  #correlationId(): string | undefined {
    if (this.traits.correlation === "none") return undefined;
    this.#correlations += 1;
    return `${this.number}-${this.#correlations}`;
  }
}

/** What needs no token. */
// biome-ignore lint/correctness/useYield: nothing is waited for
function* unchanged<T>(request: T): Steps<T> {
  return request;
}

const usualForm: ReadonlyMap<string, readonly string[]> = new Map([
  ["grant_type", ["client_credentials"]],
  ["client_id", ["demo"]],
  ["scope", ["read"]],
]);

function isGood(answer: Outcome): boolean {
  return answer !== undefined && answer.status < 300 && answer.isOther !== true;
}
