import { defineCheck } from "../../check.js";
import { oneSecond, page, ping, wait } from "../../conversation.js";
import { attemptKey } from "../../known/same-request.js";
import { onTheirWay, type Sent } from "../../known/sending.js";
import type { ExchangeObservation } from "../../observation.js";

/** Shorter waits are over before other requests count, in milliseconds. */
const shortestWait = 1000;
/** So many other requests during a wait are a failure: of a client that sends one at a time, and of any other. */
const mostOthers = { alone: 3, parallel: 10 };

interface Wait {
  /** The answer that asks for it, and its connection. */
  readonly answer: number;
  readonly connection: number;
  readonly key: string;
  readonly from: number;
  readonly until: number;
  readonly others: readonly number[];
  /** Those of them that were refused as well. */
  readonly refused: readonly number[];
}

interface State {
  wait: Wait | undefined;
}

const pagesElsewhere = [undefined, "2", "3"].map((cursor) => page({ cursor }, { connection: 2 }));
const limited = ping({ status: 429, retryAfter: oneSecond });

export const others = defineCheck({
  id: "retry.others",
  level: "should",
  source: "RFC 9110 §10.2.3",
  exercisedBy: "a request after the end of the wait that a 429 or 503 with Retry-After told",
  failsWhen:
    "during the wait of a 429 or 503 with Retry-After, three other requests are sent, one at a time; or ten parallel ones are refused as well",
  excuses: ["requests on their way, for 100 ms on other connections", "requests for a token"],
  fix: "Let every request wait as long as Retry-After says, not only the refused one.",
  begin: (): State => ({ wait: undefined }),
  exchange(observed, { finding, state, known: { sent, isNewEpoch } }) {
    const { id, connection, arrivedAt, releasedAt, operation, status, ending, retryAfter, expected } = observed;
    if (isNewEpoch) state.wait = undefined;
    if (expected !== undefined) return;
    const key = attemptKey(observed);
    const isTold = ending === "delivered" && (status === 429 || status === 503) && retryAfter !== undefined;
    const { wait } = state;
    if (wait !== undefined && arrivedAt >= wait.until) {
      finding.exercise(wait.answer);
      state.wait = undefined;
    } else if (wait !== undefined && key === wait.key) {
      // `retry.after` judges that it comes too soon; its answer says how to go on.
      state.wait = undefined;
    } else if (wait !== undefined && operation !== "token" && isAfter(observed, wait, sent)) {
      const others = [...wait.others, id];
      const refused = isTold ? [...wait.refused, id] : wait.refused;
      state.wait = { ...wait, others: others.slice(0, mostOthers.parallel), refused };
      const evidence = sent.alone && others.length >= mostOthers.alone ? others : refused;
      if (evidence === others || refused.length >= mostOthers.parallel) {
        finding.fail("Other requests were sent all through the time that Retry-After told to wait.", [
          wait.answer,
          ...evidence,
        ]);
        state.wait = undefined;
      }
    }
    if (state.wait !== undefined || !isTold || retryAfter.wait < shortestWait) return;
    const until = releasedAt + retryAfter.wait - retryAfter.grace;
    state.wait = { answer: id, connection, key, from: releasedAt, until, others: [], refused: [] };
  },
  fails: { steps: [limited, page(), page({ cursor: "2" }), page({ cursor: "3" })] },
  innocent: { steps: [limited, ...pagesElsewhere, wait(1000), ping()] },
});

/**
 * Whether a request was sent after the answer that asks to wait. On the same connection the answer comes first; over
 * HTTP/2 that is so for a client that sends one request at a time.
 */
function isAfter({ connection, stream, arrivedAt }: ExchangeObservation, wait: Wait, { alone }: Sent): boolean {
  if (connection === wait.connection && (stream === undefined || alone)) return arrivedAt > wait.from;
  return arrivedAt > wait.from + onTheirWay;
}
