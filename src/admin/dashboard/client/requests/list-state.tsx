import type { MutableRef } from "preact/hooks";
import { CodeBlock } from "../code.js";
import { useDashboard } from "../dashboard.js";
import { visible } from "../format.js";
import { Button } from "../parts.js";
import { outcomeIn } from "./query-text.js";
import { newCount, shownCount } from "./search.js";
import type { Journal } from "./use-journal.js";

/**
 * The line above the list: how much it shows, what waits, and what is hidden.
 * @param isWrong whether the query in the field has a mistake
 * @param refusals how many kinds of refusals there are; undefined until it is known
 */
export function ListLine({
  query,
  journal: { page, waiting, after, answered },
  isWrong,
  refusals,
  isOverviewOpen,
  ...on
}: {
  query: string;
  journal: Journal;
  isWrong: boolean;
  refusals: number | undefined;
  isOverviewOpen: boolean;
  onBring: () => void;
  onShowAgain: () => void;
  onEmpty: () => void;
  onFold: () => void;
}) {
  const { isLost, lostAt } = useDashboard();
  const count = shownCount(page.total, page.kept);
  const known = isLost ? `Known until ${lostAt}: ` : "";
  // Why the rows are not those of the query in the field, and will not be in a moment.
  const why = isWrong
    ? "The query has a mistake"
    : isLost && answered !== query
      ? "The sandbox cannot be reached"
      : undefined;
  const old = why && `${why}. Still shown: ${answered === "" ? "all requests" : visible(answered)}`;
  return (
    <div id="list-state" class="list-state">
      <span id="count" title={old}>
        {old ?? `${known}${count}`}
      </span>
      <button type="button" id="waiting" class="pill" onClick={on.onBring} hidden={!waiting}>
        {waiting && newCount(waiting.total, waiting.counts, outcomeIn(query))}
      </button>
      <span id="hiding" class="bar" hidden={after === 0}>
        Older requests are hidden in this browser.{" "}
        <Button onClick={on.onShowAgain} class="button small">
          Show again
        </Button>
        <Button onClick={on.onEmpty} class="button danger small">
          Empty for everybody …
        </Button>
      </span>
      <Button
        id="fold-overview"
        class="button small"
        onClick={on.onFold}
        aria-expanded={isOverviewOpen}
        aria-controls="overview"
      >
        <span class="caret" aria-hidden="true">
          {isOverviewOpen ? "▾" : "▸"}
        </span>
        Chart and refusals{refusals ? ` (${refusals})` : ""}
      </Button>
    </div>
  );
}

/**
 * What is shown in place of an empty list.
 * @param url of the API
 * @param commands for a first request; undefined until the paths of the files are known
 * @param isHiding whether entries are hidden in this browser
 */
export function EmptyList({
  query,
  isHiding,
  url,
  commands,
  onShowAll,
}: {
  query: string;
  isHiding: boolean;
  url: string;
  commands: string | undefined;
  onShowAll: () => void;
}) {
  const { kept } = useDashboard();
  if (query !== "")
    return (
      <>
        <h2>{isHiding ? "Nothing that matches has arrived since you cleared the list" : "No request matches"}</h2>
        <Button onClick={onShowAll}>Show all</Button>
      </>
    );
  if (isHiding) return <h2>Nothing has arrived since you cleared the list</h2>;
  if (kept) return <h2>No request was kept</h2>;
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
      class="floating"
      aria-labelledby="emptying-title"
      aria-describedby="emptying-text"
      onClose={({ currentTarget }) => onClose(currentTarget.returnValue === "empty")}
    >
      <h2 id="emptying-title">Empty the journal for everybody?</h2>
      <p id="emptying-text">
        All requests and handshakes are deleted for everybody who uses this sandbox, and the report starts again. This
        cannot be undone.
      </p>
      <form method="dialog" class="bar">
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
