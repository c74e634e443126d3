import type { ExchangeObservation } from "../../../src/exam/observation.js";
import type { SentRequest } from "./messages.js";
import type { Plan } from "./sandbox.js";

/** How an exchange went over its connection. */
export interface Passage {
  readonly id: number;
  readonly connection: number;
  readonly begunAt: number;
  /** 0 over HTTP/1.1. */
  readonly stream: number;
  readonly ordinal: number;
  readonly protocol: string;
  readonly thumbprint: string;
  readonly replaces: boolean;
  readonly serverDefect: ExchangeObservation["serverDefect"];
  readonly arrivedAt: number;
  /** 0 if the client ended it before. */
  readonly releasedAt: number;
  readonly overAt: number;
  readonly delivered: boolean;
  readonly keptOpen: boolean;
  /** Whether a fault of this exchange, or of another one on the connection, broke it. */
  readonly isBroken: boolean;
  /** Whether the answer was made. */
  readonly isAnswered: boolean;
  readonly http2Fault: ExchangeObservation["http2Fault"];
}

/** The usual certificate has years left. */
const left = 365 * 86_400_000;

const secondsGrace = 50;

/** What the sandbox observes of an exchange: the counterpart of `src/exam/observe/exchange.ts`. */
export function observe(request: SentRequest, plan: Plan, passage: Passage): ExchangeObservation {
  const { operation, token } = request;
  const { delivered, releasedAt, overAt, isAnswered } = passage;
  const { status = 0, code, retryAfter } = isAnswered ? plan.answer : {};
  const isToken = operation === "token";
  const isHeard = isAnswered && delivered && status >= 300 && retryAfter !== undefined;
  return {
    id: passage.id,
    client: "demo",
    epoch: 1,
    scenario: undefined,
    connection: passage.connection,
    begunAt: passage.begunAt,
    stream: passage.stream === 0 ? undefined : passage.stream,
    ordinal: passage.ordinal,
    keptOpen: delivered && passage.keptOpen,
    http2Fault: passage.http2Fault,
    protocol: passage.protocol,
    serverDefect: passage.serverDefect,
    thumbprint: passage.thumbprint,
    certificate: {
      replaces: passage.replaces,
      hasEnded: plan.hasEnded,
      hasOverlapEnded: plan.hasOverlapEnded,
      chain: undefined,
      left,
    },
    arrivedAt: passage.arrivedAt,
    releasedAt: releasedAt || overAt,
    endedByClient: !delivered && releasedAt === 0,
    overAt,
    method: isToken ? "POST" : "GET",
    target: request.target,
    operation,
    body: isToken ? "form" : undefined,
    status,
    code,
    expected: undefined,
    ending: delivered ? "delivered" : plan.injected || passage.isBroken ? "broken" : "abandoned",
    refusal: isAnswered ? plan.refusal : undefined,
    invalidToken: status === 401 && plan.answer.invalidToken === true,
    host: "localhost",
    redirectsTo: isAnswered && delivered ? plan.answer.redirectsTo : undefined,
    retryAfter: isHeard ? { wait: retryAfter * 1000, grace: secondsGrace } : undefined,
    token,
    tokenSent: token === undefined ? "nowhere" : "header",
    correlationId: request.correlationId,
    unknown: [],
    hasValues: request.hasValues === true,
    tokenRequest: isToken ? tokenRequestOf(request, plan, isAnswered) : undefined,
    page: request.walk && pageOf(request.walk, plan, isAnswered),
  };
}

function tokenRequestOf(request: SentRequest, { answer }: Plan, isAnswered: boolean) {
  return {
    form: request.form,
    otherMediaType: false,
    basic: false,
    inUrl: [],
    issued: isAnswered ? answer.issued : undefined,
  };
}

function pageOf({ name, cursor }: NonNullable<SentRequest["walk"]>, plan: Plan, isAnswered: boolean) {
  const { rows, next } = (isAnswered ? plan.answer.page : undefined) ?? {};
  const { understood, place, aged } = isAnswered ? plan : { understood: false, place: undefined, aged: undefined };
  return { cursor, understood, rows, next, walk: name, place, isOld: aged !== undefined };
}
