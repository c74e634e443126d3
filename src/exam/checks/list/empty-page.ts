import { remember } from "../../../base/remember.js";
import { defineCheck } from "../../check.js";
import { page } from "../../conversation.js";
import { mostCursors, type Unfinished } from "../../known/walks.js";
import { levelOfEnd } from "./complete.js";

interface Empty extends Unfinished {
  readonly isFirst: boolean;
}

const message = "A page without rows had a cursor, and that cursor was never sent.";
const plain = [page({ next: "b" }), page({ cursor: "b", next: "c" }), page({ cursor: "c" })];
const empty = page({ cursor: "2", rows: 0, next: "3" });

export const emptyPage = defineCheck({
  id: "list.empty-page",
  level: "must",
  source: "assumption list.envelope",
  exercisedBy: "an empty page with a cursor",
  failsWhen:
    "the cursor of an empty page is never sent (a warning unless the client has finished, and fewer walks ended than without a fault)",
  excuses: [
    "the client reports an error, or reads first pages only",
    "a cursor that leads in a circle was sent before",
  ],
  fix: "End a walk when a page has no cursor, not when it has no rows.",
  begin: () => ({ pending: new Map<string, Empty>() }),
  exchange({ id, page, ending }, { finding, state: { pending }, known: { walks } }) {
    if (page === undefined) return;
    const before = page.cursor === undefined ? undefined : pending.get(page.cursor);
    if (page.cursor !== undefined && before !== undefined) {
      pending.delete(page.cursor);
      finding.exercise(before.id);
    }
    if (ending !== "delivered" || page.rows !== 0 || page.next === undefined) return;
    const isCircle = page.next === page.cursor || walks.of(page.next)?.place !== undefined;
    if (!isCircle)
      remember(pending, page.next, { id, walk: page.walk, isFirst: page.cursor === undefined }, mostCursors);
  },
  conclude({ finding, state: { pending }, known }, finish) {
    const now = finding.copy();
    for (const { id, walk, isFirst } of pending.values()) {
      const level = levelOfEnd(walk, known, finish);
      now.failAs(isFirst && finish === "declared" ? "should" : level, message, [id]);
    }
    return now;
  },
  giveUp: ({ pending }) => pending.clear(),
  fails: { plain, steps: [empty], finish: "ended-with-0" },
  innocent: { plain, steps: [page({ next: "2" }), empty, page({ cursor: "3" })], finish: "ended-with-0" },
});
