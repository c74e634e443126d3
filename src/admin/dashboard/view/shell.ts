import { operationNames } from "../../../scenarios/operation-name.js";
import type { Clock, ScenarioChoice } from "./data.js";
import type { Entry } from "./entry.js";
import { clockTime, offset, visible } from "./format.js";
import { button, codeBlock, hash, icon } from "./parts.js";
import { requestRow } from "./request-row.js";
import { type Child, h, type Tree } from "./tree.js";

/** What the first paint shows. */
export interface ShellModel {
  readonly version: string;
  /** Base URL of the API. */
  readonly url: string;
  readonly entries: readonly Entry[];
  readonly scenario: ScenarioChoice;
  readonly clock: Clock;
  /** Whether the person signed in with a token, and so can sign out. */
  readonly signedIn: boolean;
}

export const pages = ["requests", "report", "clients", "scenarios", "clock", "assumptions"] as const;
export type PageName = (typeof pages)[number];

/** Everything in the body: the requests as they are now; the script fills in the rest. */
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
    h(
      "noscript",
      {},
      h(
        "p",
        { class: "noscript" },
        "This is how things were when the page was loaded. With JavaScript it follows live.",
      ),
    ),
  ];
}

export function titleOf(page: PageName): string {
  return page.charAt(0).toUpperCase() + page.slice(1);
}

function logo(): Tree {
  return h(
    "svg",
    { class: "logo", viewBox: "0 0 16 16", "aria-hidden": "true" },
    h("path", { d: "M2 5.5L8 2.5l6 3v5l-6 3-6-3z" }),
    h("path", { d: "M2 5.5l6 3 6-3M8 8.5v5" }),
  );
}

/** How the stream of requests is. */
export type ConnectionState = "connecting" | "live" | "busy" | "paused" | "lost";

const connectionWords: Readonly<Record<ConnectionState, string>> = {
  connecting: "Connecting",
  live: "Live",
  busy: "Live, every second",
  paused: "Paused",
  lost: "Disconnected",
};

/** What holds for everything that is shown: the scenario and the time for all, and whether the list is live. */
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
      { class: `chip${moved === undefined ? "" : " moved"}`, href: hash("clock"), title: "The sandbox's clock, UTC" },
      icon("clock"),
      h("span", { class: "sr-only" }, "Clock: "),
      h("span", { class: "digits" }, clockTime(new Date(now).toISOString()).slice(0, 8)),
      moved !== undefined && h("b", {}, moved),
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
      toolbar(),
      h(
        "ul",
        {
          id: "list",
          class: "list",
          role: "listbox",
          tabindex: 0,
          "aria-label": "Requests and failed handshakes, newest first",
        },
        entries.map(requestRow),
      ),
      h("div", { id: "empty", class: "empty", hidden: entries.length > 0 }, emptyState(url, undefined)),
    ),
    h("aside", { id: "detail", class: "detail", "aria-label": "Details", tabindex: -1, hidden: true }),
  );
}

const choices = [
  ["all", "All"],
  ["success", "Success"],
  ["refused", "Refused"],
  ["injected", "Injected"],
  ["handshake", "Handshake"],
] as const;

function toolbar(): Tree {
  return h(
    "form",
    { class: "toolbar", id: "filter", role: "search", "aria-label": "Filter the requests", "data-submit": "none" },
    h("input", {
      type: "search",
      id: "filter-text",
      class: "grow",
      placeholder: "Filter: path, code, correlation ID …",
      "aria-label": "Filter by text",
      autocomplete: "off",
      spellcheck: "false",
    }),
    h("input", {
      id: "filter-client",
      list: "seen-clients",
      size: 12,
      maxlength: 64,
      placeholder: "any client",
      "aria-label": "Client",
      autocomplete: "off",
      spellcheck: "false",
    }),
    h("datalist", { id: "seen-clients" }),
    h(
      "select",
      { id: "filter-operation", "aria-label": "Operation" },
      h("option", { value: "" }, "any operation"),
      operationNames.map((name) => h("option", { value: name }, name)),
    ),
    h(
      "div",
      { class: "segments", role: "group", "aria-label": "Outcome" },
      choices.map(([value, name]) =>
        h(
          "button",
          {
            type: "button",
            class: value,
            "data-do": "outcome",
            "data-outcome": value,
            "aria-pressed": value === "all" ? "true" : "false",
          },
          `${name} `,
          h("span", { class: "count" }),
        ),
      ),
    ),
    h(
      "span",
      { class: "tools" },
      button("pause", [icon("pause"), h("span", {}, "Pause")], { id: "pause", "aria-pressed": "false" }),
      button("clear", [icon("clear"), h("span", {}, "Clear")], { id: "clear", title: "Empty the journal" }),
    ),
  );
}

/** What stands in the place of an empty list: how to make a first request, once it is known with which files. */
export function emptyState(url: string, commands: string | undefined): Child {
  return [
    h("h2", {}, "Nothing has arrived yet"),
    h("p", {}, "Whatever reaches ", h("code", {}, url), " appears here at once, with the reason when it is refused."),
    commands !== undefined && codeBlock(commands, "a first token and ping"),
  ];
}

/** What stands there when nothing passes the filter. */
export function nothingFits(): Child {
  return [h("h2", {}, "No request fits the filter"), button("no-filter", "Show all")];
}
