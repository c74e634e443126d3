import type { RefusalAssumptionId } from "../assumptions.js";
import { type DateFormat, parseBound } from "./bound.js";
import { compareInstants } from "./instant.js";
import type { List } from "./list.js";
import type { CursorDetail, FilterChange, ListProblem, PageSizeDetail } from "./problems.js";

/** A code of §7 if the interface itself says that the request is wrong; otherwise the assumption that says so. */
export type ProblemBasis = ListProblem["code"] | RefusalAssumptionId;

/** The limits of §8, whatever a list is configured with. */
const interfaceLimits = { minimum: 1, maximum: 100 } as const;

/** Why a cursor is refused that the client did not alter. §7 leaves open whether such a cursor is invalid. */
const refusedByChoice: ReadonlySet<CursorDetail["reason"]> = new Set<CursorDetail["reason"]>([
  "empty",
  "repeated",
  "other-client",
  "other-list",
  "other-path",
  "expired",
  "from-the-future",
]);

/** What a refusal of a list request is based on. Its cause decides, not its code. */
export function basisOfProblem({ parameters, dates }: List, { code, detail }: ListProblem): ProblemBasis {
  const isDate = (name: string) => name === parameters.fromCreatedAt || name === parameters.toCreatedAt;
  switch (code) {
    case "INVALID_PAGE_SIZE":
      return isOutsideOfInterface(detail) ? code : "list.page-size-format";
    case "INVALID_CURSOR":
      return refusedByChoice.has(detail.reason) ? "list.cursor" : code;
    case "VALIDATION_ERROR":
      if (detail.reason === "from-after-to") return code;
      return isDate(detail.parameter) ? "list.dates" : "list.endpoints";
    case "CURSOR_FILTERS_CHANGED":
      return detail.changes.every(
        (change) =>
          isDate(change.filter) &&
          isSameInstant(change, change.filter === parameters.toCreatedAt ? "to" : "from", dates),
      )
        ? "list.filter-comparison"
        : code;
  }
}

/** A negative number is not from 1 to 100, however it is written. */
function isOutsideOfInterface({ reason, value = "" }: PageSizeDetail): boolean {
  if (/^-[1-9][0-9]*$/.test(value)) return true;
  const size = Number(value);
  return reason === "out-of-range" && !(size >= interfaceLimits.minimum && size <= interfaceLimits.maximum);
}

function isSameInstant({ before = "", after = "" }: FilterChange, end: "from" | "to", dates: DateFormat): boolean {
  const [first, second] = [parseBound(before, end, dates), parseBound(after, end, dates)];
  return first.ok && second.ok && compareInstants(first.instant, second.instant) === 0;
}
