import { nearest } from "../../base/text/nearest.js";
import { longestName, printable } from "../../base/text/printable.js";
import { parseQueryParameters, undecodableName } from "../../sandbox/api/parameters.js";
import { splitTarget } from "../../sandbox/api/path.js";
import { isFormParameter } from "../../sandbox/api/token.js";
import type { ClientRegistry } from "../../sandbox/clients.js";
import type { EndedPassage } from "../../sandbox/connection/passage.js";
import { readHeader } from "../../sandbox/connection/raw-headers.js";
import type { Exchange } from "../../sandbox/journal/exchange.js";
import type { AnsweredPage, TakenStep } from "../../sandbox/journal/exchange-facts.js";
import { redactText } from "../../sandbox/journal/redact.js";
import type { List } from "../../sandbox/lists/list.js";
import type { Parameters } from "../../sandbox/lists/problems.js";
import { intermediateName } from "../../sandbox/pki/profiles.js";
import type { CertificateObservation, ExchangeObservation, PageObservation, UnknownParameter } from "../observation.js";
import { endingOf, hostOf, http2FaultOf, ownRefusal, redirectOf, retryAfter, saysInvalidToken } from "./answer.js";
import { receivedPage } from "./received-page.js";
import { hashOf, tokenHash, tokenRequestOf, tokenSent } from "./token.js";

/** How many unknown parameters of a request are reported. */
const mostUnknown = 8;

const nothingUnknown: readonly UnknownParameter[] = [];

/** What an operation knows about queries. */
interface KnownParameters {
  readonly operation: Exchange["operation"];
  readonly list: List | undefined;
  /** The names that the steps of the operation know; may be empty for a request without parameters. */
  readonly names: readonly string[];
}

/**
 * Whether a request has a parameter whose value is judged: a date, a filter, or the error to produce, but not cursor
 * and page size.
 */
function hasValues(query: Parameters, known: KnownParameters): boolean {
  if (query.size === 0) return false;
  const { cursor, pageSize } = known.list?.parameters ?? {};
  return known.names.some((name) => query.has(name) && name !== cursor && name !== pageSize);
}

/** The parameters that the operation does not know, and what each may be meant for. */
function unknownParameters(query: Parameters, known: KnownParameters): readonly UnknownParameter[] {
  if (known.operation === undefined || query.size === 0) return nothingUnknown;
  const { names } = known;
  const unknown: UnknownParameter[] = [];
  for (const name of query.keys()) {
    if (unknown.length === mostUnknown) break;
    if (names.includes(name) || isJudgedElsewhere(name, known)) continue;
    const near = nearest(name.slice(0, longestName), names)[0];
    unknown.push({ name: printable(redactText(name), longestName), near });
  }
  return unknown;
}

/** Other checks judge tokens in a URL, what belongs in a form, and encodings. */
function isJudgedElsewhere(name: string, { operation }: KnownParameters): boolean {
  return name === "access_token" || name === undecodableName || (operation === "token" && isFormParameter(name));
}

/**
 * What the judges get of a list request, and of the page that answered it.
 * @param query of the request
 */
function pageOf(exchange: Exchange, query: Parameters, list: List): PageObservation {
  const { listQuery, refusal } = exchange;
  const answered = pageGiven(exchange, list);
  const [sent] = query.get(list.parameters.cursor) ?? [];
  // The cursor of page 1 leads to page 2 as any other.
  const leadsOn = answered?.moves && listQuery && listQuery.page > 1;
  const problem = refusal?.reason.kind === "list" ? refusal.reason.problem : undefined;
  const hasOldCursor =
    problem?.code === "INVALID_CURSOR" && ["expired", "from-the-future"].includes(problem.detail.reason);
  return {
    cursor: sent === undefined || sent === null ? undefined : hashOf(moved(sent, listQuery?.isMoved && listQuery.page)),
    understood: listQuery !== undefined,
    rows: answered?.rows,
    next: answered?.cursor === undefined ? undefined : hashOf(moved(answered.cursor, leadsOn && listQuery.page + 1)),
    ...(answered?.losesFilters && { losesFilters: true }),
    walk: walkOf(exchange, query, list),
    place: listQuery && `${listQuery.page} ${listQuery.position}`,
    isOld: hasOldCursor,
  };
}

/** A cursor that the server moves is another one for each page. */
function moved(cursor: string, page: number | false | undefined): string {
  return page ? `${cursor} ${page}` : cursor;
}

/** The same for all pages of a walk: everything that a request with a cursor repeats. */
function walkOf({ target }: Exchange, query: Parameters, { parameters: { cursor, pageSize } }: List): string {
  const filters = [...query].filter(([name]) => name !== cursor && name !== pageSize);
  return hashOf(JSON.stringify([splitTarget(target).path, ...filters.sort(([a], [b]) => (a < b ? -1 : 1))]));
}

/** The page that the client got: the sandbox's own, or what a scenario made of it. */
function pageGiven(exchange: Exchange, list: List): AnsweredPage | undefined {
  if (exchange.status < 200 || exchange.status > 299) return undefined;
  if (!exchange.isByScenario) return exchange.page;
  const page = receivedPage(exchange.wholeBody ?? "", exchange, list);
  return page && { rows: page.rows.length, cursor: page.next };
}

/** What is needed besides the entries of the journal to make observations for the judges. */
export interface ObservationContext {
  readonly lists: readonly List[];
  /** The steps of an operation, or of a list. */
  readonly stepsOf: (operation: string | undefined, list: string | undefined) => readonly TakenStep[];
  /** In lower case. */
  readonly correlationHeader: string;
  readonly clients: Pick<ClientRegistry, "get">;
  /** The highest version of TLS that the sandbox offers, such as `TLSv1.3`. */
  readonly highestProtocol: string;
}

const noParameters: Parameters = new Map();
const noNames: readonly string[] = [];

/** The registration of the client in whose report an exchange is: the one that its token was issued to. */
function clientOf({ holder, client }: Exchange): string {
  return (holder ?? client)?.registration ?? "";
}

/**
 * Makes the observation for the judges from an exchange of the journal that is over.
 * @param passage of the exchange
 * @returns undefined if there was no TLS connection, or if no request could be read
 */
export function observeExchange(
  exchange: Exchange,
  id: number,
  passage: EndedPassage,
  context: ObservationContext,
): ExchangeObservation | undefined {
  const { connection, peer, status } = exchange;
  // If no request could be read, the target is "-". What was not processed says nothing about the client.
  if (connection === undefined || exchange.target === "-" || exchange.unprocessed !== undefined) return undefined;
  const { arrivedAt, overAt, ordinal } = passage;
  const isDelivered = exchange.delivered === true;
  const endedByClient = !isDelivered && passage.releasedAt === 0;
  const releasedAt = passage.releasedAt || overAt;
  const query = queryOf(exchange);
  const known = knownParameters(exchange, query, context);
  const { operation, list } = known;
  const sent = tokenSent(exchange, query);
  return {
    id,
    client: clientOf(exchange),
    epoch: exchange.epoch,
    scenario: scenarioOf(exchange),
    connection: connection.id,
    begunAt: connection.begunAt,
    stream: exchange.stream,
    ordinal,
    keptOpen: isDelivered && passage.keptOpen,
    http2Fault: http2FaultOf(exchange, passage),
    protocol: connection.protocol,
    highestProtocol: context.highestProtocol,
    serverDefect: connection.serverDefect?.defect,
    thumbprint: peer.kind === "certificate" ? peer.certificate.thumbprint : undefined,
    certificate: certificateOf(exchange),
    arrivedAt,
    releasedAt,
    endedByClient,
    overAt,
    method: exchange.method,
    target: exchange.target,
    operation,
    body: exchange.form && hashOf(JSON.stringify([...exchange.form])),
    status,
    code: exchange.code,
    expected: expectedCode(exchange),
    ending: endingOf(exchange, passage),
    refusal: ownRefusal(exchange),
    invalidToken: saysInvalidToken(exchange),
    host: hostOf(exchange),
    redirectsTo: isDelivered ? redirectOf(exchange) : undefined,
    retryAfter: status >= 300 && isDelivered ? retryAfter(exchange, releasedAt - arrivedAt) : undefined,
    token: sent === "header" ? tokenHash(exchange) : undefined,
    tokenSent: sent,
    correlationId: correlationIdOf(exchange, context),
    unknown: unknownParameters(query, known),
    hasValues: hasValues(query, known),
    tokenRequest: operation === "token" ? tokenRequestOf(exchange, query) : undefined,
    page: list && pageOf(exchange, query, list),
  };
}

/** A repeated header is refused: its values are not compared. */
function correlationIdOf({ rawHeaders }: Exchange, { correlationHeader }: ObservationContext): string | undefined {
  const value = readHeader(rawHeaders, correlationHeader);
  return value === undefined ? undefined : hashOf(typeof value === "string" ? value : "");
}

function queryOf({ target }: Exchange): Parameters {
  return target.includes("?") ? parseQueryParameters(splitTarget(target).query) : noParameters;
}

/** The operation of a request, unless its method is wrong, and the parameters that the operation knows. */
function knownParameters(
  exchange: Exchange,
  query: Parameters,
  { lists, stepsOf }: ObservationContext,
): KnownParameters {
  const operation = exchange.refusal?.reason.kind === "method" ? undefined : exchange.operation;
  return {
    operation,
    list: operation === "list" ? lists.find(({ name }) => name === exchange.list) : undefined,
    names: query.size === 0 ? noNames : stepsOf(operation, exchange.list).flatMap(({ parameters = [] }) => parameters),
  };
}

/** Names of scenarios are shorter, but the header can have any length. */
const longestScenario = 100;

/** The scenario that the request selects by its header. */
function scenarioOf({ rawHeaders }: Exchange): string | undefined {
  const scenario = readHeader(rawHeaders, "sandbox-scenario");
  return typeof scenario === "string" ? redactText(scenario).slice(0, longestScenario) : undefined;
}

/** The client's certificate, and what becomes of it; undefined without one. */
function certificateOf({ peer, client, now, refusal, renewal }: Exchange): CertificateObservation | undefined {
  if (peer.kind === "none") return undefined;
  const { notAfter, issuer } = peer.certificate;
  const cause = refusal?.reason;
  const hasEnded =
    cause?.kind === "certificate-ended" || (client !== undefined && cause?.kind === "certificate-expired");
  return {
    replaces: renewal?.replaces === true,
    hasEnded,
    // With files that were held back, it is not known whether the client could read the new ones in time.
    hasOverlapEnded:
      cause?.kind === "certificate-ended" &&
      cause.how === "renewed" &&
      (renewal?.overlap ?? 0) > 0 &&
      !renewal?.filesHeld,
    chain: issuer.includes(intermediateName) ? (peer.chain === "trusted" ? "sent" : "missing") : undefined,
    left: notAfter - now,
  };
}

/** The header in which a request names the error codes that it provokes on purpose, separated by commas. */
const expectedHeader = "sandbox-expected";

/** The code of the answer, if the request said that it expects it, or its client was declared to. */
function expectedCode({ rawHeaders, code, delivered, isExpected }: Exchange): string | undefined {
  if (code === undefined || delivered !== true) return undefined;
  if (isExpected) return code;
  const value = readHeader(rawHeaders, expectedHeader);
  if (typeof value !== "string") return undefined;
  return value.split(",").some((each) => each.trim() === code) ? code : undefined;
}
