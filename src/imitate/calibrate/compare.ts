import { isObject, type JsonObject, valueAt } from "../../base/text/json-object.js";
import { type Answer, answerOf, errorCodesIn, jsonOf, type Observation, type Reply } from "./answer.js";
import { fieldsOf, isAlike, isHidden, namesIn, typesOf } from "./fields.js";
import { emptyPage, goesOn, isOtherPage, type Page, pageOf } from "./page.js";

/** One point in which the sandbox's answer is not the service's, in words without any value of a row. */
export interface Difference {
  readonly what: string;
  readonly service: string;
  readonly sandbox: string;
}

/** What is known besides the two answers. */
export interface ComparisonContext {
  /** All rows of the list that the service has sent. */
  readonly rows: readonly JsonObject[];
  /** The first pages of this list. */
  readonly first: { readonly service: Page; readonly sandbox: Page } | undefined;
  /** The header of the correlation ID that the sandbox has, if it is the service's. */
  readonly correlationHeader: string | undefined;
}

/** What a client can see of an answer, by what it is. */
type Seen = ReadonlyMap<string, string>;

/**
 * Compares two answers to the same request: status, code, media type, shape of the body, headers that a client reads,
 * and whether a walk goes on. Values of rows and messages are not compared.
 */
export function differencesOf(
  { step, outcome, request }: Observation,
  sandbox: Reply,
  context: ComparisonContext,
): readonly Difference[] {
  const [one, other] = [answerOf(outcome), answerOf(sandbox)];
  if (one === undefined || other === undefined) {
    if (one === other) return [];
    return [{ what: "answer", service: statusOf(outcome), sandbox: statusOf(sandbox) }];
  }
  const page = pageOf(one);
  const seen = (answer: Answer) => {
    const parts = page && pageAt(answer, page) ? [] : bodyOf(answer);
    // Answers with different statuses have different bodies.
    const own = one.status === other.status ? parts : parts.filter(([what]) => what !== "body");
    // How many rows a range of dates has depends on the rows.
    const headers = headersOf(answer, request, context).filter(
      ([what]) => !ofNextPage.includes(what) || !page || plainRequest.test(step.id),
    );
    return new Map([...headers, ...own]);
  };
  return [
    ...compared(seen(one), seen(other)),
    ...(nextPage.test(step.id) ? walkDifferences(page, pageOf(other), context) : []),
    ...(page ? pageDifferences(step.id, page, pageAt(other, page), context) : []),
  ];
}

function statusOf(outcome: Reply): string {
  return "answer" in outcome ? String(outcome.answer.status) : `no answer (${outcome.failure})`;
}

function compared(one: Seen, other: Seen): readonly Difference[] {
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((what) => {
    const [service, sandbox] = [one.get(what) ?? "none", other.get(what) ?? "none"];
    return service === sandbox ? [] : [{ what, service, sandbox }];
  });
}

/** Headers that a page has if another one follows. */
const ofNextPage = ["Link", "header of the cursor"];

/** Headers whose presence alone is compared: their values depend on time. */
const ofTime = ["retry-after", "location"];

function headersOf(answer: Answer, request: Observation["request"], context: ComparisonContext) {
  const { status, headers, text } = answer;
  const seen: [string, string][] = [["status", String(status)]];
  if (text !== "") seen.push(["media type", mediaTypeOf(answer)]);
  const challenge = headers.get("www-authenticate");
  if (challenge !== undefined) seen.push(["WWW-Authenticate", challengeOf(challenge)]);
  for (const name of ofTime) if (headers.has(name)) seen.push([name, "sent"]);
  if (/;\s*rel\s*=\s*"?next\b/i.test(headers.get("link") ?? "")) seen.push(["Link", "next"]);
  const cursorHeader = pageOf(answer)?.cursorHeader;
  if (cursorHeader !== undefined) seen.push(["header of the cursor", cursorHeader.name.toLowerCase()]);
  const name = context.correlationHeader?.toLowerCase();
  if (name !== undefined) {
    const sent = Object.entries(request.headers).find(([each]) => each.toLowerCase() === name)?.[1];
    const value = headers.get(name);
    if (value !== undefined)
      seen.push(["correlation ID", sent !== undefined && value === sent ? "the request's" : "another"]);
  }
  return seen;
}

function mediaTypeOf({ headers }: Answer): string {
  return (headers.get("content-type") ?? "none").replace(/;.*/s, "").trim().toLowerCase();
}

/** Media type and members of a body: `application/json { code: string, message: string }`. */
export function bodyText(answer: Answer): string {
  const shape = bodyOf(answer).find(([what]) => what === "body")?.[1] ?? "";
  return answer.text === "" ? shape : `${mediaTypeOf(answer)} ${shape}`;
}

/** Scheme, error and the names of the parameters: descriptions are for people. */
function challengeOf(text: string): string {
  const [scheme = ""] = /^\S+/.exec(text) ?? [];
  const error = /\berror="?([\w.-]+)/.exec(text)?.[1];
  const names = [...text.matchAll(/(?:^\S+\s+|,\s*)([\w-]+)=/g)].map(([, name]) => name as string);
  const others = [...new Set(names)].filter((each) => !/^error/.test(each)).sort();
  return [scheme, ...(error === undefined ? [] : [`error ${error}`]), ...others].join(" ");
}

function bodyOf(answer: Answer): readonly [string, string][] {
  if (answer.text.trim() === "") return [["body", "empty"]];
  const body = jsonOf(answer);
  if (body === undefined) return [["body", "not JSON"]];
  const codes = answer.status >= 400 && isObject(body) ? errorCodesIn(body) : {};
  return [
    ["body", shapeOfValue(body)],
    ...Object.entries(codes).filter((each): each is [string, string] => each[1] !== undefined),
  ];
}

/** Types and names of members, without any value. */
function shapeOfValue(value: unknown, depth = 0): string {
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[${shapeOfValue(value[0], depth + 1)}]`;
  if (!isObject(value)) return value === null ? "null" : typeof value;
  if (depth > 6) return "{…}";
  const members = Object.entries(value).map(([name, member]) => `${name}: ${shapeOfValue(member, depth + 1)}`);
  return `{ ${members.sort().join(", ")} }`;
}

/** The page in an answer whose rows are at the same place. */
function pageAt(answer: Answer, { itemsPath }: Page): Page | undefined {
  if (answer.status !== 200) return undefined;
  const body = jsonOf(answer);
  const items = valueAt(body, itemsPath);
  if (!Array.isArray(items) || !items.every(isObject)) return undefined;
  return { ...emptyPage, ...pageOf(answer), body: isObject(body) ? body : {}, itemsPath, items };
}

/** Whether a request asks for the rows in their order, so that their number can be compared. */
const plainRequest = /\.(first|unknown|size[.-].+|cursor\.\d+|cursor-other-size|page\.\d+|large\.\d+)$/;

/** Whether a request asks for the page after another one. */
const nextPage = /\.(cursor|cursor-row|number|page)\.[^.]+$/;

function walkDifferences(
  service: Page | undefined,
  sandbox: Page | undefined,
  { first }: ComparisonContext,
): readonly Difference[] {
  if (service === undefined || sandbox === undefined || first === undefined) return [];
  const kindOf = (page: Page, before: Page) => {
    const isPart = page.items.length < before.items.length;
    if (isOtherPage(page, before)) return "another page";
    return isPart ? "a part of the first page" : "the first page again";
  };
  const [one, other] = [kindOf(service, first.service), kindOf(sandbox, first.sandbox)];
  return one === other ? [] : [{ what: "walk", service: one, sandbox: other }];
}

function pageDifferences(
  id: string,
  service: Page,
  sandbox: Page | undefined,
  { rows }: ComparisonContext,
): readonly Difference[] {
  if (sandbox === undefined) return [];
  const found: Difference[] = [];
  const add = (what: string, one: string, other: string) => {
    if (one !== other) found.push({ what, service: one, sandbox: other });
  };
  const [hasNext, alsoHasNext] = [goesOn(service), goesOn(sandbox)];
  const isPlain = plainRequest.test(id);
  if (isPlain) add("walk", hasNext ? "goes on" : "ends", alsoHasNext ? "goes on" : "ends");
  const isWhole = !hasNext && !alsoHasNext;
  if (isPlain && hasNext) add("rows", String(service.items.length), String(sandbox.items.length));
  else if (!isWhole || !isPlain) add("rows", some(service), some(sandbox));
  const next = service.cursorPath ?? sandbox.cursorPath;
  // A link object is sent or left out as a whole.
  const whole = next?.at(-1) === "href" ? next.slice(0, -1) : next;
  const leftOut = hasNext === alsoHasNext ? undefined : whole;
  add("members of the page", envelopeOf(service, service, leftOut), envelopeOf(sandbox, service, leftOut));
  if (service.items.length > 0 && sandbox.items.length > 0) {
    const missing = rowDifference(service.items, sandbox.items, rows);
    if (missing !== undefined) found.push(missing);
  }
  return found;
}

function some({ items }: Page): string {
  return items.length > 0 ? "some" : "none";
}

/** The members around the rows. Where only one of two walks goes on, the cursor and its flag are left out. */
function envelopeOf({ body }: Page, { itemsPath }: Page, leftOut: readonly string[] | undefined): string {
  const without = (object: JsonObject, path: readonly string[]): JsonObject => {
    const [name = "", ...rest] = path;
    const { [name]: inner, ...others } = object;
    return isObject(inner) && rest.length > 0 ? { ...others, [name]: without(inner, rest) } : others;
  };
  const around = without(body, itemsPath);
  return shapeOfValue(leftOut === undefined ? around : without(around, leftOut));
}

/** A member that rows of the service have and those of the sandbox do not, or the other way round. */
function rowDifference(
  service: readonly JsonObject[],
  sandbox: readonly JsonObject[],
  all: readonly JsonObject[],
): Difference | undefined {
  const typesIn = (rows: readonly JsonObject[]) => typesOf(fieldsOf(rows));
  const [theirs, ever, own] = [typesIn(service), typesIn([...all, ...service]), typesIn(sandbox)];
  for (const [path, type] of theirs) {
    const found = own.get(path);
    const names = namesIn(path);
    const isAlways = service.every((row) => valueAt(row, names) !== undefined);
    if (found === undefined && isAlways && !isHidden(path, own))
      return { what: "rows", service: `have ${names.join(".")}`, sandbox: "do not" };
    if (found !== undefined && !isAlike(type, found))
      return { what: `${names.join(".")} of the rows`, service: type, sandbox: found };
  }
  for (const path of own.keys())
    if (!ever.has(path) && !isHidden(path, ever))
      return { what: "rows", service: "do not", sandbox: `have ${namesIn(path).join(".")}` };
  return undefined;
}
