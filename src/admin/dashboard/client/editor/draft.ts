import type { ExchangeDetail } from "../api.js";
import { exchangeOutcome } from "../requests/request-row.js";
import type { EditorSource } from "../router.js";

/** The first text of a new scenario. */
export interface Draft {
  readonly name: string;
  readonly text: string;
}

/** Maximum number of query parameters that become a condition. */
const mostParameters = 10;

/** Whether a rule can reproduce what happened: rules act only on operations, and a success needs no rule. */
function canReproduce(detail: ExchangeDetail): boolean {
  return detail.fault !== null || (detail.operation !== null && exchangeOutcome(detail) === "refused");
}

/**
 * A scenario for a request. It answers as the request was answered; if that was a success, it fails once at the same
 * operation. For a fault, the caller uses the text of the scenario that made it.
 */
export function draftOf(detail: ExchangeDetail): Draft {
  const { operation, list, method, target, status, code, id } = detail;
  const same = canReproduce(detail);
  const place = list ?? operation ?? "request";
  const what = same ? (code ?? `status-${status}`) : "SERVICE_UNAVAILABLE";
  const path = target.split("?", 1)[0] as string;
  const says = same
    ? `Answers like request ${id} was answered: ${method} ${path} with ${status === 0 ? "no answer" : status}${code === null ? "" : ` ${code}`}.`
    : `Fails once at ${operation === null ? "every operation" : place}, as the service does when it is down. A correct client tries again after the Retry-After.`;
  return {
    name: slug(`${what}-${place}`),
    text: [
      `description: ${quoted(says)}`,
      "rules:",
      `  - name: ${slug(place)}`,
      ...conditionOf(detail, same),
      "    # Without a limit, it acts every time.",
      "    limit: 1",
      "    then:",
      ...(same ? answerOf(detail) : ["      error:", "        code: SERVICE_UNAVAILABLE", "        retryAfter: 1s"]),
      "",
    ].join("\n"),
  };
}

function conditionOf({ operation, list, target, certificateClient }: ExchangeDetail, same: boolean): string[] {
  if (operation === null) return [];
  const lines = ["    when:", `      operation: ${operation}`];
  if (list !== null) lines.push(`      list: ${quoted(list)}`);
  if (certificateClient !== null) lines.push(`      # client: ${certificateClient}`);
  if (!same || !target.includes("?")) return lines;
  const parameters = new Map(new URLSearchParams(target.slice(target.indexOf("?") + 1)));
  // A cursor is valid for one walk only. A value with `[redacted]` is not the one that was sent.
  if (operation === "list" && parameters.delete("cursor")) lines.push("      cursor: true");
  // A scenario has no key `__proto__`.
  const kept = [...parameters].filter(
    ([name, value]) => name !== "" && name !== "__proto__" && !value.includes("[redacted]"),
  );
  if (kept.length > 0 && kept.length <= mostParameters)
    lines.push("      query:", ...kept.map(([name, value]) => `        ${quoted(name)}: ${quoted(value)}`));
  return lines;
}

function answerOf({ status, code, answer, errorPage }: ExchangeDetail): string[] {
  if (status === 0) return ["      connection: reset"];
  const message = messageOf(answer.body);
  // A code of the sandbox has a page.
  if (errorPage !== null) {
    return [
      "      error:",
      `        code: ${code}`,
      `        status: ${status}`,
      ...(message === undefined ? [] : [`        message: ${quoted(message)}`]),
    ];
  }
  return [
    "      respond:",
    `        status: ${status}`,
    ...(message === undefined
      ? []
      : [`        body: { message: ${quoted(message)}${code === null ? "" : `, code: ${quoted(code)}`} }`]),
  ];
}

function messageOf(body: string | null): string | undefined {
  try {
    const { message } = JSON.parse(body ?? "") as { message?: unknown };
    return typeof message === "string" && message !== "" ? message : undefined;
  } catch {
    return undefined;
  }
}

/** A YAML string in quotation marks: as in JSON, except the characters that YAML does not allow (YAML 1.2 §5.1). */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A valid name for scenarios and rules. */
function slug(text: string): string {
  const name = text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return name.replaceAll(/^-|-$/g, "").slice(0, 50) || "scenario";
}

/**
 * What names a draft.
 * @param run the start of the sandbox: after a restart, requests have other numbers
 */
export function draftName({ kind, of }: EditorSource, run: string): string {
  return `payments-sandbox-draft ${kind} ${of}${kind === "request" ? ` ${run}` : ""}`;
}

export function keptDraft(name: string): Draft | undefined {
  try {
    const draft = JSON.parse(sessionStorage.getItem(name) ?? "{}") as Partial<Draft>;
    return typeof draft.name === "string" && typeof draft.text === "string" ? (draft as Draft) : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps the text of a scenario that was not saved in this tab until the tab is closed; undefined forgets it. */
export function keepDraft(name: string, draft: Draft | undefined): void {
  try {
    if (draft) sessionStorage.setItem(name, JSON.stringify(draft));
    else sessionStorage.removeItem(name);
  } catch {
    // The user has disabled the storage, or it is full. Leaving asks all the same.
  }
}
