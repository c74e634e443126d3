import { defineCheck } from "../../check.js";
import { ping } from "../../conversation.js";
import type { ExchangeObservation } from "../../observation.js";

/** How many requests are needed to decide whether a client reuses connections. */
const enoughRequests = 5;

/**
 * A request that begins later after the end of the one before, in milliseconds, does not count: pools close connections
 * that were idle for a few seconds, some after two.
 */
const closely = 1000;

/** If reuses and new connections alternate, this many new ones are a failure when they are the greater part. */
const manyWasteful = 8;

/** An exchange that left its connection open. */
type Idle = Pick<ExchangeObservation, "id" | "connection" | "releasedAt" | "thumbprint">;

/** Whether a request opened a connection although one was idle. Different certificates need separate connections. */
function isWasteful({ begunAt, thumbprint }: ExchangeObservation, idle: Idle): boolean {
  return idle.thumbprint === thumbprint && begunAt > idle.releasedAt && begunAt - idle.releasedAt < closely;
}

interface State {
  /** Requests after which the sandbox kept the connection open. */
  kept: number;
  /** The newest requests in a row that opened a connection although the one before was open and idle. */
  wasteful: readonly number[];
  allWasteful: number;
  reused: number;
  /** The exchange that ended last, if it left its connection open. */
  idle: Idle | undefined;
}

const apart = (index: number) =>
  ping({
    connection: index,
    ordinal: 1,
    begunAt: 1000 + index * 2,
    arrivedAt: 1000 + index * 2,
    releasedAt: 1001 + index * 2,
    overAt: 1001 + index * 2,
  });

export const reuse = defineCheck({
  id: "tls.reuse",
  level: "should",
  source: "RFC 9112 §9.3",
  exercisedBy: "five requests while the sandbox keeps connections open, and a connection that is used again",
  failsWhen:
    "five requests in a row each open a connection although the one before left its own open less than a second ago; or eight do in all, and fewer reuse one",
  excuses: ["parallel requests and different certificates need their own connections"],
  fix: "Keep one HTTP client with a connection pool, and read every answer to its end.",
  begin: (): State => ({ kept: 0, wasteful: [], allWasteful: 0, reused: 0, idle: undefined }),
  exchange(observed, { finding, state }) {
    const { id, connection, ordinal, keptOpen, releasedAt, thumbprint } = observed;
    if (ordinal > 1) {
      state.wasteful = [];
      state.reused += 1;
      if (state.kept >= enoughRequests - 1) finding.exercise(id);
    } else if (state.idle !== undefined && isWasteful(observed, state.idle)) {
      const before = state.wasteful.length === 0 ? [state.idle.id] : state.wasteful;
      state.wasteful = [...before, id].slice(-enoughRequests);
      state.allWasteful += 1;
      const isMost = state.allWasteful >= manyWasteful && state.allWasteful > state.reused;
      if (state.wasteful.length >= enoughRequests || isMost)
        finding.fail(
          "Request after request came on its own connection, while the previous connection was open and idle.",
          state.wasteful,
        );
    }
    if (keptOpen) {
      state.kept += 1;
      state.idle = { id, connection, releasedAt, thumbprint };
    } else if (state.idle?.connection === connection) state.idle = undefined;
  },
  fails: { steps: [1, 2, 3, 4, 5].map(apart) },
  innocent: { steps: [...[1, 2, 3, 4].map(apart), ping({ connection: 4, ordinal: 2 })] },
});
