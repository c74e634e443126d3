import { useEffect, useMemo, useState } from "preact/hooks";
import type { JournalPage } from "../api.js";
import { useLatest, useWindow } from "../hooks.js";
import { readKept, writeKept } from "../kept.js";
import { JournalReader } from "./journal-reader.js";
import { type Rows, rowsOf } from "./rows.js";

export type Journal = ReturnType<typeof useJournal>;

/** What the list shows. */
interface Shown {
  readonly rows: Rows;
  /** Its numbers are those of the rows. */
  readonly page: JournalPage;
  /** The entries that are newer than the rows, if there are any. */
  readonly waiting?: JournalPage | undefined;
  /** The query that the rows belong to. */
  readonly answered: string;
}

/**
 * The entries of a query, kept up to date.
 * @param isHeld whether no row may move: then new entries wait
 */
export function useJournal(
  first: JournalPage,
  { query, isHeld }: { readonly query: string; readonly isHeld: boolean },
) {
  const [shown, setShown] = useState<Shown>(() => ({ rows: rowsOf(first), page: first, answered: "" }));
  const [after, setAfter] = useState(0);
  /** Another number asks again. */
  const [round, setRound] = useState(0);
  const held = useLatest(isHeld);
  const asked = useLatest(query);
  const reader = useMemo(
    () =>
      new JournalReader(shown.rows, {
        isHeld: () => held.current,
        show: (rows, page) => setShown({ rows, page, answered: asked.current }),
        wait: (newer) => setShown((before) => ({ ...before, waiting: newer.total > 0 ? newer : undefined })),
      }),
    [],
  );
  const { run } = shown.rows;
  /** Entries up to this one are hidden in this browser. After a restart of the sandbox, they have other numbers. */
  const readHidden = () => setAfter(hiddenUpTo(reader.rows.run));
  useEffect(readHidden, [run]);
  // Another tab hides entries, or shows them again.
  useWindow("storage", ({ key }) => key === storageKey && readHidden());
  useEffect(() => reader.ask(query, after), [query, after, round]);
  useEffect(() => {
    if (shown.waiting && !isHeld) reader.bring();
  }, [isHeld]);
  /** The journal was emptied. */
  const clear = () => setRound(round + 1);
  return { ...shown, after, round, reader, readHidden, clear };
}

const storageKey = "payments-sandbox-hidden";

/** The last entry that was cleared from the list in this browser. */
interface Hidden {
  /** The start of the sandbox that the number belongs to. */
  readonly run: string;
  readonly order: number;
}

/** Without the browser's storage, the value is kept until the page is reloaded. */
let kept: Hidden | undefined;

/** The last entry that is hidden in this browser; 0 if none is. */
function hiddenUpTo(run: string): number {
  const hidden = read();
  return hidden !== undefined && hidden.run === run ? hidden.order : 0;
}

/** Hides the entries up to one, in all tabs of this browser; 0 shows all of them again. */
export function hideUpTo(run: string, order: number): void {
  kept = { run, order };
  writeKept(storageKey, JSON.stringify(kept));
}

function read(): Hidden | undefined {
  try {
    const hidden = JSON.parse(readKept(storageKey) ?? "null") as Partial<Hidden> | null;
    if (hidden === null || typeof hidden.run !== "string" || !Number.isSafeInteger(hidden.order)) return kept;
    return hidden as Hidden;
  } catch {
    return kept;
  }
}
