import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { termText } from "../../../sandbox/journal/query.js";
import { ActionsProvider } from "../view/actions.js";
import { firstCommands } from "../view/curl.js";
import { writtenIn } from "../view/format.js";
import { OverviewPart } from "../view/overview.js";
import { rangeIn, withTerms } from "../view/query-text.js";
import { RequestList } from "../view/request-list.js";
import {
  AllHidden,
  EmptyingDialog,
  EmptyState,
  ListLine,
  NothingFound,
  RequestsFrame,
} from "../view/requests-frame.js";
import { SearchForm, shownCount } from "../view/search.js";
import type { ConnectionState, FirstView } from "../view/shell.js";
import { useFurtherActions } from "./actions.js";
import { remove } from "./api.js";
import { type Chosen, Detail } from "./detail.js";
import { type News, useFeed } from "./feed.js";
import { factsOfIdentity } from "./files.js";
import { isTyping, useDocument, useKeptFocus } from "./hooks.js";
import type { Place } from "./place.js";
import { requestActions, requestMoves } from "./request-actions.js";
import { rowKey } from "./rows.js";
import { seenValues } from "./seen.js";
import { type Journal, useJournal } from "./use-journal.js";
import { useOverview } from "./use-overview.js";

/** What the whole page does for the page of requests. */
interface Outside {
  readonly say: (text: string) => void;
  /** Says something that only a screen reader reads. */
  readonly announce: (text: string) => void;
  readonly setConnection: (state: ConnectionState) => void;
  readonly setRun: (run: string) => void;
}

export interface RequestsProps extends Outside {
  readonly first: FirstView;
  readonly place: Place;
  readonly isShown: boolean;
  readonly language: string;
}

/** The page of requests: query, overview, list and details. It stays when another page is shown. */
export function RequestsPage({ first, place, isShown, language, ...outside }: RequestsProps) {
  const { query, tab } = place;
  const [isPaused, setPaused] = useState(false);
  const [isListHeld, setListHeld] = useState(false);
  const [marked, setMarked] = useState<string>();
  const parts = {
    list: useRef<HTMLUListElement>(null),
    field: useRef<HTMLInputElement>(null),
    dialog: useRef<HTMLDialogElement>(null),
  };
  const journal = useJournal(first.page, { query, isHeld: isPaused || isListHeld || place.key !== undefined });
  const { rows, items, page, waiting, after } = journal;
  const chosen = useChosen(place, journal);
  const row = chosen && rowKey(chosen.key, chosen.run, rows.run);
  useLayoutEffect(() => journal.choose(row), [row]);
  useLayoutEffect(() => parts.list.current?.scrollTo(0, 0), [query]);
  // What was marked is compared now.
  useEffect(() => {
    if (chosen?.other !== undefined) setMarked(undefined);
  }, [chosen?.other]);
  useAnnouncedCount(outside, journal, query);
  useFollowing(outside, journal, isPaused);
  useFocus(chosen, isShown);
  const model = { place, chosen, row, marked, journal, parts, wasTyping: useRef(false), setPaused, setMarked };
  const moves = requestMoves(model);
  const own = requestActions(model, moves);
  const actions = useFurtherActions(outside.say, own);
  useDocument("keydown", (event) => {
    if (!isShown) return;
    if (event.key === "Escape" && chosen) own.close();
    else if (event.key === "m" && !isTyping(event)) moves.markShown();
  });
  const found = useOverview(query, { after, isShown, round: journal.round });
  const overview = useOverviewPart(found, place, chosen, moves.look);
  const empty = useEmptyPart(first.url, journal, query);
  return (
    <ActionsProvider value={actions}>
      <RequestsFrame
        isShown={isShown}
        hasDetail={chosen !== undefined}
        search={
          <SearchForm
            query={query}
            counts={page.counts}
            isPaused={isPaused}
            field={parts.field}
            seen={(key) => seenValues(key, rows.entries, found?.overview)}
            onQuery={moves.look}
            onLeave={() => parts.list.current?.focus()}
          />
        }
        overview={overview}
        line={<ListLine query={query} page={page} waiting={waiting} isHiding={after > 0} />}
        list={
          <RequestList
            items={items}
            hasMore={rows.cursor !== undefined}
            chosen={row}
            marked={marked}
            list={parts.list}
            onHold={setListHeld}
            onMore={() => void journal.reader.more()}
            onKeyDown={moves.onKeyDown}
            onPick={moves.pick}
          />
        }
        empty={empty}
      >
        <Detail chosen={chosen} rows={rows} tab={tab} language={language} marked={marked} say={outside.say} />
        <EmptyingDialog
          dialog={parts.dialog}
          onClose={(wasConfirmed) => {
            if (wasConfirmed) remove("/requests").catch((error: unknown) => outside.say(String(error)));
            // The browser restores the focus, but not to an element that no longer exists.
            if (document.activeElement === document.body) parts.field.current?.focus();
          }}
        />
      </RequestsFrame>
    </ActionsProvider>
  );
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
  place: Place,
  chosen: Chosen | undefined,
  look: (query: string) => void,
) {
  return useMemo(() => {
    const { query } = place;
    const { from, to } = rangeIn(query);
    const choose = (from: string, to: string) =>
      look(withTerms(query, ["from", "to"], [termText("from", from), termText("to", to)]));
    const isNarrowed = from !== undefined || to !== undefined;
    return (
      found && <OverviewPart overview={found.overview} isNarrowed={isNarrowed} now={found.readAt} choose={choose} />
    );
  }, [found, place, chosen, writtenIn()]);
}

/** What is shown in place of an empty list. */
function useEmptyPart(url: string, { items, after }: Journal, query: string) {
  const commands = useFirstCommands(items.length === 0);
  if (items.length > 0) return undefined;
  if (query !== "") return <NothingFound />;
  return after > 0 ? <AllHidden /> : <EmptyState url={url} commands={commands} />;
}

/** A screen reader reads how many entries match, after the user has changed the query. */
function useAnnouncedCount({ announce }: Outside, { page }: Journal, query: string): void {
  const isAwaited = useRef(true);
  useEffect(() => {
    if (isAwaited.current) announce(`${shownCount(page.total, page.kept)} requests`);
    isAwaited.current = false;
  }, [page]);
  useEffect(() => {
    isAwaited.current = true;
  }, [query]);
}

/** Follows the journal, and says when the sandbox was restarted, emptied, or cannot be reached. */
function useFollowing({ announce, say, setConnection, setRun }: Outside, journal: Journal, isPaused: boolean): void {
  const [state, setState] = useState<ConnectionState>("connecting");
  useFeed((news: News) => {
    if (news.kind === "connection") setState(news.state);
    else if (news.kind === "cleared") {
      journal.clear();
      say("The journal was emptied.");
    } else if (!document.hidden) journal.reader.news();
  });
  const connection = isPaused && state !== "lost" ? "paused" : state;
  const before = useRef(connection);
  useEffect(() => {
    setConnection(connection);
    if (connection === "lost") announce("The sandbox cannot be reached.");
    else if (before.current === "lost") announce("The sandbox can be reached again.");
    before.current = connection;
  }, [connection]);
  const { run } = journal.page;
  const firstRun = useRef(run);
  useEffect(() => {
    if (run !== firstRun.current) announce("The sandbox was started again.");
    firstRun.current = run;
    setRun(run);
  }, [run]);
}

/** The first commands, with the paths of their files; undefined until they are known. */
function useFirstCommands(isWanted: boolean): string | undefined {
  const [commands, setCommands] = useState<string>();
  useEffect(() => {
    if (!isWanted || commands !== undefined) return;
    // The page is useful without the commands, too.
    factsOfIdentity("demo").then(
      (facts) => facts && setCommands(firstCommands(facts)),
      () => {},
    );
  }, [isWanted]);
  return commands;
}
