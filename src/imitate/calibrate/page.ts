import { isObject, type JsonObject, valueAt } from "../../base/text/json-object.js";
import { shapeOf } from "../shape.js";
import {
  clearestCursorHeader,
  isAboutPages,
  isSizeName,
  isUsableHeader,
  itemsNames,
  leadsToNext,
  rankIn,
  saysMore,
} from "../words.js";
import { type Answer, jsonOf } from "./answer.js";

/** A page, read from an answer. */
export interface Page {
  /** Empty if the answer is an array alone. */
  readonly body: JsonObject;
  /** Empty if the answer is an array alone. */
  readonly itemsPath: readonly string[];
  readonly items: readonly JsonObject[];
  /** Where the cursor of the next page is; undefined if nothing looks like one. */
  readonly cursorPath: readonly string[] | undefined;
  /** The cursor itself, or the link to the next page, from the body or else from the header. */
  readonly cursor: string | undefined;
  /** The next page by the header `Link`. */
  readonly link: string | undefined;
  /** The cursor in a header whose name says so. */
  readonly cursorHeader: { readonly name: string; readonly value: string } | undefined;
  /** What a flag says about whether another page follows; undefined if there is none. */
  readonly more: boolean | undefined;
}

/** A page that says nothing. */
export const emptyPage: Page = {
  body: {},
  itemsPath: [],
  items: [],
  cursorPath: undefined,
  cursor: undefined,
  link: undefined,
  cursorHeader: undefined,
  more: undefined,
};

/** A member of a body, by its path. */
interface Member {
  readonly path: readonly string[];
  readonly value: unknown;
}

const deepest = 3;

/** A cache: answers are read again after every request, and pages may be large. */
const read = new WeakMap<Answer, Page | undefined>();

/** Reads an answer as a page: an object with an array of objects, or such an array alone; undefined for others. */
export function pageOf(answer: Answer | undefined): Page | undefined {
  if (answer === undefined || answer.status !== 200) return undefined;
  if (!read.has(answer)) read.set(answer, readPage(answer));
  return read.get(answer);
}

function readPage(answer: Answer): Page | undefined {
  const body = jsonOf(answer);
  const link = nextLinkOf(answer.headers.get("link") ?? "");
  const cursorHeader = cursorHeaderOf(answer);
  const inHeaders = cursorHeader?.value ?? link;
  if (Array.isArray(body) && body.every(isObject))
    return { ...emptyPage, items: body, cursor: inHeaders, link, cursorHeader };
  if (!isObject(body)) return undefined;
  const members = membersOf(body, []);
  const arrays = members.filter(({ value }) => Array.isArray(value) && value.every(isObject));
  const found =
    arrays.find(({ path }) => rankIn(itemsNames, path.at(-1) as string) !== undefined) ??
    arrays.find(({ value }) => (value as unknown[]).length > 0) ??
    arrays[0];
  if (found === undefined) return undefined;
  const cursor = members.find(({ path, value }) => isCursorName(path) && typeof value === "string" && value !== "");
  const empty = members.find(({ path, value }) => isCursorName(path) && (value === null || value === ""));
  const other = cursor || empty || inHeaders !== undefined ? undefined : unnamedCursor(members);
  return {
    body,
    itemsPath: found.path,
    items: found.value as JsonObject[],
    cursorPath: (cursor ?? empty ?? other)?.path,
    cursor: ((cursor ?? other)?.value as string | undefined) ?? inHeaders,
    link,
    cursorHeader,
    more: members.find(({ path, value }) => typeof value === "boolean" && saysMore(path.at(-1) as string))?.value as
      | boolean
      | undefined,
  };
}

/** Whether another page follows: by a cursor, by a link, or by a flag. */
export function goesOn({ cursor, more }: Page): boolean {
  return cursor !== undefined || more === true;
}

/** Whether a page has other rows than a page before. A row that is added meanwhile does not make it another one. */
export function isOtherPage(page: Page | undefined, before: Page): page is Page {
  if (page === undefined || (page.items.length === 0 && before.items.length === 0)) return false;
  const rows = new Set(before.items.map((item) => JSON.stringify(item)));
  return !page.items.some((item) => rows.has(JSON.stringify(item)));
}

/** The value of the cursor to send: by itself, or in a link. */
export function cursorOf(page: Page | undefined): string | undefined {
  const { cursor } = page ?? {};
  return cursor !== undefined && isLink(cursor) ? cursorInLink(cursor)?.value : cursor;
}

/** The names of the parameters in all links of a page. */
export function parametersInLinks({ body, cursor }: Page): readonly string[] {
  const texts = [cursor, ...membersOf(body, []).map(({ value }) => value)];
  const links = texts.filter((text) => typeof text === "string").filter(isLink);
  return [...new Set(links.flatMap((link) => queryOf(link).map(([name]) => name)))];
}

/** The parameters of a link to the next page that has no cursor: the number of a page, or of a row. */
export function numbersInLink({ cursor }: Page): readonly string[] {
  if (cursor === undefined || !isLink(cursor) || cursorInLink(cursor) !== undefined) return [];
  return queryOf(cursor).flatMap(([name, value]) => (/^\d+$/.test(value) && !isSizeName(name) ? [name] : []));
}

/** The id of a row, which some services take as a cursor. */
export function idOf(item: JsonObject | undefined): string | undefined {
  const id = item?.["id"];
  return typeof id === "string" || typeof id === "number" ? String(id) : undefined;
}

/**
 * A cursor with another name is a link with one in its query, or a long word. A request with it shows whether it is
 * one.
 */
function unnamedCursor(members: readonly Member[]): Member | undefined {
  const texts = members.filter(({ value }) => typeof value === "string") as (Member & { readonly value: string })[];
  const links = texts.filter(
    ({ path, value }) => !isAboutPages(nameOf(path)) && isLink(value) && cursorInLink(value) !== undefined,
  );
  return links[0] ?? texts.find(({ value }) => /^[\w+/=.~-]{16,}$/.test(value) && shapeOf(value) === "text");
}

/** The header with the clearest name of a cursor. The number of a page is none. */
function cursorHeaderOf({ headers, names }: Answer): Page["cursorHeader"] {
  const sent = (name: string) => headers.get(name.toLowerCase()) ?? "";
  const isNumber = (name: string) => /page$/i.test(name) && /^\d+$/.test(sent(name));
  const usable = names.filter((name) => sent(name) !== "" && !isNumber(name) && isUsableHeader(name));
  const name = clearestCursorHeader(usable);
  return name === undefined ? undefined : { name, value: sent(name) };
}

/** The target of the relation `next` in a header `Link` (RFC 8288 §3); undefined if it has none. */
function nextLinkOf(header: string): string | undefined {
  const links = [...header.matchAll(/<([^<>]*)>([^<]*)/g)];
  const isNext = /;\s*rel\s*=\s*("([^"]*\s)?next(\s[^"]*)?"|next\s*($|[;,]))/i;
  return links.find(([, , parameters = ""]) => isNext.test(parameters))?.[1];
}

/** Whether a member is the cursor, by its name or by the name of the link around it. */
export function isCursorName(path: readonly string[]): boolean {
  return leadsToNext(nameOf(path));
}

/** The name of a member, or of the object of a link. */
function nameOf(path: readonly string[]): string {
  const last = path.at(-1) as string;
  return /^(href|url|uri)$/i.test(last) ? (path.at(-2) ?? last) : last;
}

/**
 * All members of an object and of the objects in it, without those of arrays. A name with a dot cannot be written to
 * `sandbox.yaml`.
 */
export function membersOf(object: JsonObject, above: readonly string[]): readonly Member[] {
  return Object.entries(object).flatMap(([name, value]): Member[] => {
    if (name === "" || name.includes(".")) return [];
    const path = [...above, name];
    const below = isObject(value) && path.length < deepest ? membersOf(value, path) : [];
    return [{ path, value }, ...below];
  });
}

/** The value of a member of a page, by its dotted name. */
export function memberOf({ body }: Page, name: string | undefined): unknown {
  return name === undefined ? undefined : valueAt(body, name.split("."));
}

/** Whether the cursor is a link to the next page. */
export function isLink(cursor: string): boolean {
  return /^((https?:\/)?\/.*)?\?/.test(cursor);
}

/**
 * The cursor in a link to the next page, and the name of its parameter: the likeliest name, or else the first value
 * that is not a number.
 */
export function cursorInLink(link: string): { readonly name: string; readonly value: string } | undefined {
  const pairs = queryOf(link);
  const found = pairs.find(([name]) => isCursorName([name])) ?? pairs.find(([, value]) => !/^\d*$/.test(value));
  return found && { name: found[0], value: found[1] };
}

function queryOf(link: string): readonly [string, string][] {
  const base = "https://host";
  return URL.canParse(link, base) ? [...new URL(link, base).searchParams] : [];
}
