import { isObject, type JsonObject, valueAt } from "../../base/text/json-object.js";
import type { EnvelopeSettings } from "../../sandbox/lists/settings.js";
import { isMemberName, isPlain, placeholder } from "../shape.js";
import { isSizeName, isTotalName, saysMore } from "../words.js";
import type { Observation } from "./answer.js";
import { parametersOf, type SeenPage } from "./list-asker.js";
import type { ListFacts } from "./list-facts.js";
import { isCursorName, isLink, memberOf, membersOf, type Page } from "./page.js";

/** The members of a page. */
interface EnvelopeReading {
  readonly settings: EnvelopeSettings;
  /** Whether a last page was seen, and all of them show in the same way that they are the last. */
  readonly isEven: boolean;
}

/** Reads the names of the members of a page from all pages that were seen. */
export function readEnvelope(facts: ListFacts): EnvelopeReading {
  const { pages, first, cursorName, documentedEnvelope: documented } = facts;
  // If the first page is also the last, it may have no member for the cursor.
  const issuing = pages.find(({ page }) => page.cursor !== undefined)?.page;
  const path = issuing?.cursorPath ?? first.cursorPath;
  const seenPath = path !== undefined && (cursorName !== undefined || isCursorName(path)) ? path : undefined;
  const cursorPath = seenPath ?? (documented.nextCursor ?? documented.nextLink)?.split(".");
  const items = first.itemsPath.join(".");
  const cursor = issuing?.cursor;
  // Without a second page, only the document shows its headers.
  const inHeader = pages.some(({ page }) => page.link !== undefined) || (cursor === undefined && documented.linkHeader);
  const header =
    pages.find(({ page }) => page.cursorHeader !== undefined)?.page.cursorHeader?.name ??
    (cursor === undefined ? documented.cursorHeader : undefined);
  const isLinked =
    cursor === undefined ? documented.nextCursor == null && documented.nextLink !== undefined : isLink(cursor);
  const settings: Record<string, unknown> = { items: items === "" ? null : items };
  if (cursorPath !== undefined) settings[isLinked ? "nextLink" : "nextCursor"] = cursorPath.join(".");
  if (inHeader) settings["linkHeader"] = true;
  if (header !== undefined) settings["cursorHeader"] = header;
  if (isLinked && cursor !== undefined && !cursor.startsWith("http")) settings["linkForm"] = "path";
  const hasCursor = cursor !== undefined || inHeader || header !== undefined;
  const [last, ...otherEnds] = lastCursors(pages, cursorPath);
  if (last !== undefined) settings["lastCursor"] = last === "" ? "empty" : last;
  // A service that shows no cursor has none in the sandbox either.
  if (!hasCursor && cursorPath === undefined) settings["nextCursor"] = null;
  const extra: Record<string, unknown> = {};
  for (const { path, value } of leavesOf(first.body, first.itemsPath, cursorPath)) {
    const name = path.join(".");
    const isFlag = typeof value === "boolean" && saysMore(path.at(-1) as string);
    const kind = documentedKind(name, value, documented) ?? kindOf(path, cursorPath, facts);
    if (isFlag && (kind === undefined || !hasCursor)) {
      // Without a cursor, a walk that follows the flag would never end.
      extra[name] = false;
      continue;
    }
    if (kind !== undefined && settings[kind] === undefined) settings[kind] = name;
    else extra[name] = isPlain(path.at(-1) as string, value) ? value : placeholder(value);
  }
  if (Object.keys(extra).length > 0) settings["extra"] = extra;
  return { settings: settings as EnvelopeSettings, isEven: last !== undefined && otherEnds.length === 0 };
}

/** The members that are not objects, and the empty objects, without items, cursor and the objects around these. */
function leavesOf(body: JsonObject, items: readonly string[], cursor: readonly string[] | undefined) {
  const taken = [items, ...(cursor ? [cursor] : [])];
  const isTaken = (path: readonly string[]) => taken.some((each) => path.every((name, place) => name === each[place]));
  return membersOf(body, []).filter(
    ({ path, value }) =>
      path.every(isMemberName) && !isTaken(path) && !(isObject(value) && Object.keys(value).length > 0),
  );
}

/** The ways in which last pages show that they are the last; empty if none was seen. */
function lastCursors(
  pages: readonly SeenPage[],
  path: readonly string[] | undefined,
): readonly ("omit" | "null" | "")[] {
  if (path === undefined) return [];
  const ends = pages
    // `{ links: { next: null } }` means that there is no `links.next.href`.
    .map(({ page: { body } }) =>
      path.some((_, end) => valueAt(body, path.slice(0, end)) === null) ? null : valueAt(body, path),
    )
    .filter((value) => typeof value !== "string" || value === "")
    .map((value) => (value === undefined ? "omit" : value === "" ? "" : "null"));
  return [...new Set(ends)];
}

/** Members of a page that the sandbox sends only if it is configured to. */
export const optionalMembers = ["hasMore", "pageSize", "count", "total"] as const;

type MemberKind = (typeof optionalMembers)[number];

/** What a member means by the document of the service, if it has that type. */
function documentedKind(name: string, value: unknown, documented: EnvelopeSettings): MemberKind | undefined {
  return optionalMembers.find(
    (kind) => documented[kind] === name && (kind === "hasMore" ? typeof value === "boolean" : Number.isInteger(value)),
  );
}

/** What a member of a page means, if all pages agree with that. */
function kindOf(
  path: readonly string[],
  cursorPath: readonly string[] | undefined,
  { pages, sizeName, count }: ListFacts,
): MemberKind | undefined {
  const name = path.at(-1) as string;
  const values = pages.map(({ observation, page }) => ({
    value: valueAt(page.body, path),
    page,
    asked: askedSize(observation, sizeName),
    walked: /\.(cursor|page|large)/.test(observation.step.id),
  }));
  const follows = ({ body, link, cursorHeader }: Page) => {
    const cursor = cursorPath === undefined ? (cursorHeader?.value ?? link) : valueAt(body, cursorPath);
    return typeof cursor === "string" && cursor !== "";
  };
  if (values.every(({ value, page }) => typeof value === "boolean" && value === follows(page)))
    return saysMore(name) ? "hasMore" : undefined;
  if (!values.every(({ value }) => Number.isInteger(value))) return undefined;
  // A larger size may be lowered to the maximum, and a smaller one raised to the minimum.
  const [least, most] = [Math.min, Math.max].map((extreme) => extreme(...values.map(({ value }) => Number(value))));
  const within = (size: number) => Math.max(least as number, Math.min(size, most as number));
  const differ = (numbers: readonly unknown[]) => new Set(numbers).size > 1;
  if (
    isSizeName(name) &&
    values.every(
      ({ value, asked, page }) =>
        (value as number) >= page.items.length &&
        (asked === undefined ? !follows(page) || value === page.items.length : value === within(asked)),
    ) &&
    (differ(values.map(({ value }) => value)) || !differ(values.map(({ asked }) => asked)))
  )
    return "pageSize";
  const isCount = values.every(({ value, page }) => value === page.items.length);
  // If another page follows, there are more rows in total than on the page.
  const isBelowTotal = values.some(({ page }) => follows(page));
  if (isCount && (isBelowTotal || (!/total/i.test(name) && differ(values.map(({ value }) => value))))) return "count";
  // The rows refute a total: there are more of them, or the walk to the last page counts another number.
  const isRefuted = values.some(({ value, page }) => (value as number) < page.items.length + (follows(page) ? 1 : 0));
  const counted = isBelowTotal ? count : undefined;
  if (isRefuted || (counted !== undefined && !values.some(({ value }) => value === counted))) return undefined;
  // By its name, which may be that of a size; or because it is the number of rows if all of them are on the page, and a
  // higher number otherwise.
  const whole = values.filter(({ page, walked }) => !walked && !follows(page));
  const isTotal = whole.length > 0 && isBelowTotal && whole.every(({ value, page }) => value === page.items.length);
  const isNamed = isTotalName(name) && (counted !== undefined || !isSizeName(name) || /total/i.test(name));
  return isTotal || isNamed ? "total" : undefined;
}

/** The page size of a request; undefined if it asks for none, or for something that is no size. */
function askedSize(observation: Observation, sizeName: string | undefined): number | undefined {
  const text = sizeName && parametersOf(observation).get(sizeName);
  return text && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

/** The size to which a larger one is lowered, as a member of the pages says it; undefined if none is lowered. */
export function shownMaximum({ pages, sizeName }: ListFacts, member: string | undefined): number | undefined {
  return pages.flatMap(({ observation, page }) => {
    const shown = memberOf(page, member);
    const asked = askedSize(observation, sizeName);
    return typeof shown === "number" && asked !== undefined && shown > 0 && shown < asked ? [shown] : [];
  })[0];
}
