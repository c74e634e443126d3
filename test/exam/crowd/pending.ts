import type { CheckId } from "../../../src/exam/checks.js";

/** What condemns innocents at present. `condemned.test.ts` has the shortest conversation of each kind. */
const pending: ReadonlySet<string> = new Set<CheckId>([
  "token.refused",
  "token.certificate",
  "token.renewed",
  "retry.after",
  "retry.bounded",
  "retry.permanent",
  "list.cursor",
  "list.restart",
  "list.restarts",
  "list.empty-page",
  "list.lost-page",
]);

export function isPending(id: string): boolean {
  return pending.has(id);
}
