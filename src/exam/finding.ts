import { type CheckId, checkFacts } from "./checks.js";
import type { CheckResult } from "./report.js";

/**
 * How many exchanges, and how many handshakes, are named as evidence. The first ones are named.
 * @internal exported for tests of the bound
 */
export const mostEvidence = 10;

/** How many exchanges that exercised a check are named if it passes. */
const mostExercises = 3;

const none: readonly number[] = [];

/** The state of one check for one client. A failed check stays failed. */
export class Finding {
  private exercises: readonly number[] = none;
  private message: string | undefined;
  /** What the report says if nothing has failed, in place of the usual sentence. */
  private remark: string | undefined;
  private exchanges: readonly number[] = none;
  private handshakes: readonly number[] = none;
  /** Whether failures are not noted now, because an error is judged that was provoked on purpose. */
  isSpared = false;

  constructor(readonly id: CheckId) {}

  /** Notes that an exchange gave the client the opportunity to fail. */
  exercise(exchange: number): void {
    if (this.exercises.length < mostExercises && !this.exercises.includes(exchange))
      this.exercises = [...this.exercises, exchange];
  }

  /** Sets what the report says if nothing has failed: one sentence. */
  note(message: string): void {
    this.remark = message;
  }

  /** Removes an exchange for which the reaction of the client cannot be known. */
  withdraw(exchange: number): void {
    this.exercises = this.exercises.filter((id) => id !== exchange);
  }

  /** The same for a handshake or a connection without a request. */
  exerciseByHandshake(handshake: number): void {
    if (this.handshakes.length < mostExercises && this.message === undefined)
      this.handshakes = [...this.handshakes, handshake];
  }

  /**
   * Notes a failure. The message of the first one stays.
   * @param message one sentence, without secrets
   */
  fail(message: string, exchanges: readonly number[], handshakes: readonly number[] = none): void {
    if (this.isSpared) return;
    if (this.message === undefined) {
      this.message = message;
      this.handshakes = none;
    }
    this.exchanges = joined(this.exchanges, exchanges);
    this.handshakes = joined(this.handshakes, handshakes);
  }

  /** Adds another finding about the same check. */
  add(other: Finding): void {
    if (other.message !== undefined) this.fail(other.message, other.exchanges, other.handshakes);
    for (const exchange of other.exercises) this.exercise(exchange);
    this.remark ??= other.remark;
    if (other.message === undefined) for (const id of other.handshakes) this.exerciseByHandshake(id);
  }

  /**
   * The present finding, in which pending actions count as not done.
   * @param exchanges that gave the opportunity
   */
  withPending(exchanges: Iterable<number>, message: string): Finding {
    const now = new Finding(this.id);
    now.add(this);
    for (const exchange of exchanges) now.fail(message, [exchange]);
    return now;
  }

  /** The result for the report. */
  result(): CheckResult {
    const { level, source, fix, exercisedBy } = checkFacts(this.id);
    const facts = { id: this.id, level, fix, source };
    const ids = { exchanges: texts(this.exchanges), handshakes: texts(this.handshakes) };
    if (this.message !== undefined) return { ...facts, ...ids, verdict: "fail", message: this.message };
    const exercises = texts(this.exercises);
    if (exercises.length === 0 && ids.handshakes.length === 0)
      return { ...facts, ...ids, verdict: "not-exercised", message: `Not exercised: it takes ${exercisedBy}.` };
    return {
      ...facts,
      ...ids,
      exchanges: exercises,
      verdict: "pass",
      message: this.remark ?? `Exercised by ${exercisedBy}.`,
    };
  }
}

function joined(some: readonly number[], others: readonly number[]): readonly number[] {
  if (some.length >= mostEvidence) return some;
  return [...new Set([...some, ...others])].slice(0, mostEvidence);
}

function texts(ids: readonly number[]): readonly string[] {
  return [...ids].sort((a, b) => a - b).map(String);
}
