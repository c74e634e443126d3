import { defineCheck } from "../../check.js";
import { page, refusedPage } from "../../conversation.js";
import { withUnfinished } from "./complete.js";

const walk = [page({ next: "b" }), page({ cursor: "b" })];

export const begunAgain = defineCheck({
  id: "list.begun-again",
  level: "must",
  source: "§7 rule 2",
  exercisedBy: "a refusal of a cursor, and a new walk of a client that has finished (exit status 0)",
  failsWhen:
    "the client has finished, and never began a list again with the same filters after its cursor was refused (a warning if as many walks ended as without a fault)",
  excuses: ["the cursor belongs to no walk"],
  fix: "Begin the list again, without a cursor and with the same filters, or report the error.",
  exchange({ page, method }, { finding, known: { walks } }) {
    if (page === undefined || page.cursor !== undefined || method !== "GET") return;
    const refused = walks.refused.get(page.walk);
    if (refused !== undefined) finding.exercise(refused.id);
  },
  conclude(judged, finish) {
    const message = "A cursor was refused, and the list was never begun again with the same filters.";
    return withUnfinished(judged, finish, judged.known.walks.refused.values(), message);
  },
  fails: { plain: walk, steps: [page({ next: "2" }), refusedPage("2")], finish: "ended-with-0" },
  innocent: {
    plain: walk,
    steps: [page({ next: "2" }), refusedPage("2"), page({ next: "3" }), page({ cursor: "3" })],
    finish: "ended-with-0",
  },
});
