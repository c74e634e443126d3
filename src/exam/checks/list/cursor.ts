import { defineCheck } from "../../check.js";
import { page, refusedPage } from "../../conversation.js";
import type { ExchangeObservation } from "../../observation.js";
import { failRefused } from "../../refused.js";

/** The code of a refusal by the list itself, that no scenario injected. */
export function ownRefusalOf({ refusal }: ExchangeObservation): string | undefined {
  return refusal?.kind === "list" ? refusal.code : undefined;
}

export const cursor = defineCheck({
  id: "list.cursor",
  level: "must",
  source: "§7",
  assumptions: ["list.cursor"],
  exercisedBy: "a list request with a cursor",
  failsWhen: "a list request gets INVALID_CURSOR, not from a scenario",
  excuses: ["the cursor was too old: the interface names no lifetime"],
  fix: "Send the cursor exactly as received, percent-encoded once, to the same list.",
  exchange(observed, { finding }) {
    const { id, page } = observed;
    if (page?.cursor === undefined) return;
    const code = ownRefusalOf(observed);
    if (code === "INVALID_CURSOR") {
      if (!page.isOld)
        failRefused(
          finding,
          observed,
          "A cursor was sent that the sandbox did not issue in this form (INVALID_CURSOR)",
        );
    } else if (page.understood || code === "CURSOR_FILTERS_CHANGED") finding.exercise(id);
  },
  fails: { steps: [refusedPage("2%3D", "INVALID_CURSOR", false)] },
  innocent: { steps: [page({ next: "2" }), refusedPage("2")] },
});
