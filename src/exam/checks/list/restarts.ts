import { remember } from "../../../base/remember.js";
import { defineCheck } from "../../check.js";
import { page, refusedPage } from "../../conversation.js";
import { isRefusedCursor, mostCursors } from "../../known/walks.js";

/** A client with a limit begins a walk again at most this many times, for each walk of its own. */
const mostBeginnings = 5;

/** How often a walk was begun again, and why. */
interface Beginnings {
  readonly count: number;
  /** The refusal after which it has to begin again. */
  readonly refused: number | undefined;
}

const walk = [page({ next: "b" }), page({ cursor: "b" })];
const refusals = (count: number) =>
  Array.from({ length: count }, (_, index) => [page({ next: `${index}` }), refusedPage(`${index}`)]).flat();

export const restarts = defineCheck({
  id: "list.restarts",
  level: "must",
  source: "good practice",
  exercisedBy: "a walk that is begun again after a refusal of its cursor",
  failsWhen:
    "a walk begins again more than five times in a row for each of its calls because its cursor was refused (a warning if the calls are unknown)",
  excuses: ["a walk that reaches its end starts the count again"],
  fix: "Begin a walk again once or twice, then report the error.",
  begin: () => ({ beginnings: new Map<string, Beginnings>() }),
  exchange(observed, { finding, state: { beginnings }, known }) {
    const { id, page, method, expected, ending } = observed;
    if (page === undefined || method !== "GET") return;
    if (page.cursor === undefined) {
      const { count: before = 0, refused } = beginnings.get(page.walk) ?? {};
      const count = before + 1;
      if (refused !== undefined) {
        finding.exercise(id);
        remember(beginnings, page.walk, { count, refused: undefined }, mostCursors);
      }
      if (refused !== undefined && count > mostBeginnings * (known.usual ?? 1))
        finding.failAs(
          known.usual === undefined ? "should" : "must",
          `A walk was begun again ${count} times in a row after its cursor was refused.`,
          [refused, id],
        );
    }
    if (expected !== undefined) return;
    if (isRefusedCursor(observed)) {
      const walk = page.cursor === undefined ? page.walk : known.walks.of(page.cursor)?.filters;
      if (walk === undefined) return;
      remember(beginnings, walk, { count: beginnings.get(walk)?.count ?? 0, refused: id }, mostCursors);
    } else if (ending === "delivered" && page.rows !== undefined && page.next === undefined)
      beginnings.delete(page.walk);
  },
  fails: { plain: walk, steps: [...refusals(6), page({ next: "last" })] },
  innocent: { plain: [...walk, ...walk], steps: [...refusals(6), page({ next: "last" })] },
});
