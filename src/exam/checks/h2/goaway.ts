import { defineCheck } from "../../check.js";
import { ping } from "../../conversation.js";
import { type Answered, answeredBy, isSentAfter } from "../../known/sending.js";
import { add, ids, type Pending, takeFirst } from "./pending.js";

interface State {
  readonly leftOut: Pending;
  /** The newest answer that came with a GOAWAY. */
  ended: Answered | undefined;
}

const leftOutOf = { stream: 3, http2Fault: "goaway-before", status: 0, ending: "broken", keptOpen: false } as const;

export const goaway = defineCheck({
  id: "h2.goaway",
  level: "should",
  source: "RFC 9113 §6.8",
  exercisedBy: "a request on another connection after GOAWAY",
  failsWhen: "a request on a stream above the last one of GOAWAY is never sent on another connection",
  excuses: [],
  fix: "Send these requests again on another connection: they were not processed.",
  begin: (): State => ({ leftOut: new Map(), ended: undefined }),
  exchange(observed, { finding, state, known: { sent } }) {
    const { connection, http2Fault } = observed;
    if (http2Fault === undefined && state.ended === undefined && state.leftOut.size === 0) return;
    const isElsewhere = (answer: Answered) =>
      answer.connection !== connection && isSentAfter(observed, sent, answer) !== false;
    if (state.ended !== undefined && isElsewhere(state.ended)) {
      finding.exercise(state.ended.id);
      state.ended = undefined;
    }
    takeFirst(state.leftOut, observed, isElsewhere);
    if (http2Fault === "goaway-before") add(state.leftOut, observed, sent);
    if (http2Fault === "goaway" || http2Fault === "goaway-before") state.ended = answeredBy(observed, sent);
  },
  conclude: ({ finding, state: { leftOut } }) =>
    finding.withPending(ids(leftOut), "A request that GOAWAY left out was never sent on another connection."),
  giveUp: ({ leftOut }) => leftOut.clear(),
  fails: { steps: [ping(leftOutOf)] },
  innocent: { steps: [ping(leftOutOf), ping({ connection: 2, ordinal: 1, stream: 1 })] },
});
