import { remember } from "../../../base/remember.js";
import { requestOf } from "../../known/same-request.js";
import { type Answered, answeredBy, type Sent } from "../../known/sending.js";
import type { ExchangeObservation } from "../../observation.js";

/** How many requests are remembered that were not processed and not sent again yet; and how many of the same. */
const mostPending = 128;
const mostOfOne = 16;

/** By method and target: the exchanges whose requests were not sent again yet, in the order in which they ended. */
export type Pending = Map<string, readonly Answered[]>;

/** Adds a request that has to be sent again. */
export function add(pending: Pending, observed: ExchangeObservation, sent: Sent): void {
  const key = requestOf(observed);
  const all = [...(pending.get(key) ?? []), answeredBy(observed, sent)].slice(-mostOfOne);
  remember(pending, key, all, mostPending);
}

/** Removes and returns the first one that a request repeats. */
export function takeFirst(
  pending: Pending,
  observed: ExchangeObservation,
  isRepeated: (answer: Answered) => boolean,
): Answered | undefined {
  const key = requestOf(observed);
  const all = pending.get(key);
  const found = all?.find(isRepeated);
  if (all === undefined || found === undefined) return undefined;
  const others = all.filter((answer) => answer !== found);
  if (others.length === 0) pending.delete(key);
  else pending.set(key, others);
  return found;
}

/** The exchanges whose requests were not sent again. */
export function ids(pending: Pending): readonly number[] {
  return [...pending.values()].flat().map(({ id }) => id);
}
