import type { ComponentChildren } from "preact";
import { upperFirst } from "../../../base/text/letters.js";
import { remove, type ShownRun } from "./api.js";
import { useDashboard, WhileRunning } from "./dashboard.js";
import { DifferingChip } from "./differing.js";
import { clockTime, instant, offset, visible, writtenIn } from "./format.js";
import type { Data } from "./page-data.js";
import { Button, Icon } from "./parts.js";
import { hash, type PageName, pages, requestsHash } from "./router.js";
import { useSandboxNow } from "./validity.js";

/** The state of the stream of requests. */
export type ConnectionState = "connecting" | "live" | "paused" | "lost";

/** The frame of all pages. */
export function Shell({
  page,
  query,
  chips,
  status,
  announcement,
  children,
}: {
  /** Undefined if the address leads to nothing. */
  page: PageName | undefined;
  /** The query of the list of requests, to which the link leads back. */
  query: string;
  chips: ComponentChildren;
  /** What has just happened. */
  status: string;
  /** What only a screen reader reads. */
  announcement: string;
  children: ComponentChildren;
}) {
  const { kept, isLost, lostAt } = useDashboard();
  return (
    <>
      {/* A link would change the address, which has the place in the dashboard. */}
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to the content
      </button>
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
              {upperFirst(name)}
            </a>
          ))}
        </nav>
        <div id="chips" class="chips">
          {chips}
        </div>
      </header>
      {kept && <KeptRun {...kept} />}
      {isLost && (
        <p id="outage" class="notice">
          <b>The sandbox cannot be reached.</b> The page shows what was known at {lostAt}, and tries again.
        </p>
      )}
      <main id="main" tabindex={-1}>
        <h1 id="title" class="sr-only">
          {upperFirst(page ?? "no page")}
        </h1>
        {children}
      </main>
      <p id="status" class="toast floating" role="status">
        {status}
      </p>
      <p id="announcement" class="sr-only" role="status">
        {announcement}
      </p>
    </>
  );
}

/** What is shown has ended, and can only be read. */
function KeptRun({ begunAt, endedAt, version, notes, runs }: ShownRun) {
  const [from, to] = [begunAt, endedAt].map((at) => instant(new Date(at).toISOString()));
  return (
    <aside id="kept" class="notice kept" aria-label="The kept run">
      <p class="bar">
        <span>
          <b>A kept run, for reading only.</b> From {from} to {to}, with {visible(version)}.
        </span>
        {runs.length > 1 && (
          <label>
            Run{" "}
            <select id="run" onChange={({ currentTarget }) => location.assign(currentTarget.value)}>
              {runs.map(({ name, path, isShown }) => (
                <option value={path} selected={isShown}>
                  {visible(name)}
                </option>
              ))}
            </select>
          </label>
        )}
      </p>
      {notes.length > 0 && (
        <ul class="notes">
          {notes.map((note) => (
            <li>{visible(note)}</li>
          ))}
        </ul>
      )}
    </aside>
  );
}

function Logo() {
  return (
    <svg class="logo" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M2 5.5L8 2.5l6 3v5l-6 3-6-3z" />
      <path d="M2 5.5l6 3 6-3M8 8.5v5" />
    </svg>
  );
}

const connectionWords: Readonly<Record<ConnectionState, string>> = {
  connecting: "Connecting",
  live: "Live",
  paused: "Paused",
  lost: "Disconnected",
};

/** The state of the whole sandbox: the scenario and the time for all, the clients that differ, and whether the list is live. */
export function Chips({
  data,
  connection,
  signedIn,
  changeZone,
}: {
  data: Data;
  connection: ConnectionState;
  /** Whether the user signed in with a token, and can sign out. */
  signedIn: boolean;
  /** Writes all times in UTC, or in the time zone of the browser. */
  changeZone: () => void;
}) {
  const { attempt, askReset } = useDashboard();
  const { scenario, clock, differing } = data;
  const now = useSandboxNow(data);
  const signOut = async () => {
    if (await attempt(() => remove("/session"))) location.reload();
  };
  const moved = clock.mode === "frozen" ? "frozen" : clock.mode === "offset" ? offset(clock.offset) : undefined;
  return (
    <>
      <a
        class={`chip${scenario.name === null ? "" : " warn"}`}
        href={hash("scenarios")}
        title="The scenario for all clients"
      >
        <Icon name="scenario" />
        <span class="sr-only">Scenario for all: </span>
        {visible(scenario.name ?? "no scenario")}
      </a>
      <a class={`chip${moved === undefined ? "" : " info"}`} href={hash("clock")} title="The sandbox's clock">
        <Icon name="clock" />
        <span class="sr-only">Clock: </span>
        <span class="digits">{clockTime(new Date(now).toISOString()).slice(0, 8)}</span>
        {moved !== undefined && <b>{moved}</b>}
      </a>
      <DifferingChip clients={differing} />
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
      <WhileRunning>
        <span class={`chip connection ${connection}${connection === "lost" ? " bad" : ""}`}>
          <i class="dot" />
          <span>{connectionWords[connection]}</span>
        </span>
        <Button id="reset" class="button small" onClick={() => askReset()} title="Reset the sandbox, or one client">
          <Icon name="reset" />
          <span>Reset …</span>
        </Button>
      </WhileRunning>
      {signedIn && (
        <Button class="button small" onClick={signOut}>
          Sign out
        </Button>
      )}
    </>
  );
}
