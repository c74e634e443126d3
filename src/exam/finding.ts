/** The level of a check, in the sense of RFC 2119. */
export type Level = "must" | "should";

/**
 * How many exchanges, and how many handshakes, are named as evidence. The first ones are named.
 * @internal exported for tests of the bound
 */
export const mostEvidence = 10;

/** How many exchanges that exercised a check are named if it passes. */
const mostExercises = 3;

const none: readonly number[] = [];

/** A failure of a check, with its evidence. */
interface Failure {
  readonly message: string;
  readonly exchanges: readonly number[];
  readonly handshakes: readonly number[];
  /** What to change in the client, if that of the check is not exact enough. */
  readonly fix?: string | undefined;
}

/**
 * The state of one check for one client. A failed check stays failed. What is proven is kept apart from what is only
 * likely: a doubt counts as `should`, whatever the level of the check is, and says nothing once a failure is proven.
 */
export class Finding {
  /** Of exchanges, and of handshakes or connections without a request. */
  exercises: readonly number[] = none;
  handshakes: readonly number[] = none;
  failure: Failure | undefined;
  doubt: Failure | undefined;
  /** What the report says if nothing has failed, in place of the usual sentence: one sentence, too. */
  remark: string | undefined;
  /** Whether failures are not noted now, because an error is judged that was provoked on purpose. */
  isSpared = false;

  /** Notes that an exchange gave the client the opportunity to fail. */
  exercise(exchange: number): void {
    if (this.exercises.length < mostExercises && !this.exercises.includes(exchange))
      this.exercises = [...this.exercises, exchange];
  }

  /** Removes an exchange for which the reaction of the client cannot be known. */
  withdraw(exchange: number): void {
    this.exercises = this.exercises.filter((id) => id !== exchange);
  }

  /** The same as `exercise` for a handshake or a connection without a request. */
  exerciseByHandshake(handshake: number): void {
    if (this.handshakes.length < mostEvidence) this.handshakes = [...this.handshakes, handshake];
  }

  /**
   * Notes a failure that is proven. The message of the first one stays.
   * @param message one sentence, without secrets
   * @param fix what to change in the client, if that of the check is not exact enough
   */
  fail(message: string, exchanges: readonly number[], handshakes: readonly number[] = none, fix?: string): void {
    if (!this.isSpared) this.failure = joined(this.failure, { message, exchanges, handshakes, fix });
  }

  /** Notes a failure that is likely, and not proven: another worker of the client may have done it. */
  suspect(message: string, exchanges: readonly number[]): void {
    if (!this.isSpared) this.doubt = joined(this.doubt, { message, exchanges, handshakes: none });
  }

  /** Notes a failure at a level: `must` if it is proven. */
  failAs(level: Level, message: string, exchanges: readonly number[]): void {
    if (level === "must") this.fail(message, exchanges);
    else this.suspect(message, exchanges);
  }

  /** Adds another finding about the same check. */
  add(other: Finding): void {
    if (other.failure !== undefined) this.failure = joined(this.failure, other.failure);
    if (other.doubt !== undefined) this.doubt = joined(this.doubt, other.doubt);
    for (const exchange of other.exercises) this.exercise(exchange);
    for (const id of other.handshakes) this.exerciseByHandshake(id);
    this.remark ??= other.remark;
  }

  /** Another one that says the same, for what is pending. */
  copy(): Finding {
    const copy = new Finding();
    copy.add(this);
    return copy;
  }

  /** The present finding, in which pending actions count as not done. */
  withPending(exchanges: Iterable<number>, message: string): Finding {
    const now = this.copy();
    for (const exchange of exchanges) now.fail(message, [exchange]);
    return now;
  }
}

function joined(first: Failure | undefined, next: Failure): Failure {
  const { message, fix } = first ?? next;
  return {
    message,
    fix,
    exchanges: united(first?.exchanges ?? none, next.exchanges),
    handshakes: united(first?.handshakes ?? none, next.handshakes),
  };
}

function united(some: readonly number[], others: readonly number[]): readonly number[] {
  return some.length >= mostEvidence ? some : [...new Set([...some, ...others])].slice(0, mostEvidence);
}
