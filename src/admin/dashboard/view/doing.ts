import type { ExchangeDetail } from "./data.js";
import { exchangeTone } from "./entry.js";
import { visible } from "./format.js";
import { badge, button, hash, icon, quietText } from "./parts.js";
import { statusText } from "./request-row.js";
import { type Child, h, type Tree } from "./tree.js";

/** The result of a request that was sent again. */
export type Sent =
  | "sending"
  | { readonly refused: string }
  | {
      readonly id: string | null;
      readonly status: number | null;
      readonly fault: string | null;
      readonly notes: readonly string[];
    };

/** The state of the actions on a request. */
export interface DoingContext {
  /** The key of the request that was marked for a comparison, such as `r12`. */
  readonly marked: string | undefined;
  /** Undefined if it was not sent again. */
  readonly sent: Sent | undefined;
  /** Whether the user edits it. */
  readonly isEdited: boolean;
}

/** The actions on a request: compare it, send it again, make a scenario from it. */
export function doing(detail: ExchangeDetail, { marked, sent, isEdited }: DoingContext): Tree {
  const key = `r${detail.id}`;
  return h(
    "div",
    { class: "doing" },
    h(
      "div",
      { class: "row-of-buttons" },
      detail.method !== "-" &&
        button("send-again", "Send again", { id: "send-again", "data-id": detail.id, disabled: sent === "sending" }),
      detail.method !== "-" &&
        button("edit-request", "Edit and send", { id: "edit-request", "aria-expanded": isEdited ? "true" : "false" }),
      detail.method !== "-" &&
        h(
          "a",
          { class: "button", id: "make-scenario", href: hash("scenarios", "from", key) },
          icon("scenario"),
          "Make a scenario",
        ),
      detail.lastGood !== null &&
        h(
          "a",
          { class: "button", id: "last-good", href: hash("requests", key, "with", `r${detail.lastGood}`) },
          "Compare with the last good one",
        ),
      marking(key, marked),
    ),
    h("div", { role: "status" }, !isEdited && sent !== undefined && sentText(sent)),
  );
}

function marking(key: string, marked: string | undefined): Child {
  if (marked === undefined) return button("mark", "Mark to compare", { id: "mark", "data-key": key, title: "Key: m" });
  if (marked === key)
    return button("mark", "Marked: choose another row", { id: "mark", "data-key": key, "aria-pressed": "true" });
  return [
    h(
      "a",
      { class: "button primary", id: "compare-marked", href: hash("requests", marked, "with", key) },
      `Compare with the marked one (${marked.slice(1)})`,
    ),
    button("mark", "Mark this one instead", { id: "mark", "data-key": key }),
  ];
}

export function sentText(sent: Sent): Child {
  if (sent === "sending") return quietText("Sending …");
  if ("refused" in sent) return h("p", { class: "verdict refused" }, icon("refused"), visible(sent.refused));
  const { id, status, fault, notes } = sent;
  return [
    h(
      "p",
      {},
      id === null
        ? "No request arrived."
        : [
            "It was answered ",
            badge(exchangeTone({ fault, status: status ?? 0 }), statusText(status ?? 0)),
            fault !== null && [" by ", h("code", {}, visible(fault.replace(/;seed=.*$/s, "")))],
            ": ",
            h("a", { href: hash("requests", `r${id}`), id: "sent-again" }, `request ${id}`),
          ],
    ),
    h(
      "ul",
      { class: "notes" },
      notes.map((note) => h("li", {}, visible(note))),
    ),
  ];
}
