import { second } from "../../base/text/duration.js";
import {
  type Answer,
  answerOf,
  type Identity,
  isPassing,
  type Observation,
  type Observations,
  outcomeText,
  type ProbeRequest,
  type Reply,
} from "./answer.js";
import { askList } from "./list-facts.js";
import type { Step } from "./probe.js";
import { type CalibrationOptions, SeenAnswers, tokenIn } from "./seen-answers.js";
import { lifetimeOf, renewalStep, sessionSteps, tokenProblem } from "./session.js";

/** Sends one request at a time. */
export interface Transport {
  /** Never rejects: a broken connection is an outcome. */
  send(request: ProbeRequest): Promise<Reply>;
}

/** The clock of the runner. */
export interface RunnerClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves early when the signal is aborted. */
  sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
}

/** Limits that protect the service. */
export interface RunOptions {
  /** Requests per second. */
  readonly rate: number;
  readonly maxRequests: number;
  /** Aborted when the user stops the run: no further request is sent. */
  readonly signal?: AbortSignal;
}

/** The result of a run. */
export interface Run {
  readonly seen: Observations;
  /** Number of requests that were sent. */
  readonly sent: number;
  /** Why it ended before the end of the plan, as a sentence. */
  readonly stopped: string | undefined;
}

/** After this many probes in a row without a usable answer, no more requests are sent. */
const mostFailures = 3;

/** A request that gets no usable answer is sent this often, unless the one before it got none either. */
const mostAttempts = 3;

/** The wait before a request is sent again, times the number of its attempts. */
const retryPause = 2 * second;

/** The wait after a 429 without `Retry-After`, and the longest wait. If the service asks for more, the run ends. */
const usualPause = 60 * second;
const longestPause = 900 * second;

/** A token is replaced after this part of its lifetime. */
const freshPart = 0.8;

/**
 * Sends the requests of a plan one after the other, no faster than permitted, until the plan is finished or the run
 * must stop.
 * @param tell called after every request
 */
export async function runPlan(
  plan: readonly Step[],
  options: CalibrationOptions,
  limits: RunOptions,
  parts: RunnerParts,
): Promise<Run> {
  const runner = new Runner(options, limits, parts);
  for (const step of sessionSteps) await runner.take(step);
  runner.stopped ??= tokenProblem(runner.known);
  for (const step of plan) if (!sessionSteps.includes(step)) await runner.take(step);
  for (const list of options.lists) await askList(runner.known, list, (step) => runner.take(step));
  return { seen: runner.seen, sent: runner.sent, stopped: runner.stopped };
}

interface RunnerParts {
  readonly transport: Transport;
  readonly clock: RunnerClock;
  readonly tell?: (observation: Observation, sent: number) => void;
}

class Runner {
  readonly seen = new Map<string, Observation>();
  readonly known: SeenAnswers;
  sent = 0;
  stopped: string | undefined;
  /** Identities whose connections the service does not answer. */
  readonly #refused = new Set<Identity>();
  #failures = 0;
  #pauses = 0;
  #nextAt = Number.NEGATIVE_INFINITY;
  #tokenAt = 0;

  constructor(
    options: CalibrationOptions,
    private readonly limits: RunOptions,
    private readonly parts: RunnerParts,
  ) {
    this.known = new SeenAnswers(options, this.seen);
  }

  /** Sends the request of a step, if the step has one now. */
  async take(step: Step): Promise<void> {
    if (this.stopped !== undefined || step.request(this.known) === undefined) return;
    if (this.#isTokenOld() && step !== renewalStep && !sessionSteps.includes(step)) await this.take(renewalStep);
    let wasStale = false;
    for (let attempt = 1; ; attempt += 1) {
      const request = this.stopped === undefined ? step.request(this.known) : undefined;
      if (request === undefined || this.#refused.has(request.identity)) return;
      if (this.sent >= this.limits.maxRequests) {
        this.stopped = `${this.sent} requests were sent, which is the most that --max-requests permits.`;
        return;
      }
      await this.#takeTurn();
      if (this.limits.signal?.aborted === true) {
        this.stopped = "You stopped it.";
        return;
      }
      this.sent += 1;
      const outcome = await this.parts.transport.send(request);
      // Sent again only once: the result over a new connection is the outcome.
      const isStale: boolean = "failure" in outcome && outcome.stale === true && !wasStale;
      wasStale ||= isStale;
      const failed = !isStale && isNoEvidence(outcome, request.identity);
      const isLast = attempt >= (this.#failures === 0 ? mostAttempts : 1);
      if (failed && isLast) this.#countFailure(outcome);
      if (!isStale && (!failed || isLast)) this.#note({ step, request, outcome });
      else if (answerOf(outcome)?.status === 429)
        this.#note({ step: { id: `limit.${this.#pauses}`, says: step.says }, request, outcome });
      else this.parts.tell?.({ step, request, outcome }, this.sent);
      if (failed) this.#pause(answerOf(outcome), attempt);
      else if (!isStale) this.#succeeded(request.identity, outcome);
      if (!isStale && (!failed || isLast)) return;
    }
  }

  /** Waits until the next request may be sent. */
  async #takeTurn(): Promise<void> {
    const { clock } = this.parts;
    const { rate, signal } = this.limits;
    for (let wait = this.#nextAt - clock.now(); wait > 0; wait = this.#nextAt - clock.now()) {
      if (signal?.aborted === true) return;
      await clock.sleep(wait, signal);
    }
    this.#nextAt = clock.now() + second / rate;
  }

  #note(observation: Observation): void {
    const { step, outcome } = observation;
    // The newest observation comes last, so that the newest token is the last one.
    this.seen.delete(step.id);
    this.seen.set(step.id, observation);
    if (step.id.startsWith("session.") && tokenIn(answerOf(outcome)) !== undefined)
      this.#tokenAt = this.parts.clock.now();
    this.parts.tell?.(observation, this.sent);
  }

  #succeeded(identity: Identity, outcome: Reply): void {
    if ("answer" in outcome) this.#failures = 0;
    else if (identity !== "client") this.#refused.add(identity);
  }

  #countFailure(outcome: Reply): void {
    // A service that goes on to say that there are too many requests is left alone.
    this.#failures += answerOf(outcome)?.status === 429 ? mostFailures : 1;
    if (this.#failures >= mostFailures)
      this.stopped = `${mostFailures} requests in a row failed, the last with ${outcomeText(outcome)}.`;
  }

  /** Waits as long as the service asks for. */
  #pause(answer: Answer | undefined, attempt: number): void {
    this.#pauses += 1;
    if (this.stopped !== undefined) return;
    const now = this.parts.clock.now();
    const usual = answer?.status === 429 ? usualPause : retryPause * attempt;
    const pause = (answer && retryAfter(answer, now)) ?? usual;
    if (pause > longestPause) {
      this.stopped = `The service asked to wait for ${Math.ceil(pause / second)} seconds.`;
      return;
    }
    this.#nextAt = Math.max(this.#nextAt, now + pause);
  }

  #isTokenOld(): boolean {
    const lifetime = lifetimeOf(this.known);
    return lifetime !== undefined && this.parts.clock.now() - this.#tokenAt > lifetime * freshPart;
  }
}

/**
 * Whether an outcome says nothing about its request: a 429, a 5xx that is about the service, a broken connection.
 * A connection that breaks may be the answer to a certificate.
 */
function isNoEvidence(outcome: Reply, identity: Identity): boolean {
  if ("answer" in outcome) return isPassing(outcome.answer.status);
  if (outcome.failure === "ETIMEDOUT") return true;
  return identity === "client";
}

/**
 * RFC 9110 §10.2.3: seconds, or a date.
 * @returns milliseconds; undefined if the header is missing or is neither
 */
function retryAfter({ headers }: Answer, now: number): number | undefined {
  const text = headers.get("retry-after")?.trim();
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * second;
  // A date begins with the name of a day; `Date.parse` may read other texts as a year.
  const date = /^[A-Za-z]/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
