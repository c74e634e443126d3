import { setTimeout as sleep } from "node:timers/promises";

/** Time for the previous contender to finish the work that its load left behind, in milliseconds. */
const pause = 100;

/** The middle of some numbers. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Median and range. */
export function spread(values) {
  return { median: median(values), low: Math.min(...values), high: Math.max(...values) };
}

/**
 * Measures contenders in turn, round after round, so that other load on the machine affects all of them equally. Each
 * round begins with another one, and every other round goes backwards, so that none always follows the same one. Two
 * contenders are compared round by round, which excludes changes from one round to the next.
 *
 * @param contenders each with a name and `shot(milliseconds)`, which gives a number
 * @returns the numbers of each contender by name, in the order of the rounds
 */
export async function interleave(contenders, { rounds, milliseconds, warmUp }) {
  for (const contender of contenders) await warm(contender, { milliseconds, warmUp });
  const figures = Object.fromEntries(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    const turns = contenders.map((_, turn) => contenders[(round + turn) % contenders.length]);
    for (const contender of round % 2 === 0 ? turns : turns.reverse()) {
      await sleep(pause);
      figures[contender.name].push(await contender.shot(milliseconds));
    }
  }
  return figures;
}

/**
 * In shots like those that are measured, each with new connections: V8 compiles for the connections that it has seen,
 * and starts again with the next ones, until it has seen enough kinds.
 */
async function warm(contender, { milliseconds, warmUp }) {
  const total = contender.warmUp ?? warmUp;
  let spent = 0;
  do {
    await contender.shot(milliseconds);
    spent += milliseconds;
  } while (spent < total);
}

/** One ratio for each round. */
export function ratios(over, under) {
  return over.map((value, round) => value / under[round]);
}
