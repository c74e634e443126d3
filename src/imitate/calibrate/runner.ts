import { second } from "../../base/text/duration.js";
import { type Answer, answerOf, type Identity, type Outcome, outcomeText, type ProbeRequest } from "./answer.js";
import { type CalibrationOptions, Known, tokenIn } from "./known.js";
import type { Observation, Observations } from "./observation.js";
import type { Step } from "./probe.js";
import { lifetimeOf, renewalStep, sessionSteps, tokenProblem } from "./session.js";

/** Sends one request at a time. */
export interface Transport {
  /** Never rejects: a broken connection is an outcome. */
  send(request: ProbeRequest): Promise<Outcome>;
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

/** After this many failures in a row, no more requests are sent. */
const mostFailures = 3;

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
  return { seen: runner.seen, sent: runner.sent, stopped: runner.stopped };
}

interface RunnerParts {
  readonly transport: Transport;
  readonly clock: RunnerClock;
  readonly tell?: (observation: Observation, sent: number) => void;
}

class Runner {
  readonly seen = new Map<string, Observation>();
  readonly known: Known;
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
    this.known = new Known(options, this.seen);
  }

  /** Sends the request of a step, if the step has one now. */
  async take(step: Step): Promise<void> {
    if (this.stopped !== undefined || step.request(this.known) === undefined) return;
    if (this.#isTokenOld() && step !== renewalStep && !sessionSteps.includes(step)) await this.take(renewalStep);
    let again = false;
    for (;;) {
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
      const answer = answerOf(outcome);
      const limited = answer?.status === 429;
      // Retried only once: the result over a new connection is the outcome.
      const stale: boolean = "failure" in outcome && outcome.stale === true && !again;
      this.#note({ step: { id: limited ? `limit.${this.#pauses}` : step.id, says: step.says }, request, outcome });
      this.#countFailure(step, request.identity, outcome, stale);
      if (limited || (answer?.status === 503 && answer.headers.has("retry-after"))) this.#pause(answer);
      if (!limited && !stale) return;
      again = stale;
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

  #countFailure(step: Step, identity: Identity, outcome: Outcome, isStale: boolean): void {
    const broken = "failure" in outcome;
    if (broken && identity !== "client") {
      if (!isStale) this.#refused.add(identity);
      return;
    }
    // A broken connection that is the answer to a request says nothing about the next one.
    if (broken && step.mayBreak === true) return;
    const failed = broken || isFailure(outcome.answer.status);
    this.#failures = failed ? this.#failures + 1 : 0;
    if (this.#failures >= mostFailures)
      this.stopped = `${mostFailures} requests in a row failed, the last with ${outcomeText(outcome)}.`;
  }

  #pause(answer: Answer): void {
    this.#pauses += 1;
    if (this.stopped !== undefined) return;
    const now = this.parts.clock.now();
    const pause = retryAfter(answer, now) ?? usualPause;
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

/** A 429, or a 5xx (RFC 9110 §15.6) except 501, which refuses the method and says nothing about the next request. */
function isFailure(status: number): boolean {
  return status === 429 || (status >= 500 && status !== 501);
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
