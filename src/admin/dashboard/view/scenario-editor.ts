import type { Client } from "./data.js";
import { type Sent, sentText } from "./doing.js";
import { plural, visible } from "./format.js";
import { badge, button, hash, icon, quietText, segments } from "./parts.js";
import type { DraftKind } from "./scenario-draft.js";
import { clientOptions } from "./target.js";
import { type Child, h, type Tree } from "./tree.js";

/** A problem of the text, with its position; lines and columns begin at 1. */
export interface PlacedProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** The scenario that is being written. */
export interface EditorModel {
  /** The request that it is made from; undefined for a change of an existing scenario. */
  readonly request: { readonly id: string; readonly title: string } | undefined;
  /** Which of the two drafts; undefined if there is only one. */
  readonly kind: DraftKind | undefined;
  /** Whether it is a draft that was left without saving. */
  readonly isRestored: boolean;
  readonly name: string;
  readonly isNameTaken: boolean;
  /** Undefined while it is being checked. */
  readonly findings:
    | { readonly problems: readonly PlacedProblem[]; readonly warnings: readonly PlacedProblem[] }
    | undefined;
  /** The client for which it is active now. */
  readonly trial: { readonly client: string; readonly isStale: boolean } | undefined;
  /** The result of the request that was sent during the trial. */
  readonly sent: Sent | undefined;
  readonly client: string | undefined;
}

/** What the editor edits, according to an address of the page of scenarios: `from/r12`, or `NAME/edit`. */
export function editorSource([first, second]: readonly string[]):
  | { readonly kind: "request" | "scenario"; readonly of: string }
  | undefined {
  if (first === "from" && /^r\d{1,15}$/.test(second ?? "")) return { kind: "request", of: second as string };
  return first !== undefined && second === "edit" ? { kind: "scenario", of: first } : undefined;
}

/** The page on which a scenario is written, tried with one client and saved. The editor is put into `#editor`. */
export function scenarioEditor(model: EditorModel, clients: readonly Client[]): Tree[] {
  const { request, kind, name, isRestored, isNameTaken, findings } = model;
  const canUse = findings !== undefined && findings.problems.length === 0;
  return [
    h(
      "div",
      { class: "editor-page" },
      h(
        "a",
        { class: "back-link", href: request ? hash("requests", `r${request.id}`) : hash("scenarios", name) },
        request ? `Back to request ${request.id}` : "Back to the scenario",
      ),
      h("h2", {}, request ? "A scenario from " : "A change of ", h("code", {}, visible(request?.title ?? name))),
      kind !== undefined && kinds(kind),
      isRestored &&
        h(
          "p",
          { id: "restored", role: "status", class: "row-of-buttons" },
          "This is the draft that you left without saving.",
          button("discard-draft", "Discard it"),
        ),
      h("div", { id: "editor" }),
      findingsList(findings),
      trialRow(model, clients, canUse),
      h(
        "form",
        { class: "row-of-buttons save", "data-submit": "save-scenario" },
        h("label", { for: "scenario-name" }, "Name"),
        h("input", {
          id: "scenario-name",
          name: "name",
          value: name,
          required: true,
          maxlength: 64,
          pattern: "[A-Za-z0-9][A-Za-z0-9._\\-]{0,63}",
          "data-input": "scenario-name",
          "data-invalid": "Give letters, digits, dots, hyphens and underscores, such as payments-fail-once.",
          autocomplete: "off",
          spellcheck: "false",
        }),
        h("button", { class: "button primary", id: "save-scenario", disabled: !canUse }, "Save"),
        button("download-scenario", [icon("download"), "Download"], { id: "download-scenario" }),
      ),
      quietText(
        isNameTaken ? "There is already a scenario with this name: yours takes precedence over it. " : "",
        "Saved scenarios are kept in memory until the sandbox stops. To keep one, download it into your scenarios folder.",
      ),
    ),
  ];
}

function kinds(chosen: DraftKind): Tree {
  const choices = [
    ["same", "As it happened"],
    ["failure", "A failure at this operation"],
  ] as const;
  return segments("What the scenario does", ["draft", "kind"], choices, chosen);
}

function findingsList(findings: EditorModel["findings"]): Tree {
  const { problems = [], warnings = [] } = findings ?? {};
  const state =
    findings === undefined
      ? "Checking …"
      : problems.length > 0
        ? plural(problems.length, "problem")
        : warnings.length > 0
          ? `It can be used; ${plural(warnings.length, "rule")} can never act.`
          : "It can be used.";
  return h(
    "div",
    { class: "findings" },
    h("p", { id: "findings", role: "status", class: problems.length > 0 ? "bad" : "good" }, state),
    h(
      "ul",
      {},
      [...problems, ...warnings].map(({ line, column, message }, index) =>
        h(
          "li",
          {},
          button("go-to-line", `Line ${line}`, {
            class: "button line-link",
            id: `finding-${index}`,
            "data-line": line,
            "data-column": column,
          }),
          h("span", {}, visible(message)),
        ),
      ),
    ),
  );
}

function trialRow({ request, trial, sent, client }: EditorModel, clients: readonly Client[], canUse: boolean): Tree {
  const again =
    trial && request
      ? button("try-request", `Send request ${request.id} again`, { id: "try-request", disabled: sent === "sending" })
      : null;
  return h(
    "div",
    { class: "trial" },
    h(
      "div",
      { class: "row-of-buttons" },
      h("label", { for: "trial-client" }, "Try it on"),
      h(
        "select",
        { id: "trial-client", "data-change": "trial-client", disabled: trial !== undefined },
        clientOptions(clients, client),
      ),
      trial === undefined || trial.isStale
        ? button("try-scenario", trial ? "Try the new text" : "Try", {
            id: "try-scenario",
            disabled: !canUse || client === undefined,
          })
        : null,
      again,
      trial && button("end-trial", "End the trial", { id: "end-trial" }),
    ),
    h("div", { role: "status", id: "trial" }, trial ? trialText(trial, sent) : null),
  );
}

function trialText({ client, isStale }: NonNullable<EditorModel["trial"]>, sent: Sent | undefined): Child {
  return [
    h(
      "p",
      {},
      badge("warn", icon("scenario"), "on trial"),
      ` Only ${visible(client)} meets this scenario${isStale ? ", as it was before your last change" : ""}. Its counters started at zero.`,
    ),
    sent !== undefined && sentText(sent),
  ];
}
