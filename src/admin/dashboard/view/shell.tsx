import type { ComponentChildren, VNode } from "preact";
import { upperFirst } from "../../../base/text/letters.js";
import { type Sorting, sortings } from "../../../sandbox/journal/query.js";
import { useActions } from "./actions.js";
import type { Clock, JournalItem, ScenarioChoice } from "./data.js";
import { clockTime, offset, visible, writtenIn } from "./format.js";
import { Button, CodeBlock, hash, Icon } from "./parts.js";
import { RequestRow } from "./request-row.js";
import { SearchForm } from "./search.js";

/** What the first paint shows. */
export interface ShellModel {
  readonly version: string;
  /** Base URL of the API. */
  readonly url: string;
  readonly entries: readonly JournalItem[];
  readonly scenario: ScenarioChoice;
  readonly clock: Clock;
  /** Whether the user signed in with a token, and can sign out. */
  readonly signedIn: boolean;
}

export const pages = ["requests", "sessions", "report", "clients", "scenarios", "clock", "assumptions"] as const;
export type PageName = (typeof pages)[number];

/** The whole body with the current requests; the script fills in the rest. */
export function Shell(model: ShellModel): VNode {
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="top">
        <a class="brand" href="#/requests">
          <Logo />
          <span>
            Business Payments <b>Sandbox</b>
          </span>
        </a>
        <nav aria-label="Views">
          {pages.map((name) => (
            <a key={name} href={hash(name)} id={`nav-${name}`} aria-current={name === "requests" ? "page" : undefined}>
              {titleOf(name)}
            </a>
          ))}
        </nav>
        <div id="chips" class="chips">
          <Chips {...model} connection="connecting" now={Date.parse(model.clock.now)} />
        </div>
      </header>
      <main id="main" tabindex={-1}>
        <h1 id="title" class="sr-only">
          Requests
        </h1>
        <RequestsPage {...model} />
        <div id="page" class="page" hidden />
      </main>
      <p id="status" class="toast" role="status" />
      <p id="announcement" class="sr-only" role="status" />
      <EmptyingDialog />
      <noscript>
        <p class="noscript">This is the state when the page was loaded. With JavaScript, the page updates itself.</p>
      </noscript>
    </>
  );
}

export function titleOf(page: PageName): string {
  return upperFirst(page);
}

function Logo(): VNode {
  return (
    <svg class="logo" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M2 5.5L8 2.5l6 3v5l-6 3-6-3z" />
      <path d="M2 5.5l6 3 6-3M8 8.5v5" />
    </svg>
  );
}

/** The state of the stream of requests. */
export type ConnectionState = "connecting" | "live" | "paused" | "lost";

const connectionWords: Readonly<Record<ConnectionState, string>> = {
  connecting: "Connecting",
  live: "Live",
  paused: "Paused",
  lost: "Disconnected",
};

/** The state of the whole sandbox: the scenario and the time for all, and whether the list is live. */
export function Chips(model: {
  readonly scenario: ScenarioChoice;
  readonly clock: Clock;
  readonly now: number;
  readonly connection: ConnectionState;
  /** Whether the user signed in with a token, and can sign out. */
  readonly signedIn: boolean;
}): VNode {
  const { changeZone, signOut } = useActions();
  const { scenario, clock, now, connection, signedIn } = model;
  const moved = clock.mode === "frozen" ? "frozen" : clock.mode === "offset" ? offset(clock.offset) : undefined;
  return (
    <>
      <a
        class={`chip${scenario.name === null ? "" : " on"}`}
        href={hash("scenarios")}
        title="The scenario for all clients"
      >
        <Icon name="scenario" />
        <span class="sr-only">Scenario for all: </span>
        {visible(scenario.name ?? "no scenario")}
      </a>
      <a class={`chip${moved === undefined ? "" : " moved"}`} href={hash("clock")} title="The sandbox's clock">
        <Icon name="clock" />
        <span class="sr-only">Clock: </span>
        <span class="digits">{clockTime(new Date(now).toISOString()).slice(0, 8)}</span>
        {moved !== undefined && <b>{moved}</b>}
      </a>
      <button
        type="button"
        class="chip"
        id="zone"
        onClick={changeZone}
        title="All times: in UTC, or in the time zone of this browser"
      >
        <span class="sr-only">Times in </span>
        {writtenIn() === "UTC" ? "UTC" : "local time"}
      </button>
      <span class={`chip connection ${connection}`}>
        <i class="dot" />
        {connectionWords[connection]}
      </span>
      {signedIn && (
        <Button class="button quiet-button" onClick={signOut}>
          Sign out
        </Button>
      )}
    </>
  );
}

function RequestsPage({ entries, url }: ShellModel): VNode {
  return (
    <div id="requests" class="requests">
      <div class="list-pane">
        <SearchForm />
        <div id="overview" class="overview" />
        <div id="list-state" class="list-state" />
        <ul
          id="list"
          class="list"
          role="listbox"
          tabindex={0}
          aria-label="Requests and failed handshakes, newest first"
          aria-describedby="list-keys"
        >
          {entries.map((item) => (
            <RequestRow key={item.key} item={item} />
          ))}
        </ul>
        <p id="list-keys" class="sr-only">
          Arrow keys choose a request, Enter goes to its details.
        </p>
        <div id="empty" class="empty" hidden={entries.length > 0}>
          <EmptyState url={url} commands={undefined} />
        </div>
      </div>
      <aside id="detail" class="detail" aria-label="Details" tabindex={-1} hidden />
    </div>
  );
}

/** Shown instead of an empty list: how to make a first request, once the paths of the files are known. */
export function EmptyState({
  url,
  commands,
}: {
  readonly url: string;
  readonly commands: string | undefined;
}): ComponentChildren {
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
export function NothingFound(): ComponentChildren {
  const { showAll } = useActions();
  return (
    <>
      <h2>No request matches</h2>
      <Button onClick={showAll}>Show all</Button>
    </>
  );
}

/** Shown if everything is hidden in this browser. */
export function AllHidden(): ComponentChildren {
  return <h2>Nothing has arrived since you cleared the list</h2>;
}

/** The state of the list as a whole. */
export interface ListState {
  /** `138 of 5,354`. */
  readonly count: string;
  /** `37 new, 2 refused` if new entries wait; undefined if none do. */
  readonly waiting: string | undefined;
  /** Whether entries are hidden in this browser. */
  readonly isHiding: boolean;
  /** What the list is sorted by. */
  readonly sorting: Sorting;
}

const orders: Readonly<Record<Sorting, string>> = {
  time: "newest first",
  took: "slowest first",
  size: "largest first",
};

/** The line above the list: how much it shows, what waits, and what is hidden. */
export function ListLine({ count, waiting, isHiding, sorting }: ListState): VNode {
  const { bring, sortBy, showAgain, askToEmpty } = useActions();
  return (
    <>
      <span id="count">{count === "1" ? "1 request" : `${count} requests`}</span>
      <button type="button" id="waiting" class="pill" onClick={bring} hidden={waiting === undefined}>
        {waiting ?? ""}
      </button>
      <details class="menu" id="sort">
        <summary class="button quiet-button">
          <span class="sr-only">Order: </span>
          {orders[sorting]}
        </summary>
        <div>
          {sortings.map((name) => (
            <Button key={name} onClick={() => sortBy(name)} aria-pressed={name === sorting}>
              {orders[name]}
            </Button>
          ))}
        </div>
      </details>
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
function EmptyingDialog(): VNode {
  return (
    <dialog id="emptying" class="dialog" aria-labelledby="emptying-title" aria-describedby="emptying-text">
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
