import { defineCheck } from "../../check.js";
import { page, refusedPage } from "../../conversation.js";
import { failRefused } from "../../refused.js";
import { ownRefusalOf } from "./cursor.js";

export const filters = defineCheck({
  id: "list.filters",
  level: "must",
  source: "§7 rule 1",
  assumptions: ["list.filter-comparison"],
  exercisedBy: "a list request with a cursor",
  failsWhen: "a list request gets CURSOR_FILTERS_CHANGED, not from a scenario",
  excuses: ["a scenario took the filters out of the next link"],
  fix: "Repeat the filters of the first page exactly with every cursor.",
  exchange(observed, { finding, known: { walks } }) {
    const { id, page } = observed;
    if (page?.cursor === undefined) return;
    if (walks.of(page.cursor)?.losesFilters) return;
    if (ownRefusalOf(observed) === "CURSOR_FILTERS_CHANGED")
      failRefused(
        finding,
        observed,
        "The filters sent with a cursor differ from those of its walk (CURSOR_FILTERS_CHANGED)",
      );
    else if (page.understood) finding.exercise(id);
  },
  fails: { steps: [refusedPage("2", "CURSOR_FILTERS_CHANGED", false)] },
  innocent: { steps: [page({ next: "2" }), refusedPage("2", "CURSOR_FILTERS_CHANGED")] },
});
