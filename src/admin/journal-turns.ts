import type { AnyEntry, Journal } from "../sandbox/journal/journal.js";
import { refuseGone } from "./error.js";
import { doInTurns } from "./turns.js";

/**
 * Settles with the last query over a journal. Queries of one sandbox run one after the other: memory holds the answers
 * of only one at a time. Those of another sandbox in the same process do not wait for them.
 */
const lastOf = new WeakMap<Journal, Promise<unknown>>();

/**
 * The same test with a cache, which is filled for all entries of the journal. The entries are tested in turns: a query
 * with many terms takes seconds over a full journal.
 * @param signal aborted when the caller has gone
 * @throws AdminError when it is
 */
export function testedInTurns(
  journal: Journal,
  test: (entry: AnyEntry) => boolean,
  signal: AbortSignal,
): Promise<(entry: AnyEntry) => boolean> {
  const last = lastOf.get(journal) ?? Promise.resolve();
  const tested = last.then(() => testAll(journal, test, signal));
  lastOf.set(
    journal,
    tested.catch(() => {}),
  );
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
  await lookInTurns(journal, tested, signal);
  return tested;
}

/**
 * Looks at each entry that is in the journal at the beginning, newest first.
 * @param signal aborted when the caller has gone
 * @throws AdminError when it is
 */
export function lookInTurns(journal: Journal, look: (entry: AnyEntry) => unknown, signal: AbortSignal): Promise<void> {
  let entries: Iterator<AnyEntry> | undefined;
  return doInTurns(() => {
    refuseGone(signal);
    entries ??= [...journal.newestFirst()].values();
    const { done, value } = entries.next();
    if (!done) look(value);
    return !done;
  });
}
