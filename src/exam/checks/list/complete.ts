import { defineCheck } from "../../check.js";
import { type Finish, page } from "../../conversation.js";
import { Finding, type Level } from "../../finding.js";
import type { Known } from "../../known/known.js";
import { sumOf } from "../../known/reference.js";
import type { Unfinished } from "../../known/walks.js";

/**
 * Whether a walk that did not come to its end is a proven failure. A client may leave a walk on purpose. So it is proven
 * if the client declares that it has finished, or if it ended with 0 after fewer whole walks than without a fault.
 */
export function levelOfEnd(walk: string, { walks, judging: { reference } }: Known, finish: Finish): Level {
  if (finish === "declared") return "must";
  if (finish === undefined || reference === undefined) return "should";
  const own = walks.whole();
  // A filter may have another date in each run: then all walks are compared.
  const [expected, got] = reference.walks.has(walk)
    ? [reference.walks.get(walk) ?? 0, own.get(walk) ?? 0]
    : [sumOf(reference.walks), sumOf(own)];
  return got < expected ? "must" : "should";
}

/** The finding about a client that has finished, in which each walk that did not come to its end is a failure. */
export function withUnfinished(
  { finding, known }: { readonly finding: Finding; readonly known: Known },
  finish: Finish,
  unfinished: Iterable<Unfinished>,
  message: string,
): Finding {
  if (finish === undefined) return new Finding();
  const now = finding.copy();
  for (const { id, walk } of unfinished) now.failAs(levelOfEnd(walk, known, finish), message, [id]);
  return now;
}

const walk = [page({ next: "b" }), page({ cursor: "b", next: "c" }), page({ cursor: "c" })];
const given = page({ cursor: "2", next: "3" }, { connection: 1 });
const again = page({ cursor: "2", next: "4" }, { connection: 2, ordinal: 1 });

export const complete = defineCheck({
  id: "list.complete",
  level: "must",
  source: "assumption list.envelope",
  exercisedBy: "a walk with a second page, of a client that has finished (in an exam, a command that ends with 0)",
  failsWhen:
    "the client has finished, and did not send the cursor of the last page that it read after that page (a warning if as many walks ended as without a fault)",
  excuses: [
    "a page may be read again",
    "the client reads first pages only",
    "a failed page or a refused cursor explains the end",
  ],
  fix: "Continue with the cursor of each page until a page has none.",
  exchange({ page, method }, { finding, known: { walks } }) {
    if (page?.cursor === undefined || method !== "GET") return;
    const from = walks.of(page.cursor)?.page;
    const pending = from === undefined ? undefined : walks.cursors.get(from);
    if (pending !== undefined) finding.exercise(pending.id);
  },
  conclude(judged, finish) {
    const { cursors, pages, refused } = judged.known.walks;
    // Whatever else is wrong with a walk explains that its last cursor was not sent.
    const explained = new Set([...pages.values(), ...refused.values()].map((unfinished) => unfinished.walk));
    const left = [...cursors.values()].filter((unfinished) => !explained.has(unfinished.walk));
    const message = "A walk ended although its last page had a cursor, which was not sent after that page.";
    return withUnfinished(judged, finish, left, message);
  },
  fails: { plain: walk, steps: [given], finish: "ended-with-0" },
  innocent: {
    plain: walk,
    steps: [page({ next: "2" }), given, again, page({ cursor: "4" }, { connection: 2 })],
    finish: "ended-with-0",
  },
});
