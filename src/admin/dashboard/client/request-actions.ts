import type { MutableRef } from "preact/hooks";
import { termText } from "../../../sandbox/journal/query.js";
import type { JournalPage } from "../view/data.js";
import { requestsHash } from "../view/parts.js";
import { withTerms } from "../view/query-text.js";
import type { Attempts } from "./actions.js";
import { get } from "./api.js";
import type { Chosen } from "./detail.js";
import { download } from "./download.js";
import { hideUpTo } from "./hidden.js";
import { goTo, type Place } from "./place.js";
import { beside, go, routeOf } from "./router.js";
import { ofRow } from "./rows.js";
import type { Journal } from "./use-journal.js";

/** What the page of requests consists of. */
interface Model {
  readonly place: Place;
  readonly chosen: Chosen | undefined;
  /** The chosen row. */
  readonly row: string | undefined;
  readonly marked: string | undefined;
  readonly journal: Journal;
  readonly parts: {
    readonly list: MutableRef<HTMLElement | null>;
    readonly field: MutableRef<HTMLInputElement | null>;
    readonly dialog: MutableRef<HTMLDialogElement | null>;
  };
  /** Whether the last change of the query came while the user was typing: then it has no place in the history. */
  readonly wasTyping: MutableRef<boolean>;
  readonly setPaused: (isPaused: boolean) => void;
  readonly setMarked: (key: string | undefined) => void;
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
export function requestMoves({ place, chosen, row, marked, journal, wasTyping, setMarked }: Model) {
  const { rows, reader } = journal;
  const open = (key: string) => {
    const entry = ofRow(key, rows.run);
    goTo({ ...place, ...entry }, chosen !== undefined);
  };
  const mark = (key: string) => {
    if (/^r\d+$/.test(key)) setMarked(marked === key ? undefined : key);
  };
  /** Compares a request with the marked one, or with the one that is shown; marks it if there is neither. */
  const compareWith = (key: string) => {
    const first = marked ?? row;
    const canCompare = first !== undefined && first !== key && [first, key].every((one) => /^r\d+$/.test(one));
    if (canCompare) go(beside("requests", first, "with", key));
    else mark(key);
  };
  return {
    mark,
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
      const next = rows.neighbour(row, distance);
      if (next !== undefined) open(next);
    },
  };
}

/** What can be done with the list as a whole. */
export function requestActions(
  { place: { query }, chosen, journal, parts: { list, field, dialog }, setPaused }: Model,
  { look, mark }: ReturnType<typeof requestMoves>,
) {
  const { reader, rows } = journal;
  /** What is in the field, even if it was not sent yet. */
  const typed = () => field.current?.value ?? query;
  return {
    mark,
    showAll() {
      look("");
      field.current?.focus();
    },
    showAllTimes() {
      look(withTerms(query, ["from", "to"], []));
      field.current?.focus();
    },
    chooseOutcome: (outcome) =>
      look(withTerms(typed(), ["outcome"], outcome === "all" ? [] : [termText("outcome", outcome)])),
    sortBy: (sorting) => look(withTerms(typed(), ["sort"], sorting === "time" ? [] : [termText("sort", sorting)])),
    pause(isPaused) {
      setPaused(isPaused);
      if (!isPaused) reader.bring();
    },
    bring() {
      list.current?.scrollTo(0, 0);
      list.current?.focus();
      reader.bring();
    },
    async hide() {
      const { run, items } = await get<JournalPage>("/journal?pageSize=1");
      hideUpTo(run, items[0]?.order ?? 0);
      journal.readHidden();
    },
    showAgain() {
      hideUpTo(rows.run, 0);
      list.current?.focus();
      journal.readHidden();
    },
    askToEmpty() {
      if (dialog.current) dialog.current.returnValue = "";
      dialog.current?.showModal();
    },
    exportAs: (format) =>
      download(`/journal/export?${new URLSearchParams({ format, ...(query !== "" && { q: query }) })}`),
    close() {
      // When the field loses the focus, a query that is being typed becomes part of the address.
      list.current?.focus();
      go(requestsHash(routeOf(location.hash).query ?? query));
    },
    showTab: (tab) => go(beside("requests", chosen?.key ?? "", ...(tab === "why" ? [] : [tab])), true),
  } satisfies Partial<Attempts>;
}
