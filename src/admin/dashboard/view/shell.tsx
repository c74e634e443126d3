import type { ComponentChildren, VNode } from "preact";
import { upperFirst } from "../../../base/text/letters.js";
import { useActions } from "./actions.js";
import type { Clock, JournalPage, ScenarioChoice } from "./data.js";
import { clockTime, offset, visible, writtenIn } from "./format.js";
import { Button, hash, Icon, requestsHash } from "./parts.js";

/** What the server knows when it sends the page. The browser begins with the same. */
export interface FirstView {
  /** Base URL of the API. */
  readonly url: string;
  /** The newest entries of the journal. */
  readonly page: JournalPage;
  readonly scenario: ScenarioChoice;
  readonly clock: Clock;
  /** Whether the user signed in with a token, and can sign out. */
  readonly signedIn: boolean;
  /** Whether the sandbox judges clients. */
  readonly report: "on" | "off";
}

export const pages = ["requests", "report", "clients", "scenarios", "clock", "assumptions"] as const;
export type PageName = (typeof pages)[number];

/** The frame of all pages. */
export function Shell({
  page,
  query = "",
  chips,
  status = "",
  announcement = "",
  children,
}: {
  page: PageName;
  /** The query of the list of requests, to which the link leads back. */
  query?: string;
  chips: VNode;
  /** What has just happened. */
  status?: string;
  /** What only a screen reader reads. */
  announcement?: string;
  children: ComponentChildren;
}) {
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
            <a
              key={name}
              href={name === "requests" ? requestsHash(query) : hash(name)}
              id={`nav-${name}`}
              aria-current={name === page ? "page" : undefined}
            >
              {titleOf(name)}
            </a>
          ))}
        </nav>
        <div id="chips" class="chips">
          {chips}
        </div>
      </header>
      <main id="main" tabindex={-1}>
        <h1 id="title" class="sr-only">
          {titleOf(page)}
        </h1>
        {children}
      </main>
      <p id="status" class="toast" role="status">
        {status}
      </p>
      <p id="announcement" class="sr-only" role="status">
        {announcement}
      </p>
    </>
  );
}

export function titleOf(page: PageName): string {
  return upperFirst(page);
}

function Logo() {
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
}) {
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
