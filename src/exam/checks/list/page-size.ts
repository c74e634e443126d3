import { defineCheck } from "../../check.js";
import { page } from "../../conversation.js";
import { failRefused } from "../../refused.js";
import { ownRefusalOf } from "./cursor.js";

const refusedSize = { status: 400, code: "INVALID_PAGE_SIZE" } as const;

export const pageSize = defineCheck({
  id: "list.page-size",
  level: "must",
  source: "§8",
  assumptions: ["list.page-size-format"],
  exercisedBy: "a list request",
  failsWhen: "a list request gets INVALID_PAGE_SIZE, not from a scenario",
  excuses: [],
  fix: "Send a page size from 1 to 100 in decimal digits.",
  exchange(observed, { finding }) {
    const { id, page } = observed;
    if (page === undefined) return;
    const code = ownRefusalOf(observed);
    if (code === "INVALID_PAGE_SIZE")
      failRefused(finding, observed, "A list request was refused because of its page size (INVALID_PAGE_SIZE)");
    // The page size is judged before everything else.
    else if (page.understood || code !== undefined) finding.exercise(id);
  },
  fails: {
    steps: [
      page(
        { understood: false, rows: undefined },
        { ...refusedSize, refusal: { code: "INVALID_PAGE_SIZE", kind: "list" } },
      ),
    ],
  },
  innocent: { steps: [page({ understood: false, rows: undefined }, refusedSize)] },
});
