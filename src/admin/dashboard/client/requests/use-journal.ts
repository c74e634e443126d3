import { useEffect, useMemo, useState } from "preact/hooks";
import type { JournalPage } from "../api.js";
import { useLatest } from "../hooks.js";
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
  const [{ page, waiting, of }, setAnswer] = useState<{
    page: JournalPage;
    waiting?: JournalPage | undefined;
    /** The query that was answered. */
    of: string;
  }>({ page: first, of: "" });
  const [after, setAfter] = useState(0);
  /** Another number asks again. */
  const [round, setRound] = useState(0);
  const held = useLatest(isHeld);
  const asked = useLatest(query);
  const reader = useMemo(
    () =>
      new JournalReader(rows, {
        isHeld: () => held.current,
        changed(page, waiting) {
          if (!waiting) setItems(rows.items);
          setAnswer({ page, waiting: waiting && waiting.total > 0 ? waiting : undefined, of: asked.current });
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
    /** The query that the rows belong to. */
    answered: of,
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
  try {
    localStorage.setItem(storageKey, JSON.stringify(kept));
  } catch {
    // The user has disabled the storage.
  }
}

/**
 * Calls the listener when another tab hides entries, or shows them again.
 * @returns ends it
 */
function onHidden(listener: () => void): () => void {
  const listen = ({ key }: StorageEvent) => {
    if (key === storageKey) listener();
  };
  window.addEventListener("storage", listen);
  return () => window.removeEventListener("storage", listen);
}

function read(): Hidden | undefined {
  try {
    const hidden = JSON.parse(localStorage.getItem(storageKey) ?? "null") as Partial<Hidden> | null;
    if (hidden === null || typeof hidden.run !== "string" || !Number.isSafeInteger(hidden.order)) return kept;
    return hidden as Hidden;
  } catch {
    return kept;
  }
}
