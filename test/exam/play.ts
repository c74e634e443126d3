import type { Conversation, Step } from "../../src/exam/conversation.js";
import { Examiner } from "../../src/exam/examiner.js";
import type { ExchangeObservation, HandshakeObservation } from "../../src/exam/observation.js";

type Change = Partial<ExchangeObservation>;

/** An exchange as the judges get it: a good ping without a token on a connection that stays open, but for the change. */
export function exchangeWith(id: number, now: number, change: Change): ExchangeObservation {
  return {
    id,
    client: "demo",
    epoch: 0,
    scenario: undefined,
    connection: 1,
    begunAt: 900,
    stream: undefined,
    ordinal: id,
    keptOpen: true,
    http2Fault: undefined,
    protocol: "TLSv1.3",
    serverDefect: undefined,
    thumbprint: "own",
    arrivedAt: now,
    releasedAt: now + 1,
    endedByClient: false,
    overAt: now + 1,
    method: "GET",
    target: "/v1/ping",
    operation: "ping",
    body: undefined,
    status: 200,
    code: undefined,
    ending: "delivered",
    refusal: undefined,
    invalidToken: false,
    host: "localhost",
    redirectsTo: undefined,
    retryAfter: undefined,
    token: undefined,
    tokenSent: "nowhere",
    correlationId: undefined,
    unknown: [],
    hasValues: false,
    tokenRequest: undefined,
    page: undefined,
    ...change,
  };
}

/** What judges get a conversation from. */
interface Audience {
  exchange(observed: ExchangeObservation): void;
  handshake(observed: HandshakeObservation): void;
}

/** Gives the steps to judges, one after another, a millisecond each. */
function play(steps: readonly Step[], audience: Audience): void {
  let now = 1000;
  for (const [index, step] of steps.entries()) {
    const id = index + 1;
    if ("wait" in step) now += step.wait;
    else if ("handshake" in step) audience.handshake({ ...usualHandshake, id, ...step.handshake });
    else {
      audience.exchange(exchangeWith(id, now, step.exchange));
      now = Math.max(now, step.exchange.overAt ?? now + 1) + 1;
    }
  }
}

const usualHandshake: HandshakeObservation = {
  id: 0,
  client: "demo",
  cause: "no-request",
  alert: undefined,
  endedByServer: false,
  protocol: "TLSv1.3",
  serverDefect: undefined,
};

/** The results of a conversation, judged as in an exam. */
export function judged({ plain, steps, finish }: Conversation) {
  const examiner = new Examiner();
  if (plain !== undefined) {
    const before = new Examiner();
    play(plain, before);
    examiner.judging = { reference: before.reference(), isExam: true };
  }
  play(steps, examiner);
  return examiner.results(undefined, finish);
}

/** What fails in a conversation: levels and checks. */
export const failures = (conversation: Conversation) =>
  judged(conversation).flatMap(({ id, level, verdict }) => (verdict === "fail" ? [`${level} ${id}`] : []));
