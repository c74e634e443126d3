import { upperFirst } from "../../../base/text/letters.js";
import { type Sorting, sortings } from "../../../sandbox/journal/query.js";
import type { Clock, JournalItem, ScenarioChoice } from "./data.js";
import { clockTime, offset, visible, writtenIn } from "./format.js";
import { button, codeBlock, hash, icon } from "./parts.js";
import { requestRow } from "./request-row.js";
import { searchForm } from "./search.js";
import { type Child, h, type Tree } from "./tree.js";

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
export function shell(model: ShellModel): Tree[] {
  return [
    h("a", { class: "skip", href: "#main" }, "Skip to the content"),
    h(
      "header",
      { class: "top" },
      h(
        "a",
        { class: "brand", href: "#/requests" },
        logo(),
        h("span", {}, "Business Payments ", h("b", {}, "Sandbox")),
      ),
      h(
        "nav",
        { "aria-label": "Views" },
        pages.map((name) =>
          h("a", { href: hash(name), id: `nav-${name}`, "aria-current": name === "requests" && "page" }, titleOf(name)),
        ),
      ),
      h(
        "div",
        { id: "chips", class: "chips" },
        chips({ ...model, connection: "connecting", now: Date.parse(model.clock.now) }),
      ),
      model.signedIn && button("sign-out", "Sign out", { class: "button quiet-button" }),
    ),
    h(
      "main",
      { id: "main", tabindex: -1 },
      h("h1", { id: "title", class: "sr-only" }, "Requests"),
      requestsPage(model),
      h("div", { id: "page", class: "page", hidden: true }),
    ),
    h("p", { id: "status", class: "toast", role: "status" }),
    h("p", { id: "announcement", class: "sr-only", role: "status" }),
    emptyingDialog(),
    h(
      "noscript",
      {},
      h(
        "p",
        { class: "noscript" },
        "This is the state when the page was loaded. With JavaScript, the page updates itself.",
      ),
    ),
  ];
}

export function titleOf(page: PageName): string {
  return upperFirst(page);
}

function logo(): Tree {
  return h(
    "svg",
    { class: "logo", viewBox: "0 0 16 16", "aria-hidden": "true" },
    h("path", { d: "M2 5.5L8 2.5l6 3v5l-6 3-6-3z" }),
    h("path", { d: "M2 5.5l6 3 6-3M8 8.5v5" }),
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
export function chips(model: {
  readonly scenario: ScenarioChoice;
  readonly clock: Clock;
  readonly now: number;
  readonly connection: ConnectionState;
}): Tree[] {
  const { scenario, clock, now, connection } = model;
  const moved = clock.mode === "frozen" ? "frozen" : clock.mode === "offset" ? offset(clock.offset) : undefined;
  return [
    h(
      "a",
      {
        class: `chip${scenario.name === null ? "" : " on"}`,
        href: hash("scenarios"),
        title: "The scenario for all clients",
      },
      icon("scenario"),
      h("span", { class: "sr-only" }, "Scenario for all: "),
      visible(scenario.name ?? "no scenario"),
    ),
    h(
      "a",
      { class: `chip${moved === undefined ? "" : " moved"}`, href: hash("clock"), title: "The sandbox's clock" },
      icon("clock"),
      h("span", { class: "sr-only" }, "Clock: "),
      h("span", { class: "digits" }, clockTime(new Date(now).toISOString()).slice(0, 8)),
      moved !== undefined && h("b", {}, moved),
    ),
    h(
      "button",
      {
        type: "button",
        class: "chip",
        id: "zone",
        "data-do": "zone",
        title: "All times: in UTC, or in the time zone of this browser",
      },
      h("span", { class: "sr-only" }, "Times in "),
      writtenIn() === "UTC" ? "UTC" : "local time",
    ),
    h("span", { class: `chip connection ${connection}` }, h("i", { class: "dot" }), connectionWords[connection]),
  ];
}

function requestsPage({ entries, url }: ShellModel): Tree {
  return h(
    "div",
    { id: "requests", class: "requests" },
    h(
      "div",
      { class: "list-pane" },
      searchForm(),
      h("div", { id: "overview", class: "overview" }),
      h("div", { id: "list-state", class: "list-state" }),
      h(
        "ul",
        {
          id: "list",
          class: "list",
          role: "listbox",
          tabindex: 0,
          "aria-label": "Requests and failed handshakes, newest first",
          "aria-describedby": "list-keys",
        },
        entries.map(requestRow),
      ),
      h("p", { id: "list-keys", class: "sr-only" }, "Arrow keys choose a request, Enter goes to its details."),
      h("div", { id: "empty", class: "empty", hidden: entries.length > 0 }, emptyState(url, undefined)),
    ),
    h("aside", { id: "detail", class: "detail", "aria-label": "Details", tabindex: -1, hidden: true }),
  );
}

/** Shown instead of an empty list: how to make a first request, once the paths of the files are known. */
export function emptyState(url: string, commands: string | undefined): Child {
  return [
    h("h2", {}, "Nothing has arrived yet"),
    h(
      "p",
      {},
      "Everything that reaches ",
      h("code", {}, url),
      " appears here at once, with the reason when it is refused.",
    ),
    commands !== undefined && codeBlock(commands, "a first token and ping"),
  ];
}

/** Shown if nothing matches the query. */
export function nothingFound(): Child {
  return [h("h2", {}, "No request matches"), button("no-query", "Show all")];
}

/** Shown if everything is hidden in this browser. */
export function allHidden(): Child {
  return h("h2", {}, "Nothing has arrived since you cleared the list");
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
export function listState({ count, waiting, isHiding, sorting }: ListState): Tree[] {
  return [
    h("span", { id: "count" }, count === "1" ? "1 request" : `${count} requests`),
    h(
      "button",
      { type: "button", id: "waiting", class: "pill", "data-do": "bring", hidden: waiting === undefined },
      waiting ?? "",
    ),
    h(
      "details",
      { class: "menu", id: "sort" },
      h("summary", { class: "button quiet-button" }, h("span", { class: "sr-only" }, "Order: "), orders[sorting]),
      h(
        "div",
        {},
        sortings.map((name) =>
          button("sort", orders[name], { "data-sorting": name, "aria-pressed": name === sorting ? "true" : "false" }),
        ),
      ),
    ),
    h(
      "span",
      { id: "hiding", class: "hiding", hidden: !isHiding },
      "Older requests are hidden in this browser. ",
      button("show-again", "Show again", { class: "button quiet-button" }),
      button("empty", "Empty for everybody …", { class: "button danger quiet-button" }),
    ),
  ];
}

/** The question before the journal is emptied for all users. */
function emptyingDialog(): Tree {
  return h(
    "dialog",
    { id: "emptying", class: "dialog", "aria-labelledby": "emptying-title", "aria-describedby": "emptying-text" },
    h("h2", { id: "emptying-title" }, "Empty the journal for everybody?"),
    h(
      "p",
      { id: "emptying-text" },
      "All requests and handshakes are deleted for everybody who uses this sandbox, and the report starts again. This cannot be undone.",
    ),
    h(
      "form",
      { method: "dialog", class: "dialog-buttons" },
      h("button", { class: "button", value: "keep", autofocus: true }, "Keep it"),
      h("button", { class: "button danger", value: "empty" }, "Empty the journal"),
    ),
  );
}
