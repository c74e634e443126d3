import { remember } from "../../../base/remember.js";
import { defineCheck } from "../../check.js";
import { page } from "../../conversation.js";
import { type Answered, answeredBy } from "../../known/sending.js";
import { type GivenCursor, mostCursors } from "../../known/walks.js";

/** If a place was answered successfully this many times in one walk, another request for it is a loop. */
const mostReads = 2;

/** How often a place of a walk was read, and the newest answers. */
interface Reads {
  readonly count: number;
  readonly newest: readonly Answered[];
}

function keyOf({ walk, place }: GivenCursor, cursor: string): string {
  return `${walk.number} ${place ?? cursor}`;
}

const circle = page({ cursor: "2", next: "2", place: "10" });

export const loop = defineCheck({
  id: "list.loop",
  level: "should",
  source: "good practice",
  exercisedBy: "a second page",
  failsWhen: "a cursor that was answered successfully is sent a third time in one walk",
  excuses: ["the client gave up the answer, and asks again", "at a stopped clock, several walks get the same cursors"],
  fix: "Continue with the cursor of the newest page, and stop when a cursor repeats.",
  begin: () => ({ reads: new Map<string, Reads>() }),
  exchange(observed, { finding, state: { reads }, known }) {
    const { id, page } = observed;
    if (page?.cursor === undefined) return;
    const given = known.walks.of(page.cursor);
    const isRead = observed.ending === "delivered" && page.rows !== undefined;
    if (isRead) finding.exercise(id);
    if (given === undefined) return;
    const key = keyOf({ ...given, place: given.place ?? page.place }, page.cursor);
    const { count = 0, newest = [] } = reads.get(key) ?? {};
    const last = newest.at(-1);
    // A page that was given up before it could be read was not answered.
    const isLastRead = last === undefined || last.stream !== undefined || known.reading.isProven(last);
    const read = isLastRead ? count : count - 1;
    if (read >= mostReads * given.walk.count)
      finding.fail(
        "The same place of a list was requested a third time in one walk, although it had been answered successfully.",
        [...newest.map((answer) => answer.id), id],
      );
    if (!isRead) return;
    const answers = [...(isLastRead ? newest : newest.slice(0, -1)), answeredBy(observed, known.sent)];
    remember(reads, key, { count: read + 1, newest: answers.slice(-mostReads) }, mostCursors);
  },
  fails: { steps: [page({ next: "2" }), circle, circle, circle] },
  innocent: { steps: [page({ next: "2" }), circle, circle, page({ next: "5" })] },
});
