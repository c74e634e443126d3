import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { termText } from "../../../../sandbox/journal/query.js";
import type { QueryKey } from "../../../../sandbox/journal/query-keys.js";
import { get, type JournalPage, remove } from "../api.js";
import { useDashboard } from "../dashboard.js";
import { firstCommands } from "../detail/curl.js";
import { type Chosen, Detail } from "../detail/detail.js";
import { filesOfIdentity } from "../files.js";
import { writtenIn } from "../format.js";
import { isTyping, useKeptFocus, useLatest, useRead, useWindow } from "../hooks.js";
import { readKept, writeKept } from "../kept.js";
import { go, type Place, requestsHash, routeOf } from "../router.js";
import type { ConnectionState } from "../shell.js";
import { useFeed } from "./feed.js";
import { ListHeads } from "./list-heads.js";
import { EmptyingDialog, EmptyList, ListLine } from "./list-state.js";
import { requestMoves } from "./moves.js";
import { OverviewPart, useOverview } from "./overview.js";
import { rangeIn, seenValues, withTerms } from "./query-text.js";
import { RequestList } from "./request-list.js";
import { SearchForm, shownCount } from "./search.js";
import { hideUpTo, type Journal, useJournal } from "./use-journal.js";

/** What the whole page does for the page of requests. */
interface Outside {
  /** Says something that only a screen reader reads. */
  readonly announce: (text: string) => void;
  readonly setConnection: (state: ConnectionState) => void;
  readonly setRun: (run: string) => void;
}

export interface RequestsProps extends Outside {
  /** The newest entries, when the page was opened. */
  readonly first: JournalPage;
  /** Base URL of the API. */
  readonly url: string;
  readonly place: Place;
  readonly isShown: boolean;
}

/** The page of requests: query, overview, list and details. It stays when another page is shown. */
export function RequestsPage({ first, url, place, isShown, ...outside }: RequestsProps) {
  const { attempt, isLost, say } = useDashboard();
  const { query } = place;
  /** Whether the text in the field was judged, and has a mistake. */
  const [isWrong, setWrong] = useState(false);
  const [isOverviewOpen, foldOverview] = useFold();
  const [isPaused, setPaused] = useState(false);
  const [isListHeld, setListHeld] = useState(false);
  const [marked, setMarked] = useState<string>();
  const list = useRef<HTMLUListElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  const journal = useJournal(first, { query, isHeld: isPaused || isListHeld || place.key !== undefined });
  const { rows, page, after, reader } = journal;
  const { items } = rows;
  const chosen = useChosen(place, journal);
  // After a restart of the sandbox, another request has the same number.
  const row = chosen?.run === rows.run ? chosen.key : undefined;
  useLayoutEffect(() => list.current?.scrollTo(0, 0), [query]);
  // What was marked is compared now, or gone.
  useEffect(() => {
    if (chosen?.other !== undefined) setMarked(undefined);
  }, [chosen?.other]);
  useEffect(() => setMarked(undefined), [rows.run]);
  useAnnouncedCount(outside, journal, { query, isShown });
  useFollowing(outside, journal, isPaused);
  useFocus(chosen, isShown);
  const moves = requestMoves({ place, chosen, row, marked, journal, wasTyping: useRef(false), setMarked, say });
  const { look } = moves;
  /** Replaces terms of the query. What is in the field counts, even if it was not sent yet. */
  const narrow = (keys: readonly QueryKey[], ...terms: readonly string[]) =>
    look(withTerms(field.current?.value ?? query, keys, terms));
  const close = () => {
    // When the field loses the focus, a query that is being typed becomes part of the address.
    list.current?.focus();
    go(requestsHash(routeOf(location.hash).query ?? query));
  };
  useWindow("keydown", (event) => {
    if (!isShown) return;
    if (event.key === "Escape" && chosen) close();
    else if (event.key === "m" && !isTyping(event)) moves.markShown();
  });
  const found = useOverview(query, { after, isShown, round: journal.round });
  const overview = useOverviewPart(found, query, (from, to) => {
    if (from !== undefined && to !== undefined)
      return narrow(["from", "to"], termText("from", from), termText("to", to));
    narrow(["from", "to"]);
    field.current?.focus();
  });
  const isEmpty = items.length === 0;
  const { value: files } = useRead(async () => (isEmpty ? filesOfIdentity("demo") : undefined), [isEmpty]);
  return (
    <div id="requests" class={chosen ? "requests has-detail" : "requests"} hidden={!isShown}>
      <div class="list-pane">
        <SearchForm
          query={query}
          counts={page.counts}
          isPaused={isPaused}
          field={field}
          seen={(key) => seenValues(key, items, found?.overview)}
          onQuery={look}
          onJudged={setWrong}
          onLeave={() => list.current?.focus()}
          onOutcome={(outcome) => narrow(["outcome"], ...(outcome === "all" ? [] : [termText("outcome", outcome)]))}
          onPause={(isPaused) => {
            setPaused(isPaused);
            if (!isPaused) reader.bring();
          }}
          onHide={() =>
            attempt(async () => {
              const { run, items } = await get<JournalPage>("/journal?pageSize=1");
              hideUpTo(run, items[0]?.order ?? 0);
              journal.readHidden();
            })
          }
        />
        <ListLine
          query={query}
          journal={journal}
          isWrong={isWrong}
          refusals={found?.overview.groups.length}
          isOverviewOpen={isOverviewOpen}
          onFold={foldOverview}
          onBring={() => {
            list.current?.scrollTo(0, 0);
            list.current?.focus();
            reader.bring();
          }}
          onShowAgain={() => {
            hideUpTo(rows.run, 0);
            list.current?.focus();
            journal.readHidden();
          }}
          onEmpty={() => {
            if (dialog.current) dialog.current.returnValue = "";
            dialog.current?.showModal();
          }}
        />
        <div id="overview" class="overview" hidden={!isOverviewOpen}>
          {isOverviewOpen && overview}
        </div>
        <ListHeads
          query={query}
          onSort={({ by, isReversed }) => {
            const term = `${isReversed ? "-" : ""}${termText("sort", by)}`;
            narrow(["sort"], ...(term === "sort:time" ? [] : [term]));
          }}
        />
        <RequestList
          isOld={isWrong || isLost || journal.answered !== query}
          items={items}
          hasMore={rows.cursor !== undefined}
          chosen={row}
          marked={marked}
          list={list}
          onHold={setListHeld}
          onMore={() => void reader.more()}
          onKeyDown={moves.onKeyDown}
          onPick={moves.pick}
        />
        <p id="list-keys" class="sr-only">
          Arrow keys choose a request, Enter goes to its details. The key m marks one, to compare it with another.
        </p>
        <div id="empty" class="empty stack" hidden={!isEmpty}>
          {isEmpty && (
            <EmptyList
              query={query}
              isHiding={after > 0}
              url={url}
              commands={files && firstCommands(files)}
              onShowAll={() => {
                look("");
                field.current?.focus();
              }}
            />
          )}
        </div>
      </div>
      <Detail chosen={chosen} items={items} tab={place.tab} close={close} />
      <EmptyingDialog
        dialog={dialog}
        onClose={(wasConfirmed) => {
          if (wasConfirmed) void attempt(() => remove("/requests"));
          // The browser restores the focus, but not to an element that no longer exists.
          if (document.activeElement === document.body) field.current?.focus();
        }}
      />
    </div>
  );
}

const foldKey = "payments-sandbox-overview";

/** Whether the chart and the refusals are open, as the user left them in this browser. */
function useFold(): [isOpen: boolean, fold: () => void] {
  const [isOpen, setOpen] = useState(() => readKept(foldKey) === "open");
  const fold = () => {
    setOpen(!isOpen);
    writeKept(foldKey, isOpen ? "folded" : "open");
  };
  return [isOpen, fold];
}

/** The chosen entry, with the start of the sandbox that it belongs to: the present one, when the user arrived. */
function useChosen(place: Place, { rows }: Journal): Chosen | undefined {
  return useMemo(() => {
    const { key, other, run = rows.run } = place;
    return key === undefined ? undefined : { key, run, other };
  }, [place]);
}

/** Something on the page has the focus, whatever disappears. */
function useFocus(chosen: Chosen | undefined, isShown: boolean): void {
  useKeptFocus("overview", "query");
  useKeptFocus("list-state", "list");
  useKeptFocus("empty", "query");
  useKeptFocus("requests", !isShown ? "main" : chosen ? "detail" : "list");
}

/** The chart and the groups. They have many parts, and the list changes more often. */
function useOverviewPart(
  found: ReturnType<typeof useOverview>,
  query: string,
  choose: (from?: string, to?: string) => void,
) {
  const latest = useLatest(choose);
  return useMemo(() => {
    const { from, to } = rangeIn(query);
    return (
      found && (
        <OverviewPart
          overview={found.overview}
          isNarrowed={from !== undefined || to !== undefined}
          now={found.readAt}
          choose={(...range) => latest.current(...range)}
        />
      )
    );
  }, [found, query, writtenIn()]);
}

/** A screen reader reads how many entries match, after the user has changed the query or hidden some. */
function useAnnouncedCount(
  { announce }: Outside,
  { page, after }: Journal,
  { query, isShown }: { readonly query: string; readonly isShown: boolean },
): void {
  const isAwaited = useRef(true);
  useEffect(() => {
    if (!isShown) return;
    const count = shownCount(page.total, page.kept);
    if (isAwaited.current) announce(after === 0 ? count : `${count}. Older requests are hidden in this browser.`);
    isAwaited.current = false;
  }, [page]);
  useEffect(() => {
    isAwaited.current = true;
  }, [query, after]);
}

/** Follows the journal, and says when the sandbox was restarted, emptied, or cannot be reached. */
function useFollowing({ announce, setConnection, setRun }: Outside, journal: Journal, isPaused: boolean): void {
  const { say, kept } = useDashboard();
  const [state, setState] = useState<ConnectionState>("connecting");
  const listener = {
    connection: setState,
    cleared() {
      journal.clear();
      say("The journal was emptied.");
    },
    news() {
      if (!document.hidden) journal.reader.news();
    },
  };
  useFeed(listener, kept === undefined);
  const connection = isPaused && state !== "lost" ? "paused" : state;
  const before = useRef(connection);
  useEffect(() => {
    setConnection(connection);
    if (connection === "lost") announce("The sandbox cannot be reached.");
    else if (before.current === "lost") announce("The sandbox can be reached again.");
    before.current = connection;
  }, [connection]);
  const { run } = journal.rows;
  const firstRun = useRef(run);
  useEffect(() => {
    if (run !== firstRun.current) announce("The sandbox was started again.");
    firstRun.current = run;
    setRun(run);
  }, [run]);
}
