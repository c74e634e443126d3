import { remember } from "../../../base/remember.js";
import { defineCheck } from "../../check.js";
import { page, refusedPage } from "../../conversation.js";
import { sentAgain } from "../../known/proof.js";
import { type Answered, answeredBy, isSentAfter } from "../../known/sending.js";
import { isRefusedCursor, mostCursors } from "../../known/walks.js";

const message = "A cursor was sent again after it had been refused.";

export const restart = defineCheck({
  id: "list.restart",
  level: "must",
  source: "§7 rule 2",
  exercisedBy: "a refusal of a cursor that was delivered",
  failsWhen: "a cursor is sent again after it was refused with INVALID_CURSOR or CURSOR_FILTERS_CHANGED",
  excuses: [
    "it is the first attempt of another worker",
    "at a stopped clock, another walk got the same cursor",
    "the client gave up the answer unread",
  ],
  fix: "Drop a refused cursor, and start the walk again without one.",
  begin: () => ({ refused: new Map<string, Answered>() }),
  exchange(observed, { finding, state: { refused }, known }) {
    const { id, page } = observed;
    if (page?.cursor === undefined) return;
    const { cursor } = page;
    const given = known.walks.of(cursor);
    const before = refused.get(cursor);
    // If several walks cannot be distinguished, another one may send the cursor for the first time. A walk that begins
    // again gets the same cursor at a stopped clock, and may send it.
    const isOfOne = given === undefined || given.walk.count === 1;
    const isGivenAgain = given !== undefined && before !== undefined && given.givenAt >= before.releasedAt;
    if (before !== undefined && isOfOne && !isGivenAgain) {
      const isAgain = isSentAfter(observed, known.sent, before);
      const readings = known.readingsOf(page.walk);
      const proof = known.equal
        .map(({ calls, ...equal }) => ({
          ...equal,
          calls: calls === undefined ? undefined : Math.min(calls, readings ?? calls),
        }))
        .map((equal) => sentAgain(equal, "cursor", cursor, known.reading, given?.givenAt))
        .find((found) => found !== undefined);
      if (proof !== undefined) finding.fail(message, proof);
      else if (isAgain === true && known.limit === undefined) finding.suspect(message, [before.id, id]);
      else if (isAgain === undefined) finding.withdraw(before.id);
    }
    if (!isRefusedCursor(observed) || (before !== undefined && !isGivenAgain)) return;
    finding.exercise(id);
    remember(refused, cursor, answeredBy(observed, known.sent), mostCursors);
  },
  fails: {
    plain: [page({ next: "b" }), page({ cursor: "b" })],
    steps: [page({ next: "2" }), refusedPage("2"), refusedPage("2")],
  },
  innocent: {
    plain: [page({ next: "b" }), page({ cursor: "b" })],
    steps: [page({ next: "2" }), refusedPage("2"), page({ next: "3" }), page({ cursor: "3" })],
  },
});
