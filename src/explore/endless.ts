import { mostFailures } from "../exam/known/pauses.js";

/** A fault that stays may act so often for each call, and once more for a walk that begins again. */
const mostAttempts = 16;

/**
 * Says whether a client repeats without an end. The run goes on until `retry.bounded` can prove it: many calls whose
 * pauses grow fail as often as one call whose pauses do not. Where that takes too long, the run ends before.
 * @param calls how many calls of the client send the request, or need a token
 * @returns a function of how often the fault acted, and in what time, in milliseconds
 */
export function endlessWith(calls: number): (faults: number, within: number) => boolean {
  return (faults, within) => {
    if (faults <= mostAttempts * (1 + calls)) return false;
    if (calls <= 1) return true;
    const isProven = faults > calls * (1 + mostFailures({ begunAt: 0, endedAt: within }));
    const isSlow = faults * 1000 < calls * within;
    return isProven || isSlow;
  };
}
