import type { Failure } from "./faults.js";
import type { Verdict } from "./report.js";

/**
 * What a client is advised to do after a failure.
 * @internal exported for its test
 */
export type AdvisedStep =
  | "report"
  | "repeat"
  | "wait and repeat"
  | "repeat on a new connection"
  | "renew and repeat once"
  | "begin again"
  | "read on"
  | "ignore"
  | "look";

/** What to change in a client: one sentence, and the step that it asks for. */
export interface Advice {
  readonly step: AdvisedStep;
  readonly text: string;
}

const advice = (step: AdvisedStep, text: string): Advice => ({ step, text });

const isCaught = advice(
  "report",
  "Catch the failure where it happens: an answer of the network must not end the process.",
);
const isLimited = advice(
  "report",
  "Give every request a time limit, for the whole answer and not only for its beginning.",
);
const isSettled = advice(
  "report",
  "End each call with a result or an error: something waits for an answer that no longer comes.",
);
const isTold = {
  answer: advice(
    "report",
    "Report the failure to the caller: throw, or return an error; do not go on as if the request had succeeded.",
  ),
  rows: advice(
    "report",
    "Report the failure to the caller, or read the list to its end: what was read until then is not the whole list.",
  ),
};
const isRepeated = advice(
  "repeat",
  "After a failure that passes, repeat a request that only reads, a few times and with pauses that grow, and then report it.",
);
const isAskedAgain = advice(
  "repeat",
  "Request the token again after a failure that passes, a few times and with pauses that grow, and then report it: that is safe, although it is a POST.",
);
const isExpected = advice(
  "look",
  "See the last lines of the command: perhaps a test counts requests, or asserts that nothing is sent twice.",
);
const renews = advice(
  "renew and repeat once",
  "After a 401, request a fresh token, and send the request once more with it; if that is refused as well, report it.",
);
const renewsEnded = advice(
  "renew and repeat once",
  "Renew a token that has ended: after a 401, request a fresh one, and send the request once more with it.",
);
const beginsAgain = advice(
  "begin again",
  "After a cursor was refused, read the list once more from its first page, without a cursor, or report the failure.",
);

/** What is to be done differently at one kind of failure; what is missing here is `usual`. */
const special: Readonly<Partial<Record<Failure, Advice | { readonly wrong?: Advice; readonly failed?: Advice }>>> = {
  waits: {
    failed: advice(
      "wait and repeat",
      "Wait as long as Retry-After says, repeat the request, and then report the failure.",
    ),
  },
  stream: {
    failed: advice("repeat", "Send a request again whose stream was refused: the service has not processed it."),
  },
  goaway: {
    failed: advice(
      "repeat on a new connection",
      "After GOAWAY, open another connection, and send there what the old one did not process.",
    ),
  },
  slow: { failed: advice("ignore", "Give an answer more time: two seconds are no failure.") },
  unauthorized: renews,
  expiry: renewsEnded,
  cursor: beginsAgain,
  html: {
    wrong: advice(
      "report",
      "Look at status and Content-Type before the body: what is not JSON is no answer. Report it.",
    ),
  },
  "new-field": advice("ignore", "Ignore what you do not know: a new member in an answer is no error."),
  "empty-page": advice("read on", "Read on as long as a page has a cursor, also if it has no rows."),
  "short-page": advice("read on", "Read until there is no cursor, however short a page is."),
  "double-row": advice("ignore", "Tell rows apart by their ids, so that one that comes twice is counted once."),
};

/**
 * What this client should do at this failure; undefined if the verdict asks for no change.
 * @param point its operation, and whether rows are lost
 */
export function adviceFor(
  failure: Failure,
  verdict: Verdict,
  { operation, hasRows }: { readonly operation: string; readonly hasRows: boolean },
): Advice | undefined {
  const own = special[failure];
  const { wrong, failed } = own !== undefined && "step" in own ? { wrong: own, failed: own } : (own ?? {});
  switch (verdict) {
    case "crashed":
      return isCaught;
    case "hung":
      return failure === "held" || failure === "slow" ? isLimited : isSettled;
    case "wrong":
      return wrong ?? (hasRows ? isTold.rows : isTold.answer);
    case "gave-up":
      return failed ?? (operation === "token" ? isAskedAgain : isRepeated);
    case "failed-after-recovery":
      return own !== undefined && "step" in own && own.step !== "renew and repeat once" && own !== beginsAgain
        ? own
        : isExpected;
    default:
      return undefined;
  }
}
