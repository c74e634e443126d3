import type { Client, Clock, Identity } from "./data.js";
import { instant, inZone, offset, visible, writtenIn } from "./format.js";
import { badge, button, hash, icon, quietText } from "./parts.js";
import { targetChoice } from "./target.js";
import { type Child, h, type Tree } from "./tree.js";
import { validity } from "./validity.js";

/** What the page of clocks shows. */
export interface ClockModel {
  readonly clients: readonly Client[];
  readonly identities: readonly Identity[];
  /** The client whose clock is changed; undefined for the sandbox's. */
  readonly target: string | undefined;
  readonly sandbox: Clock;
  /** The clock of the target. */
  readonly clock: Clock;
  /** The current time of the target's clock, in milliseconds since the epoch. */
  readonly now: number;
}

const steps = [
  ["301s", "5 m 1 s", "a token expires"],
  ["1h", "1 h", "the next hour's rows"],
  ["24h", "1 day", "cursors expire"],
  ["-5m", "−5 m", "back"],
] as const;

export function clockPage(model: ClockModel): Child[] {
  return [controls(model), certificates(model), movedClients(model)];
}

function controls(model: ClockModel): Tree {
  const { clients, target, clock, now } = model;
  const [date = "", time = ""] = inZone(new Date(now).toISOString()).split(/[TZ]/);
  return h(
    "div",
    { class: "clock-page" },
    targetChoice("The clock of", clients, target),
    h(
      "p",
      { class: "big-clock", id: "big-clock", role: "timer" },
      h("span", { class: "date" }, date),
      h("span", { class: "hours" }, time.slice(0, 8)),
      h("span", { class: "zone" }, writtenIn() === "UTC" ? "UTC" : "local time"),
    ),
    h("p", { class: "clock-state" }, stateOf(model)),
    h("div", { class: "steps", role: "group", "aria-label": "Advance the clock" }, steps.map(stepButton)),
    advanceForm(),
    h(
      "div",
      { class: "row-of-buttons" },
      clock.mode === "frozen"
        ? button("reset-clock", [icon("resume"), "Let it run, at real time"], { id: "unfreeze" })
        : button("freeze", [icon("pause"), "Freeze"], { id: "freeze" }),
      button("reset-clock", "Reset to real time", { id: "reset-clock", disabled: clock.mode === "real" }),
    ),
    quietText(
      "Tokens, the validity of certificates, cursors, rate limits and the rows of generated lists follow this clock. A client's clock is based on the sandbox's.",
    ),
  );
}

function stepButton([by, name, what]: (typeof steps)[number], index: number): Tree {
  const kind = index === 0 ? "button primary" : "button";
  return h(
    "button",
    { type: "button", class: kind, id: `advance-${index}`, "data-do": "advance", "data-by": by },
    h("b", {}, by.startsWith("-") ? name : `+${name}`),
    h("small", {}, what),
  );
}

function advanceForm(): Tree {
  return h(
    "form",
    { class: "custom", "data-submit": "advance" },
    h("label", { for: "advance-by" }, "Advance by "),
    h("input", {
      id: "advance-by",
      name: "by",
      placeholder: "90s, 2h, 30d, -1h",
      "aria-describedby": "advance-example",
      "data-invalid": "Give a number and a unit (ms, s, m, h, d), such as 90s, 2h or -1h.",
      required: true,
      pattern: "[\\-+]?\\d+(\\.\\d+)?(ms|s|m|h|d)",
      autocomplete: "off",
      size: 14,
    }),
    h("button", { class: "button" }, "Advance"),
    h("small", { id: "advance-example", class: "quiet" }, "For example 2h; -1h turns it back."),
  );
}

function certificates({ identities, now }: ClockModel): Tree | undefined {
  const items = identities.map((identity) =>
    h("li", {}, h("span", {}, visible(identity.folder ?? identity.name)), validity(identity, now)),
  );
  return cards("Certificates at this time", items);
}

function movedClients({ clients }: ClockModel): Tree | undefined {
  const items = clients
    .filter(({ clock }) => clock.mode !== "real")
    .map(({ clientId, clock }) =>
      h(
        "li",
        {},
        h("a", { href: hash("clients", clientId) }, visible(clientId)),
        badge("info", clock.mode === "frozen" ? `frozen at ${instant(clock.now)}` : offset(clock.offset)),
        button("reset-client-clock", "Reset", {
          "data-client": clientId,
          "aria-label": `Reset the clock of ${clientId}`,
          id: `reset-${clientId}`,
        }),
      ),
    );
  return cards("Clients with a clock of their own", items);
}

function cards(title: string, items: readonly Tree[]): Tree | undefined {
  if (items.length === 0) return undefined;
  return h("section", {}, h("h2", {}, title), h("ul", { class: "cards" }, items));
}

function stateOf({ clock, sandbox, target }: ClockModel): Child {
  const own =
    clock.mode === "frozen"
      ? badge("info", "frozen")
      : clock.mode === "offset"
        ? badge("info", `${offset(clock.offset)} ${target === undefined ? "from real time" : "from the sandbox's"}`)
        : badge("good", target === undefined ? "real time" : "as the sandbox's");
  if (target === undefined || sandbox.mode === "real") return own;
  return [
    own,
    badge("plain", sandbox.mode === "frozen" ? "the sandbox's is frozen" : `the sandbox's: ${offset(sandbox.offset)}`),
  ];
}

/**
 * The time of a clock, `elapsed` milliseconds after it was read. While the sandbox's is frozen, a client's does not
 * run.
 */
export function clockReading(clock: Clock, sandbox: Clock, elapsed: number): number {
  const isFrozen = clock.mode === "frozen" || sandbox.mode === "frozen";
  return Date.parse(clock.now) + (isFrozen ? 0 : elapsed);
}
