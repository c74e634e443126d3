import type { AnyEntry, Journal } from "../journal/journal.js";

/** Entries that are looked at in one turn of the event loop. The worst query takes about a millisecond for one of them. */
const piece = 50;

/**
 * The same test, which remembers its answers, and has those for all entries of the journal. They are tested in pieces, between which
 * requests are served: a query of many terms takes seconds over a full journal.
 */
export async function testedInTurns(
  journal: Journal,
  test: (entry: AnyEntry) => boolean,
): Promise<(entry: AnyEntry) => boolean> {
  const known = new WeakMap<object, boolean>();
  const tested = (entry: AnyEntry) => {
    const found = known.get(entry.item) ?? test(entry);
    known.set(entry.item, found);
    return found;
  };
  for (const [index, entry] of [...journal.newestFirst()].entries()) {
    if (index % piece === piece - 1) await new Promise(setImmediate);
    tested(entry);
  }
  return tested;
}
