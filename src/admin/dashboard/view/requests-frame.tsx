import type { ComponentChildren, VNode } from "preact";
import type { MutableRef } from "preact/hooks";
import { parseQuery, type Sorting, sortingOf, sortings } from "../../../sandbox/journal/query.js";
import { useActions } from "./actions.js";
import type { JournalPage } from "./data.js";
import { Menu } from "./menu.js";
import { Button, CodeBlock } from "./parts.js";
import { outcomeIn } from "./query-text.js";
import { newCount, shownCount } from "./search.js";

/** The page of requests: what is above the list, the list, and the details next to it. */
export function RequestsFrame({
  isShown,
  hasDetail,
  children,
  ...parts
}: {
  isShown: boolean;
  hasDetail: boolean;
  search: VNode;
  overview?: ComponentChildren;
  line: VNode;
  list: VNode;
  /** Shown in place of an empty list. */
  empty: ComponentChildren;
  /** The details, and dialogs. */
  children?: ComponentChildren;
}) {
  return (
    <div id="requests" class={hasDetail ? "requests has-detail" : "requests"} hidden={!isShown}>
      <div class="list-pane">
        {parts.search}
        <div id="overview" class="overview">
          {parts.overview}
        </div>
        <div id="list-state" class="list-state">
          {parts.line}
        </div>
        {parts.list}
        <p id="list-keys" class="sr-only">
          Arrow keys choose a request, Enter goes to its details.
        </p>
        <div id="empty" class="empty" hidden={!parts.empty}>
          {parts.empty}
        </div>
      </div>
      {children}
    </div>
  );
}

/** Shown instead of an empty list: how to make a first request, once the paths of the files are known. */
export function EmptyState({ url, commands }: { url: string; commands: string | undefined }) {
  return (
    <>
      <h2>Nothing has arrived yet</h2>
      <p>
        Everything that reaches <code>{url}</code> appears here at once, with the reason when it is refused.
      </p>
      {commands !== undefined && <CodeBlock text={commands} what="a first token and ping" />}
    </>
  );
}

/** Shown if nothing matches the query. */
export function NothingFound() {
  const { showAll } = useActions();
  return (
    <>
      <h2>No request matches</h2>
      <Button onClick={showAll}>Show all</Button>
    </>
  );
}

/** Shown if everything is hidden in this browser. */
export function AllHidden() {
  return <h2>Nothing has arrived since you cleared the list</h2>;
}

const orders: Readonly<Record<Sorting, string>> = {
  time: "newest first",
  took: "slowest first",
  size: "largest first",
};

/** The line above the list: how much it shows, what waits, and what is hidden. */
export function ListLine({
  query = "",
  page,
  waiting,
  isHiding = false,
}: {
  query?: string;
  page: Pick<JournalPage, "total" | "kept">;
  /** The entries that are newer than the list; undefined if there are none. */
  waiting?: JournalPage | undefined;
  /** Whether entries are hidden in this browser. */
  isHiding?: boolean;
}) {
  const { bring, sortBy, showAgain, askToEmpty } = useActions();
  const count = shownCount(page.total, page.kept);
  const sorting = sortingOf(parseQuery(query));
  return (
    <>
      <span id="count">{count === "1" ? "1 request" : `${count} requests`}</span>
      <button type="button" id="waiting" class="pill" onClick={bring} hidden={!waiting}>
        {waiting && newCount(waiting.total, waiting.counts, outcomeIn(query))}
      </button>
      <Menu
        id="sort"
        kind="button quiet-button"
        summary={
          <>
            <span class="sr-only">Order: </span>
            {orders[sorting]}
          </>
        }
      >
        {sortings.map((name) => (
          <Button key={name} onClick={() => sortBy(name)} aria-pressed={name === sorting}>
            {orders[name]}
          </Button>
        ))}
      </Menu>
      <span id="hiding" class="hiding" hidden={!isHiding}>
        Older requests are hidden in this browser.{" "}
        <Button onClick={showAgain} class="button quiet-button">
          Show again
        </Button>
        <Button onClick={askToEmpty} class="button danger quiet-button">
          Empty for everybody …
        </Button>
      </span>
    </>
  );
}

/** The question before the journal is emptied for all users. */
export function EmptyingDialog({
  dialog,
  onClose,
}: {
  dialog: MutableRef<HTMLDialogElement | null>;
  onClose: (wasConfirmed: boolean) => void;
}) {
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby="emptying-title"
      aria-describedby="emptying-text"
      onClose={({ currentTarget }) => onClose(currentTarget.returnValue === "empty")}
    >
      <h2 id="emptying-title">Empty the journal for everybody?</h2>
      <p id="emptying-text">
        All requests and handshakes are deleted for everybody who uses this sandbox, and the report starts again. This
        cannot be undone.
      </p>
      <form method="dialog" class="dialog-buttons">
        <button type="submit" class="button" value="keep" autofocus>
          Keep it
        </button>
        <button type="submit" class="button danger" value="empty">
          Empty the journal
        </button>
      </form>
    </dialog>
  );
}
