import { suggest } from "../../base/text/nearest.js";
import { counted } from "../../base/text/numbers.js";
import { quote } from "../../base/text/printable.js";
import type { Exchange } from "../journal/exchange.js";
import { Refusal } from "../journal/refusal.js";
import { isSecretName } from "../journal/secret-names.js";
import { openCursor, reservedPrefix, sealCursor } from "../lists/cursor.js";
import { type EnvelopeContent, leadingHeaders, pathIn, renderEnvelope } from "../lists/envelope.js";
import type { List } from "../lists/list.js";
import { type PagePlace, placeInWalk } from "../lists/place.js";
import { basisOfProblem } from "../lists/problem-basis.js";
import type { ListProblem } from "../lists/problems.js";
import { continuation, type ListQuery, parseListQuery, type UnmatchedFilter } from "../lists/query.js";
import { operations } from "../operations.js";
import type { FaultyPage } from "../scenarios/fault.js";
import { bearerStep, scopeStep } from "./access.js";
import { jsonAnswer } from "./answer.js";
import { changeClient } from "./change-client.js";
import { correlationStep } from "./correlation.js";
import { type Mark, markOf } from "./mark.js";
import { nextPageTarget } from "./next-link.js";
import { PageCache } from "./page-cache.js";
import { PathTemplate } from "./path.js";
import type { Call, Operation, PlaceInWalk, RefusalId, Step } from "./service.js";
import { takeUnknownParameters } from "./unknown-parameters.js";

/** A list endpoint: §7 and §8. Path, items and envelope are an assumption, `list.endpoints`. */
export function listOperation(list: List): Operation {
  const pages = new PageCache(list);
  const known = parametersOf(list);
  return {
    name: "list",
    list: list.name,
    rowsPath: pathIn(list.envelope.body, "items"),
    method: operations.list.method,
    path: new PathTemplate(list.path),
    summary: `List ${list.name}`,
    steps: [bearerStep, scopeStep, correlationStep, parametersStep(list, known)],
    answer: (call) => answerPage(list, pages, call),
    walk: (call) => walkOf(list, call, () => placeOf(list, known, pages, call)),
    explain: explainPage,
    openApi: async (writer) => (await import("./openapi/list.js")).describeList(list, writer),
  };
}

function explainPage({ client, listQuery, list }: Exchange): string {
  if (!listQuery) return "";
  const { page, pageSize, unmatched } = listQuery;
  const served = `Page ${page} of ${list} was served to ${client?.id}, up to ${counted(pageSize, "row")}.`;
  return [served, ...unmatched.map(explainUnmatched)].join(" ");
}

/** A filter with a value that no row has. Values are compared as text, so another case is another value. */
function explainUnmatched({ parameter, value, values }: UnmatchedFilter): string {
  const shown = isSecretName(parameter, "parameter") ? parameter : `${parameter}=${quote(value)}`;
  return [`No row has ${shown}.`, suggest(value, values)].filter(Boolean).join(" ");
}

/** §7 VALIDATION_ERROR, INVALID_PAGE_SIZE, INVALID_CURSOR and CURSOR_FILTERS_CHANGED, §8 page size. */
function parametersStep(list: List, known: ReadonlySet<string>): Step {
  return {
    name: "parameters",
    section: "7",
    checks: `${list.selectors.length > 0 ? "parameters of the path, " : ""}page size, dates and filters, cursor, unknown parameters, in this order`,
    refuses: refusalsOf(list),
    parameters: [...known],
    run(call) {
      call.exchange.queryParsed(acceptedQuery(list, known, call, call.exchange.token?.clientId));
    },
  };
}

/** The query parameters that a list knows. */
function parametersOf({ parameters, filters }: List): ReadonlySet<string> {
  const ofFilters = filters.map(({ parameter }) => parameter);
  return new Set([...Object.values(parameters), ...ofFilters].filter((name) => name !== undefined));
}

/** @throws Refusal */
function acceptedQuery(list: List, known: ReadonlySet<string>, call: Call, clientId = ""): ListQuery {
  const { service, exchange, parameters, pathParameters } = call;
  const { cursorKeys } = service;
  refuseUnknownParent(list, pathParameters);
  const { now, client } = exchange;
  const movedTo = client && ((cursor: string) => client.scenario.positionOf(cursor));
  const parsed = parseListQuery(list, { parameters, clientId, pathParameters, now, cursorKeys, movedTo });
  if (!parsed.ok) throw listRefusal(list, parsed.problem);
  takeUnknownParameters(call, (name) => known.has(name), list.unknownParameters);
  return parsed.query;
}

function refusalsOf({ parameters, selectors }: List): readonly RefusalId[] {
  const dated = parameters.fromCreatedAt !== undefined || parameters.toCreatedAt !== undefined;
  return [
    ...(selectors.length === 0 ? [] : (["list.unknown-parent"] as const)),
    ...(parameters.pageSize === undefined ? [] : (["INVALID_PAGE_SIZE", "list.page-size-format"] as const)),
    "VALIDATION_ERROR",
    ...(dated ? (["list.dates", "list.filter-comparison"] as const) : []),
    "list.endpoints",
    "INVALID_CURSOR",
    "list.cursor",
    "CURSOR_FILTERS_CHANGED",
    "request.unknown-parameters",
  ];
}

/** @throws Refusal if no item has the value of a path parameter */
function refuseUnknownParent({ dataset, selectors }: List, values: Call["pathParameters"]): void {
  for (const name of selectors) {
    const value = values[name] as string;
    if (dataset.view(0, []).having(name, value) === undefined)
      throw new Refusal("list.unknown-parent", { kind: "no-such-parent", name, value });
  }
}

function listRefusal(list: List, problem: ListProblem): Refusal {
  return new Refusal(basisOfProblem(list, problem), { kind: "list", problem }, { message: problem.message });
}

const ofEveryPage = ["list.endpoints", "list.envelope"] as const;
/** One shared text for the pages that the journal keeps. */
const usualMark = markOf(ofEveryPage);

/**
 * The assumptions of every page, and those of a page with a date in its request, or with another size than the page
 * before.
 */
function pageMark({ from, to, pageSizeChanged }: ListQuery): Mark | undefined {
  if (!from && !to && !pageSizeChanged) return usualMark;
  return markOf([...ofEveryPage, (from || to) && "list.dates", pageSizeChanged && "list.page-size-change"]);
}

function answerPage(list: List, pages: PageCache, call: Call): Response | Promise<Response> {
  const { exchange } = call;
  const query = exchange.listQuery;
  if (!query) throw new Error("A page is requested before its query is parsed.");
  const faulty = call.faults?.page({ list, query, sent: sentCursor(list, call), now: exchange.now });
  if (faulty) return answerFaultyPage(list, query, faulty, call);
  const page = pages.take(query);
  const cursor = nextCursor(call, query, page.next);
  const { link, headers, body } = writePage(list, call, page, cursor);
  const response = jsonAnswer(call, 200, body, pageMark(query), headers);
  // The journal makes the body again when it is read: copies in 10,000 entries would take far more memory than the
  // entries.
  exchange.remakeBody(() => renderEnvelope(list.envelope, pages.take(query), cursor, link), cursor?.length ?? 0);
  exchange.answeredPage(
    link === undefined ? { rows: page.count, cursor } : { rows: page.count, cursor, hasLink: true },
  );
  return response;
}

/** The body and the headers of a page, and the URL of the next one if it is sent. */
function writePage(
  { envelope, parameters }: List,
  call: Call,
  content: EnvelopeContent,
  cursor: string | undefined,
  lost: readonly string[] = [],
) {
  const form = envelope.link?.form;
  const link =
    cursor && form
      ? linkTo(form, call, nextPageTarget(call.exchange.target, parameters.cursor, cursor, lost))
      : undefined;
  return {
    link,
    headers: leadingHeaders(envelope, cursor, link),
    body: renderEnvelope(envelope, content, cursor, link),
  };
}

/** It is ASCII: the server refuses a host that is not. */
function linkTo(form: "url" | "path", { request }: Call, target: string): string {
  return form === "path" ? target : `https://${new URL(request.url).host}${target}`;
}

async function answerFaultyPage(list: List, query: ListQuery, faulty: FaultyPage, call: Call): Promise<Response> {
  const { exchange, service } = call;
  const { page, cursor: given, reserved, losesFilters = false } = faulty;
  const sent = sentCursor(list, call);
  const moves = faulty.moves === true && page.next !== undefined;
  const usual = () => (moves && sent !== undefined ? sent : nextCursor(call, query, page.next));
  const sealed =
    given === undefined ? usual() : typeof given === "string" ? given : sealCursor(service.cursorKeys, given);
  const cursor = reserved && sealed !== undefined ? reservedPrefix + sealed : sealed;
  const isReplay = call.faults?.counter === undefined;
  if (moves && !isReplay && sent !== undefined && exchange.client) {
    const leadsTo = { position: page.next, page: query.page + 1 };
    await changeClient(service, exchange.client, ({ scenario }) => scenario.moveCursor(sent, leadsTo));
  }
  const lost = losesFilters ? query.sent.map(([parameter]) => parameter) : [];
  const { link, headers, body } = writePage(list, call, page, cursor, lost);
  const hasLink = link !== undefined;
  exchange.answeredPage({ rows: page.count, cursor, hasLink, moves: moves && !isReplay, losesFilters });
  return jsonAnswer(call, 200, body, pageMark(query), headers);
}

function sentCursor({ parameters }: List, call: Call): string | undefined {
  return call.parameters.get(parameters.cursor)?.[0] ?? undefined;
}

/** The cursor of the page that begins at `next`; undefined if there is none. */
function nextCursor({ service, exchange }: Call, query: ListQuery, next: number | undefined): string | undefined {
  if (next === undefined) return undefined;
  return sealCursor(service.cursorKeys, continuation(query, next, exchange.now));
}

/** The page of its walk that a request wants: page 1 without a cursor. */
function walkOf(list: List, call: Call, place: PlaceInWalk["place"]): PlaceInWalk {
  const [text] = call.parameters.get(list.parameters.cursor) ?? [];
  if (text === undefined) return { cursor: false, page: 1, place };
  const opened = text === null ? undefined : openCursor(call.service.cursorKeys, text);
  if (text === null || !opened?.ok) return { cursor: true, page: undefined, place };
  const { page } = call.exchange.client?.scenario.positionOf(text) ?? opened.payload;
  return { cursor: true, page, place };
}

/** The place of the page that a request would get with a good token, which is not verified yet. */
function placeOf(list: List, known: ReadonlySet<string>, pages: PageCache, call: Call): PagePlace | undefined {
  try {
    const query = acceptedQuery(list, known, call, call.exchange.client?.id);
    return placeInWalk(query.page, pages.take(query).next !== undefined);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
