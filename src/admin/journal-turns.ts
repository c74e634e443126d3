import type { AnyEntry, Journal } from "../journal/journal.js";

/** Entries that are looked at in one turn of the event loop. The worst query takes about a millisecond for one of them. */
const piece = 50;

/**
 * The same test, with its answers for all entries of the journal. It is made of them in pieces, between which requests are served: a
 * query of many terms takes seconds over a full journal.
 */
export async function testedInTurns(
  journal: Journal,
  test: (entry: AnyEntry) => boolean,
): Promise<(entry: AnyEntry) => boolean> {
  const known = new Map<number, boolean>();
  for (const [index, entry] of [...journal.newestFirst()].entries()) {
    if (index % piece === piece - 1) await new Promise(setImmediate);
    known.set(entry.order, test(entry));
  }
  return (entry) => known.get(entry.order) ?? test(entry);
}
