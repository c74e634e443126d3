import { quote } from "../../../base/text/printable.js";
import type { CursorDetail, ListProblem } from "../../lists/problems.js";
import { instant, sent, span } from "../format.js";
import { isSecretName } from "../secret-names.js";

/** Says why a list request was refused, and how to fix it. */
export function explainListProblem({ code, message, detail }: ListProblem): string {
  if (code === "CURSOR_FILTERS_CHANGED") {
    const changes = detail.changes.map(({ filter, before, after }) =>
      isSecretName(filter, "parameter") ? filter : `${filter} was ${sent(before)} and is now ${sent(after)}`,
    );
    return `The filters changed during the walk, at page ${detail.page}: ${changes.join("; ")}. Repeat exactly the same filters with a cursor (they are compared as text), or start again without one.`;
  }
  if (code === "INVALID_CURSOR") return explainCursor(detail);
  if (detail.reason === "from-after-to") return `${message} No row could match: swap the two bounds, or leave one out.`;
  return message;
}

/** Whether the refusal of a cursor depends on the time. */
export function dependsOnClock(problem: ListProblem): boolean {
  return (
    problem.code === "INVALID_CURSOR" &&
    (problem.detail.reason === "expired" || problem.detail.reason === "from-the-future")
  );
}

function explainCursor(detail: CursorDetail): string {
  const { reason, found = "", expected = "", issuedAt, now, lifetime } = detail;
  const fix = "Start again without a cursor.";
  switch (reason) {
    case "other-client":
      return `The cursor was given to the client ${found}, and ${expected} sent it. A cursor belongs to the client that it was given to: keep one for each. ${fix}`;
    case "other-list":
      return `The cursor is from the list ${found}, and was sent to ${expected}. ${fix}`;
    case "other-path":
      return `The cursor is from ${quote(found)}, and was sent to ${quote(expected)}: another parameter in the path. ${fix}`;
    case "expired":
      return `The cursor was issued at ${instant(issuedAt)} and was valid for ${span(lifetime ?? 0)}; at the sandbox it is ${instant(now)}. ${fix} The lifetime of cursors is \`lists.NAME.cursorLifetime\` in sandbox.yaml.`;
    case "from-the-future":
      return `The cursor was issued at ${instant(issuedAt)}, but at the sandbox it is only ${instant(now)}: the clock was turned back. ${fix}`;
    case "wrong-key":
      return `The cursor was made by a sandbox with another certs folder (or one that had its certificates in memory and was restarted), or its first characters were altered. ${fix}`;
    case "repeated":
      return "The cursor was sent more than once. Replace it in the URL of the next page instead of appending it.";
    case "empty":
      return "The cursor is empty. Leave the parameter out for the first page, and stop where an answer has no next cursor.";
    default:
      return `The sandbox did not issue this cursor (${reason}): it was cut short, altered, or percent-encoded twice. Send it exactly as it was received. ${fix}`;
  }
}
