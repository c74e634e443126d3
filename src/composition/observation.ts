import { hash } from "node:crypto";
import { parseQueryParameters } from "../api/parameters.js";
import { splitTarget } from "../api/path.js";
import type { Client, ClientRegistry } from "../clients.js";
import type { AdjustableClock } from "../clock.js";
import type { Passage } from "../connection/passage.js";
import { readHeader, repeated } from "../connection/raw-headers.js";
import type {
  ExchangeObservation,
  IssuedObservation,
  ObservedRefusal,
  PageObservation,
  TokenRequestObservation,
} from "../exam/observation.js";
import type { AnsweredPage, Exchange, TakenStep } from "../journal/exchange.js";
import { pathIn } from "../lists/envelope.js";
import type { List } from "../lists/list.js";
import type { Parameters } from "../lists/problems.js";
import type { ScenarioEngine } from "../scenarios/engine.js";
import { jsonObject, valueAt } from "../text/json-object.js";
import type { AccessToken } from "../tokens/access-token.js";
import { hasValues, unknownParameters } from "./observed-parameters.js";

/** What is needed besides an exchange to make an observation for the judges. */
export interface ObservationContext {
  readonly lists: readonly List[];
  /** The steps of an operation, or of a list. */
  readonly stepsOf: (operation: string | undefined, list: string | undefined) => readonly TakenStep[];
  /** In lower case. */
  readonly correlationHeader: string;
  readonly clock: AdjustableClock;
  readonly clients: Pick<ClientRegistry, "get" | "byThumbprint">;
  readonly scenarios: ScenarioEngine;
}

/** Grace of `Retry-After`, in milliseconds: timers are not exact, and a date has no fractions of a second. */
const secondsGrace = 50;
const dateGrace = 1000;

/** Names of scenarios are shorter, but the header can have any length. */
const longestScenario = 100;

const noParameters: Parameters = new Map();
const noSteps: readonly TakenStep[] = [];

/**
 * Makes the observation for the judges from an exchange of the journal that is over.
 * @param now the present, in milliseconds on the monotonic clock
 * @returns undefined if there was no TLS connection, or if no request could be read
 */
export function observeExchange(
  exchange: Exchange,
  id: number,
  passage: Passage | undefined,
  now: number,
  context: ObservationContext,
): ExchangeObservation | undefined {
  const { connection, peer, refusal, status } = exchange;
  // If no request could be read, the method is "-".
  if (connection === undefined || exchange.method === "-") return undefined;
  const isDelivered = exchange.delivered === true;
  const endedByClient = !isDelivered && passage?.releasedAt === 0;
  const arrivedAt = passage?.arrivedAt ?? now;
  const releasedAt = endedByClient ? now : passage?.releasedAt || now;
  const cause = refusal?.reason.kind;
  const operation = cause === "method" ? undefined : exchange.operation;
  const query = exchange.target.includes("?") ? parseQueryParameters(splitTarget(exchange.target).query) : noParameters;
  const list = operation === "list" ? context.lists.find(({ name }) => name === exchange.list) : undefined;
  const steps = query.size === 0 ? noSteps : context.stepsOf(operation, exchange.list);
  const known = { operation, list, steps };
  const sent = tokenSent(exchange, query);
  const scenario = readHeader(exchange.rawHeaders, "sandbox-scenario");
  return {
    id,
    client: clientOf(exchange, context)?.registration ?? "",
    epoch: epochOf(exchange, context),
    scenario: typeof scenario === "string" ? scenario.slice(0, longestScenario) : undefined,
    clock: "",
    timeError: 0,
    connection: connection.id,
    begunAt: connection.begunAt,
    stream: exchange.stream,
    ordinal: passage?.ordinal ?? 0,
    keptOpen: isDelivered && passage?.keptOpen === true,
    http2Fault: http2FaultOf(exchange, passage),
    protocol: connection.protocol,
    serverDefect: connection.serverDefect?.defect,
    thumbprint: peer.kind === "certificate" ? peer.certificate.thumbprint : undefined,
    arrivedAt,
    releasedAt,
    endedByClient,
    overAt: now,
    method: exchange.method,
    target: exchange.target,
    operation,
    body: exchange.form && hashOf(JSON.stringify([...exchange.form])),
    status,
    code: exchange.code ?? injectedCode(exchange),
    ending: endingOf(exchange, passage),
    refusal: ownRefusal(exchange),
    invalidToken:
      status === 401 && /error\s*=\s*"?invalid_token/i.test(answerHeader(exchange, "www-authenticate") ?? ""),
    retryAfter: status >= 300 && isDelivered ? retryAfter(exchange, releasedAt - arrivedAt) : undefined,
    token: sent === "header" ? tokenHash(exchange) : undefined,
    tokenSent: sent,
    correlated: readHeader(exchange.rawHeaders, context.correlationHeader) !== undefined,
    unknown: unknownParameters(query, known),
    hasValues: hasValues(query, known),
    tokenRequest: operation === "token" ? tokenRequestOf(exchange, query) : undefined,
    page: list && pageOf(exchange, query, list),
  };
}

/** Over HTTP/1.1 the same faults close or reset the connection. Over HTTP/2, GOAWAY leaves out other streams as well. */
function http2FaultOf(
  { stream, injected, fault }: Exchange,
  passage: Passage | undefined,
): ExchangeObservation["http2Fault"] {
  if (passage?.isLeftOut === true) return "goaway-before";
  if (stream === undefined || injected === undefined) return undefined;
  const { connection, stream: broken } = fault?.rule.fault ?? {};
  if (broken?.kind === "refused") return "refused";
  if (connection?.kind !== "goaway") return undefined;
  return connection.lastStream === "before" ? "goaway-before" : "goaway";
}

/** A stream can be broken by a fault of another stream of its connection. */
function endingOf({ delivered, injected }: Exchange, passage: Passage | undefined): ExchangeObservation["ending"] {
  if (delivered === true) return "delivered";
  return injected === undefined && passage?.isBroken !== true ? "abandoned" : "broken";
}

/** The client of the token, or of the certificate. A client that was removed stays the client of its certificate. */
function clientOf({ token, client }: Exchange, { clients }: ObservationContext): Client | undefined {
  return token === undefined || token.clientId === client?.id ? client : (clients.get(token.clientId) ?? client);
}

/** Every choice of a scenario and every move of a clock begins another epoch. */
function epochOf({ client }: Exchange, { clock, scenarios }: ObservationContext): number {
  const own =
    client === undefined ? scenarios.unregisteredPeers.changes : client.scenario.changes + client.clock.changes;
  return own + scenarios.changes + clock.changes;
}

/** The sandbox itself causes the refusals that a scenario injects, and those for a shared state that it cannot reach. */
function ownRefusal({ refusal }: Exchange): ObservedRefusal | undefined {
  if (refusal === undefined || refusal.reason.kind === "injected" || refusal.reason.kind === "unavailable")
    return undefined;
  return { code: refusal.code, kind: refusal.reason.kind };
}

/** The error code in an answer that a scenario gives in full. */
function injectedCode(exchange: Exchange): string | undefined {
  const body = exchange.status < 400 || exchange.injected === undefined ? undefined : givenBody(exchange);
  if (body === undefined) return undefined;
  const { code } = jsonObject(body);
  return typeof code === "string" ? code : undefined;
}

function answerHeader({ answerHeaders = {} }: Exchange, name: string): string | undefined {
  return Object.entries(answerHeaders).find(([candidate]) => candidate.toLowerCase() === name)?.[1];
}

/** RFC 9110 §10.2.3: seconds, or a date. @param took milliseconds from the arrival of the request to the release of its answer */
function retryAfter(exchange: Exchange, took: number): ExchangeObservation["retryAfter"] {
  const text = answerHeader(exchange, "retry-after")?.trim();
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return { wait: Number(text) * 1000, grace: secondsGrace };
  // JavaScript reads other texts as a date as well, such as "-5".
  const date = text.endsWith(" GMT") ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : { wait: date - (exchange.receivedAt + took), grace: dateGrace };
}

function tokenSent({ token, rawHeaders, operation }: Exchange, query: Parameters): ExchangeObservation["tokenSent"] {
  // It was accepted, so it was in the header.
  if (token !== undefined) return "header";
  if (query.has("access_token")) return "url";
  const authorization = readHeader(rawHeaders, "authorization");
  if (authorization === repeated) return operation === "token" ? "nowhere" : "twice";
  return authorization !== undefined && bearer.test(authorization) ? "header" : "nowhere";
}

const bearer = /^bearer +/i;

/** The hashes of tokens that were verified: each is computed once. */
const verified = new WeakMap<AccessToken, string>();

function tokenHash({ token, rawHeaders }: Exchange): string | undefined {
  const known = token && verified.get(token);
  if (known !== undefined) return known;
  const authorization = readHeader(rawHeaders, "authorization");
  if (typeof authorization !== "string") return undefined;
  const computed = hashOf(authorization.replace(bearer, "").trim());
  if (token !== undefined) verified.set(token, computed);
  return computed;
}

function hashOf(text: string): string {
  return hash("sha256", text, "base64url");
}

function tokenRequestOf(exchange: Exchange, query: Parameters): TokenRequestObservation {
  const { form, refusal, rawHeaders, status } = exchange;
  const authorization = readHeader(rawHeaders, "authorization");
  return {
    form,
    otherMediaType: refusal?.reason.kind === "media-type" || refusal?.reason.kind === "content-coding",
    basic: typeof authorization === "string" && /^basic(\s|$)/i.test(authorization),
    inUrl: [...query.keys()].slice(0, 100),
    issued: status === 200 ? issuedBy(exchange) : undefined,
  };
}

/** RFC 6750 §2.1: what a client can send as a bearer token. */
const sendable = /^[\w.~+/-]+=*$/;

function issuedBy(exchange: Exchange): IssuedObservation | undefined {
  const body = givenBody(exchange);
  if (body === undefined) return undefined;
  const { access_token: token, token_type: type, expires_in: seconds } = jsonObject(body);
  if (typeof token !== "string" || !sendable.test(token)) return undefined;
  return {
    token: hashOf(token),
    type: type === undefined || type === null ? undefined : String(type),
    lifetime: typeof seconds === "number" && seconds >= 0 ? seconds * 1000 : undefined,
  };
}

/** The body that the client got: whole if a scenario made it; otherwise only if it is short enough to be kept. */
function givenBody(exchange: Exchange): string | undefined {
  return exchange.injectedBody() ?? exchange.answerBody;
}

function pageOf(exchange: Exchange, query: Parameters, list: List): PageObservation {
  const { listQuery, refusal } = exchange;
  const answered = pageGiven(exchange, list);
  const [sent] = query.get(list.parameters.cursor) ?? [];
  const problem = refusal?.reason.kind === "list" ? refusal.reason.problem : undefined;
  const isOld = problem?.code === "INVALID_CURSOR" && ["expired", "from-the-future"].includes(problem.detail.reason);
  return {
    cursor: sent === undefined || sent === null ? undefined : hashOf(sent),
    understood: listQuery !== undefined,
    rows: answered?.rows,
    next: answered?.cursor === undefined ? undefined : hashOf(answered.cursor),
    place: listQuery && `${listQuery.page} ${listQuery.position}`,
    aged: isOld ? list.cursorLifetime : undefined,
  };
}

/** The page that the client got: the sandbox's own, or what a scenario made of it. */
function pageGiven(exchange: Exchange, { envelope: { members }, parameters }: List): AnsweredPage | undefined {
  if (exchange.status < 200 || exchange.status > 299) return undefined;
  const injected = exchange.injectedBody();
  if (injected === undefined) return exchange.pageAnswered();
  const body = jsonObject(injected);
  const member = (name: "items" | "nextLink" | "nextCursor") => {
    const path = pathIn(members, name);
    return path && valueAt(body, path);
  };
  const rows = member("items");
  const cursor = member("nextCursor") ?? cursorInLink(member("nextLink"), parameters.cursor);
  if (!Array.isArray(rows)) return undefined;
  return { rows: rows.length, cursor: typeof cursor === "string" && cursor !== "" ? cursor : undefined };
}

function cursorInLink(link: unknown, parameter: string): string | undefined {
  const anyHost = "https://localhost";
  if (typeof link !== "string" || !URL.canParse(link, anyHost)) return undefined;
  return new URL(link, anyHost).searchParams.get(parameter) ?? undefined;
}
