import { defineCheck } from "../../check.js";
import { ping } from "../../conversation.js";
import { isSentAfter } from "../../known/sending.js";
import { add, ids, type Pending, takeFirst } from "./pending.js";

const refusedStream = { stream: 1, http2Fault: "refused", status: 0, ending: "broken" } as const;

export const refusedRetried = defineCheck({
  id: "h2.refused-retried",
  level: "should",
  source: "RFC 9113 §8.7",
  exercisedBy: "a stream of HTTP/2 that was refused with REFUSED_STREAM",
  failsWhen: "a request whose stream was refused with REFUSED_STREAM is never sent again",
  excuses: [],
  fix: "Send the request again: it was not processed.",
  begin: (): { readonly refused: Pending } => ({ refused: new Map() }),
  exchange(observed, { finding, state: { refused }, known: { sent } }) {
    if (observed.http2Fault !== "refused" && refused.size === 0) return;
    // A request that came before and ended later is not a repetition.
    const before = takeFirst(refused, observed, (answer) => isSentAfter(observed, sent, answer) !== false);
    if (before !== undefined) finding.exercise(before.id);
    if (observed.http2Fault === "refused") add(refused, observed, sent);
  },
  conclude: ({ finding, state: { refused } }) =>
    finding.withPending(ids(refused), "A request whose stream was refused was never sent again."),
  giveUp: ({ refused }) => refused.clear(),
  fails: { steps: [ping(refusedStream)] },
  innocent: { steps: [ping(refusedStream), ping({ stream: 3 })] },
});
