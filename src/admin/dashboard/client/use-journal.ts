import { useEffect, useMemo, useState } from "preact/hooks";
import type { JournalPage } from "../view/data.js";
import { hiddenUpTo, onHidden } from "./hidden.js";
import { useLatest } from "./hooks.js";
import { JournalReader } from "./journal-reader.js";
import { Rows } from "./rows.js";

export type Journal = ReturnType<typeof useJournal>;

/**
 * The entries of a query, kept up to date.
 * @param isHeld whether the list must not move: then new entries wait
 */
export function useJournal(
  first: JournalPage,
  { query, isHeld }: { readonly query: string; readonly isHeld: boolean },
) {
  const rows = useMemo(() => new Rows(first), []);
  const [items, setItems] = useState(rows.items);
  const [{ page, waiting }, setAnswer] = useState<{ page: JournalPage; waiting?: JournalPage | undefined }>({
    page: first,
  });
  const [after, setAfter] = useState(0);
  /** Another number asks again. */
  const [round, setRound] = useState(0);
  const held = useLatest(isHeld);
  const reader = useMemo(
    () =>
      new JournalReader(rows, {
        isHeld: () => held.current,
        changed(page, waiting) {
          if (!waiting) setItems(rows.items);
          setAnswer({ page, waiting: waiting && waiting.total > 0 ? waiting : undefined });
        },
      }),
    [],
  );
  /** Entries up to this one are hidden in this browser. After a restart of the sandbox, they have other numbers. */
  const readHidden = () => setAfter(hiddenUpTo(rows.run));
  useEffect(() => {
    readHidden();
    return onHidden(readHidden);
  }, [page.run]);
  useEffect(() => reader.ask(query, after), [query, after, page.run, round]);
  useEffect(() => {
    if (waiting && !isHeld) reader.bring();
  }, [isHeld]);
  return {
    rows,
    items,
    page,
    waiting,
    after,
    round,
    reader,
    readHidden,
    /** Keeps an entry as long as it is chosen, even if others are removed. */
    choose(row: string | undefined) {
      rows.choose(row);
      setItems(rows.items);
    },
    /** The journal was emptied. */
    clear() {
      rows.clear();
      setItems(rows.items);
      setRound(round + 1);
    },
  };
}
