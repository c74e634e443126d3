import type { AnyEntry, Journal } from "../journal/journal.js";
import { refuseGone } from "./error.js";

/** Entries that are looked at in one turn of the event loop. The worst query takes about a millisecond for one of them. */
const piece = 50;

/** Ends with the query that came last. Queries wait for each other: the pieces of several would all come in the same turn. */
let last: Promise<unknown> = Promise.resolve();

/**
 * The same test, which remembers its answers, and has those for all entries of the journal. They are tested in pieces, between which
 * requests are served: a query of many terms takes seconds over a full journal.
 * @param signal aborted when nobody waits for the answer any more
 * @throws AdminError when it is
 */
export function testedInTurns(
  journal: Journal,
  test: (entry: AnyEntry) => boolean,
  signal: AbortSignal,
): Promise<(entry: AnyEntry) => boolean> {
  const tested = last.then(() => testAll(journal, test, signal));
  last = tested.catch(() => {});
  return tested;
}

async function testAll(
  journal: Journal,
  test: (entry: AnyEntry) => boolean,
  signal: AbortSignal,
): Promise<(entry: AnyEntry) => boolean> {
  const known = new WeakMap<object, boolean>();
  const tested = (entry: AnyEntry) => {
    const found = known.get(entry.item) ?? test(entry);
    known.set(entry.item, found);
    return found;
  };
  for (const [index, entry] of [...journal.newestFirst()].entries()) {
    if (index % piece === 0) await new Promise(setImmediate);
    refuseGone(signal);
    tested(entry);
  }
  return tested;
}
