import type { AnyEntry, Journal } from "../journal/journal.js";
import { refuseGone } from "./error.js";
import { doInTurns } from "./turns.js";

/**
 * Ends with the query over a journal that came last. Queries of one sandbox wait for each other, so that the answers of one at a time are
 * kept. Those of another sandbox in the same process do not wait for them.
 */
const lastOf = new WeakMap<Journal, Promise<unknown>>();

/**
 * The same test, which remembers its answers, and has those for all entries of the journal. They are tested in turns: a query of many
 * terms takes seconds over a full journal.
 * @param signal aborted when nobody waits for the answer any more
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
 * Looks at each entry that is in the journal when it begins, newest first.
 * @param signal aborted when nobody waits for the end any more
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
