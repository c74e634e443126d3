import { defineCheck } from "../../check.js";
import { page } from "../../conversation.js";
import { requestOf } from "../../known/same-request.js";
import { withUnfinished } from "./complete.js";

const walk = [page({ next: "b" }), page({ cursor: "b" })];
const failed = page({ cursor: "2", rows: undefined }, { status: 500 });

export const lostPage = defineCheck({
  id: "list.lost-page",
  level: "must",
  source: "RFC 9110 §15, good practice",
  exercisedBy: "a page that fails in passing and is read after all, by a client that has finished (exit status 0)",
  failsWhen:
    "the client has finished, although a page that it requested was never delivered: it was cut off, was not a page, or failed in passing (a warning if as many walks ended as without a fault)",
  excuses: ["another request for the page was answered", "the walk began again"],
  fix: "Request a failed page again, or report the failure.",
  exchange(observed, { finding, known: { walks } }) {
    const { page, ending, method, expected } = observed;
    if (page === undefined || method !== "GET" || expected !== undefined) return;
    if (ending !== "delivered" || page.rows === undefined) return;
    const lost = walks.pages.get(requestOf(observed));
    if (lost !== undefined) finding.exercise(lost.id);
    if (page.cursor !== undefined) return;
    for (const { walk, id } of walks.pages.values()) if (walk === page.walk) finding.exercise(id);
  },
  conclude: (judged, finish) =>
    withUnfinished(
      judged,
      finish,
      judged.known.walks.pages.values(),
      "A page of a list failed, and was never delivered.",
    ),
  fails: { plain: walk, steps: [failed], finish: "ended-with-0" },
  innocent: { plain: walk, steps: [page({ next: "2" }), failed, page({ cursor: "2" })], finish: "ended-with-0" },
});
