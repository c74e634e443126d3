import type { MutableRef } from "preact/hooks";
import type { Chosen } from "../detail/detail.js";
import { beside, go, goTo, type Place } from "../router.js";
import { neighbourOf } from "./rows.js";
import type { Journal } from "./use-journal.js";

/** Where the user is in the list. */
interface Model {
  readonly place: Place;
  readonly chosen: Chosen | undefined;
  /** The chosen row. */
  readonly row: string | undefined;
  /** The row that is marked for a comparison. */
  readonly marked: string | undefined;
  readonly journal: Journal;
  /** Whether the last change of the query came while the user was typing: then it has no place in the history. */
  readonly wasTyping: MutableRef<boolean>;
  readonly setMarked: (key: string | undefined) => void;
  /** Shows a message to the user. */
  readonly say: (text: string) => void;
}

/** How many rows a key moves the choice. */
const distances: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 12,
  PageUp: -12,
  End: Number.MAX_SAFE_INTEGER,
  Home: -Number.MAX_SAFE_INTEGER,
};

/** The ways from one place in the list to another. */
export function requestMoves({ place, chosen, row, marked, journal, wasTyping, setMarked, say }: Model) {
  const { reader } = journal;
  const open = (key: string) => goTo({ ...place, key, run: reader.rows.run }, chosen !== undefined);
  const mark = (key: string) => {
    if (!/^r\d+$/.test(key)) return;
    setMarked(marked === key ? undefined : key);
    if (marked !== key) say(`Request ${key.slice(1)} is marked. Press m on another one to compare them.`);
  };
  /** Compares a request with the marked one, or with the one that is shown; marks it if there is neither. */
  const compareWith = (key: string) => {
    const first = marked ?? row;
    const canCompare = first !== undefined && first !== key && [first, key].every((one) => /^r\d+$/.test(one));
    if (canCompare) go(beside("requests", first, "with", key));
    else mark(key);
  };
  return {
    /** Goes to another query. The choice stays. */
    look(query: string, isTyping = false) {
      goTo({ ...place, query, run: chosen?.run }, wasTyping.current);
      wasTyping.current = isTyping;
    },
    pick: (key: string, isToCompare: boolean) => (isToCompare ? compareWith(key) : open(key)),
    /** Marks the request that is shown, or compares it with the marked one. */
    markShown() {
      if (row === undefined || chosen?.other !== undefined) return;
      if (marked === undefined || marked === row) mark(row);
      else compareWith(row);
    },
    async onKeyDown(event: KeyboardEvent) {
      const distance = distances[event.key];
      if (event.key === "Enter" || event.key === "ArrowRight") document.getElementById("detail")?.focus();
      if (distance === undefined) return;
      event.preventDefault();
      const { hash } = location;
      if (event.key === "End") await reader.rest();
      // The user may have moved on meanwhile.
      if (location.hash !== hash) return;
      const next = neighbourOf(reader.rows, row, distance);
      if (next !== undefined) open(next);
    },
  };
}
