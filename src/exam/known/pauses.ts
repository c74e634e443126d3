import type { ExchangeObservation } from "../observation.js";

/** Pauses are compared in groups of so many: with two groups, between eleven failures. */
const group = 5;

/**
 * How many pauses of a row are remembered: those of its first sixteen failures. A policy that grows shows it there, and
 * may have a longest pause later.
 */
const most = 3 * group;

/** In milliseconds: two groups whose sums are both shorter do not grow, and two that are both as long need not. */
const shortest = 1000;
const longEnough = 10_000;

/** Twice, less a little for what a request takes besides its pause. */
const growth = 1.9;

/** The pauses of a row of failures, in milliseconds. */
export interface Pauses {
  /** When the row began, and when the last failure arrived and ended. */
  readonly begunAt: number;
  readonly arrivedAt: number;
  readonly endedAt: number;
  /** Whether an answer said how long to wait: then the client did not choose them. */
  readonly areTold: boolean;
  /** The first ones, from the end of a failure. */
  readonly first: readonly number[];
  /** The same from the arrival of a failure: when a client gave it up is not known. */
  readonly firstFromArrival: readonly number[];
}

export const nothingFailed: Pauses = {
  begunAt: Number.NEGATIVE_INFINITY,
  arrivedAt: Number.NEGATIVE_INFINITY,
  endedAt: Number.NEGATIVE_INFINITY,
  areTold: false,
  first: [],
  firstFromArrival: [],
};

type Failure = Pick<ExchangeObservation, "arrivedAt" | "releasedAt" | "retryAfter">;

/** Those of a row that begins. */
export function pausesFrom({ arrivedAt, releasedAt, retryAfter }: Failure): Pauses {
  return { ...nothingFailed, begunAt: arrivedAt, arrivedAt, endedAt: releasedAt, areTold: retryAfter !== undefined };
}

/** Those of a row that goes on. */
export function pausesWith(before: Pauses, { arrivedAt, releasedAt, retryAfter }: Failure): Pauses {
  const areTold = before.areTold || retryAfter !== undefined;
  const ends = { begunAt: before.begunAt, arrivedAt, endedAt: releasedAt, areTold };
  const { first, firstFromArrival } = before;
  if (first.length === most) return { ...ends, first, firstFromArrival };
  return {
    ...ends,
    first: [...first, Math.max(0, arrivedAt - before.endedAt)],
    firstFromArrival: [...firstFromArrival, Math.max(0, arrivedAt - before.arrivedAt)],
  };
}

/** Whether the pauses of eleven failures grow, among the first of a row. */
export function areGrowing({ first, firstFromArrival }: Pauses): boolean {
  return [first, firstFromArrival].some((pauses) =>
    pauses.slice(2 * group - 1).some((_, begin) => isGrowing(pauses.slice(begin, begin + 2 * group))),
  );
}

function isGrowing(pauses: readonly number[]): boolean {
  const [early, late] = [sum(pauses.slice(0, group)), sum(pauses.slice(group))];
  if (early >= longEnough && late >= longEnough) return true;
  return late >= growth * early && Math.max(early, late) >= shortest;
}

function sum(pauses: readonly number[]): number {
  return pauses.reduce((all, pause) => all + pause, 0);
}

/**
 * How many failures in a row one call has at most within a time, if its pauses grow: each five of them take twice as
 * long as the five before, until they take ten seconds.
 */
export function mostFailures({ begunAt, endedAt }: Pick<Pauses, "begunAt" | "endedAt">): number {
  let failures = 3 * group;
  let time = 3 * shortest;
  for (let next = 4 * shortest; time <= endedAt - begunAt; next = Math.min(2 * next, longEnough)) {
    failures += group;
    time += next;
  }
  return failures;
}
