import { type CheckId, checkFacts } from "./checks.js";
import type { CheckResult } from "./report.js";

/**
 * How many exchanges, and how many handshakes, are named as evidence: the first ones.
 * @internal exported for tests
 */
export const mostEvidence = 10;

/** How many of those that exercised a check are named where it passes. */
const mostExercises = 3;

const none: readonly number[] = [];

/** What is known about one check of one client. Once it has failed, it stays failed. */
export class Finding {
  #exercises: readonly number[] = none;
  #message: string | undefined;
  #exchanges: readonly number[] = none;
  #handshakes: readonly number[] = none;

  constructor(readonly id: CheckId) {}

  /** Notes that an exchange gave the client the occasion to fail. */
  exercise(exchange: number): void {
    if (this.#exercises.length < mostExercises && !this.#exercises.includes(exchange))
      this.#exercises = [...this.#exercises, exchange];
  }

  /** Takes back an occasion of which it cannot be known what the client made of it. */
  withdraw(exchange: number): void {
    this.#exercises = this.#exercises.filter((id) => id !== exchange);
  }

  /** The same for a handshake or a connection without a request. */
  exerciseByHandshake(handshake: number): void {
    if (this.#handshakes.length < mostExercises && this.#message === undefined)
      this.#handshakes = [...this.#handshakes, handshake];
  }

  /**
   * Notes a failure. The message of the first one stays.
   * @param message one sentence, without secrets
   */
  fail(message: string, exchanges: readonly number[], handshakes: readonly number[] = none): void {
    if (this.#message === undefined) {
      this.#message = message;
      this.#handshakes = none;
    }
    this.#exchanges = joined(this.#exchanges, exchanges);
    this.#handshakes = joined(this.#handshakes, handshakes);
  }

  /** Takes over what another finding about the same check says. */
  add(other: Finding): void {
    if (other.#message !== undefined) this.fail(other.#message, other.#exchanges, other.#handshakes);
    for (const exchange of other.#exercises) this.exercise(exchange);
    if (other.#message === undefined) for (const id of other.#handshakes) this.exerciseByHandshake(id);
  }

  /** The finding as it is now, where what is still to be done counts as not done. @param exchanges that gave the occasion */
  withPending(exchanges: Iterable<number>, message: string): Finding {
    const now = new Finding(this.id);
    now.add(this);
    for (const exchange of exchanges) now.fail(message, [exchange]);
    return now;
  }

  /** As the report shows it. */
  result(): CheckResult {
    const { level, source, fix, exercisedBy } = checkFacts(this.id);
    const facts = { id: this.id, level, fix, source };
    const ids = { exchanges: texts(this.#exchanges), handshakes: texts(this.#handshakes) };
    if (this.#message !== undefined) return { ...facts, ...ids, verdict: "fail", message: this.#message };
    const exercises = texts(this.#exercises);
    if (exercises.length === 0 && ids.handshakes.length === 0)
      return { ...facts, ...ids, verdict: "not-exercised", message: `Not exercised: it takes ${exercisedBy}.` };
    return { ...facts, ...ids, exchanges: exercises, verdict: "pass", message: `Exercised by ${exercisedBy}.` };
  }
}

function joined(some: readonly number[], others: readonly number[]): readonly number[] {
  if (some.length >= mostEvidence) return some;
  return [...new Set([...some, ...others])].slice(0, mostEvidence);
}

function texts(ids: readonly number[]): readonly string[] {
  return [...ids].sort((a, b) => a - b).map(String);
}
