import { day as oneDay } from "../text/duration.js";
import { type JsonObject, refusalOf } from "./answer.js";
import type { Known, ListTarget } from "./known.js";
import type { Observation } from "./observation.js";
import { orderedDate } from "./order.js";
import { isLink, type Page, pageOf, valueAt } from "./page.js";
import { type SizeLimits, sizeLimits, type TriedSize } from "./page-sizes.js";

/** Names of query parameters that are tried, the interface's first. */
export const sizeNames = [
  "pageSize",
  "limit",
  "page_size",
  "per_page",
  "perPage",
  "size",
  "count",
  "first",
  "take",
] as const;
export const cursorNames = ["cursor", "after", "pageToken", "page_token", "starting_after", "next", "token"] as const;
export const dateNames = [
  ["fromCreatedAt", "toCreatedAt"],
  ["from", "to"],
  ["createdFrom", "createdTo"],
  ["created_after", "created_before"],
  ["createdAfter", "createdBefore"],
  ["since", "until"],
  ["startDate", "endDate"],
  ["dateFrom", "dateTo"],
  ["fromDate", "toDate"],
  ["start", "end"],
] as const;

/** Most requests that search the limits of the page size. */
export const mostSizes = 20;

/** Later than any row: a page from there is empty, and no row is sent for it. */
export const future = { time: "2999-01-01T00:00:00Z", day: "2999-01-01" } as const;

/** Earlier than any row. */
export const past = { time: "1970-01-01T00:00:00Z", day: "1970-01-01" } as const;

/** What the answers show of one list. */
export interface ListFacts {
  /** The items of all pages, each once. */
  readonly items: readonly JsonObject[];
  /** All pages, the plain one first. */
  readonly pages: readonly SeenPage[];
  readonly first: Page | undefined;
  readonly sizeName: string | undefined;
  readonly cursorName: string | undefined;
  readonly dates: DateFacts | undefined;
  readonly sizes: SizeLimits;
}

export interface SeenPage {
  readonly observation: Observation;
  readonly page: Page;
}

interface DateFacts {
  readonly from: string;
  /** Undefined where the parameter for the end is not known. */
  readonly to: string | undefined;
  readonly format: "date-time" | "date" | "both";
  /** Whether a time without an offset was accepted; undefined where that was not tried. */
  readonly withoutOffset: boolean | undefined;
}

/** The id of a step of a list. */
export const stepId = ({ name }: ListTarget, what: string) => `list.${name}.${what}`;

/** The page size that tells whether a parameter is one. */
export function tellingSize(first: Page | undefined): number {
  const count = first?.items.length ?? 0;
  return count > 1 ? count - 1 : 0;
}

/** Derives what is known of a list from the answers. */
export function listFacts(known: Known, list: ListTarget): ListFacts {
  const page = (what: string) => pageOf(known.answer(stepId(list, what)));
  const prefix = stepId(list, "");
  const pages = [...known.seen.values()].flatMap((observation) => {
    const { step, outcome } = observation;
    // An unknown parent may have a page of its own, whose rows are another's.
    const isOwn = step.id.startsWith(prefix) && !step.id.startsWith(`${prefix}parent.`);
    const found = isOwn && "answer" in outcome ? pageOf(outcome.answer) : undefined;
    return found === undefined ? [] : [{ observation, page: found }];
  });
  const first = page("first");
  const items = [...new Map(pages.flatMap(({ page: each }) => each.items).map((item) => [JSON.stringify(item), item]))];
  const sizeName = sizeNames.find((name) => isSizeName(known, list, name, first));
  const cursorName = cursorNameOf(pages, first);
  return {
    items: items.map(([, item]) => item),
    pages,
    first,
    sizeName,
    cursorName,
    dates: dateFacts(known, list),
    sizes: sizesOf(known, list, sizeName),
  };
}

function isSizeName(known: Known, list: ListTarget, name: string, first: Page | undefined): boolean {
  const id = stepId(list, `size-name.${name}`);
  const answer = known.answer(id);
  if (answer === undefined || first === undefined) return false;
  const asked = Number(parametersOf(known.observation(id)).get(name));
  const found = pageOf(answer);
  if (found !== undefined) return asked > 0 && found.items.length === asked;
  const refusal = refusalOf(answer);
  // Where unknown parameters are ignored, one that is refused is known.
  return refusal !== undefined && (/PAGE_?SIZE|LIMIT/i.test(refusal.code ?? "") || ignoresUnknown(known));
}

function parametersOf(observation: Observation | undefined): URLSearchParams {
  return new URL(observation?.request.path ?? "/", "https://host").searchParams;
}

/** The parameter that has carried the cursor of a page, and has led to another one. */
function cursorNameOf(pages: readonly SeenPage[], first: Page | undefined): string | undefined {
  const cursors = new Set(pages.flatMap(({ page }) => page.cursor ?? []));
  for (const { observation, page } of pages) {
    if (!/\.cursor\.\d+$/.test(observation.step.id)) continue;
    if (JSON.stringify(page.items) === JSON.stringify(first?.items)) continue;
    const parameter = [...parametersOf(observation)].find(([, value]) => cursors.has(value));
    if (parameter !== undefined) return parameter[0];
  }
  return undefined;
}

export function ignoresUnknown(known: Known): boolean {
  return known.accepted("ping.unknown-parameter") === true;
}

/** Names that the parameter of the cursor may have: that of a link, and the usual ones. */
export function cursorCandidates(first: Page | undefined): readonly string[] {
  const member = first?.cursorPath?.at(-1);
  const own = member === undefined || (usualCursors.has(member) && member !== "cursor") ? [] : [member];
  return [...new Set<string>(["cursor", ...own, ...cursorNames])].slice(0, cursorNames.length + 1);
}

const usualCursors: ReadonlySet<string> = new Set(cursorNames);

function dateFacts(known: Known, list: ListTarget): DateFacts | undefined {
  /** Whether no row is outside of the range; a page from the future on is empty then. */
  const holds = (what: string, name: string, isInside: (row: number, bound: number) => boolean) => {
    const observation = known.observation(stepId(list, what));
    const items = pageOf(known.answer(stepId(list, what)))?.items;
    const bound = Date.parse(parametersOf(observation).get(name) ?? "");
    const path = items && orderedDate(items)?.path.split(".");
    if (items === undefined || (items.length > 0 && path === undefined)) return false;
    return items.every((item) => isInside(Date.parse(String(valueAt(item, path ?? []))), bound));
  };
  for (const [from, to] of dateNames) {
    const isLater = (row: number, bound: number) => row >= bound;
    const time = holds(`dates.${from}.time`, from, isLater);
    const day = holds(`dates.${from}.day`, from, isLater);
    if (!time && !day) continue;
    const withoutOffset = known.accepted(stepId(list, "dates-no-offset"));
    return {
      from,
      to: holds(`dates-to.${to}`, to, (row, bound) => row <= bound + oneDay) ? to : undefined,
      format: time ? (day || known.accepted(stepId(list, "dates-day")) ? "both" : "date-time") : "date",
      withoutOffset,
    };
  }
  return undefined;
}

function sizesOf(known: Known, list: ListTarget, name: string | undefined): SizeLimits {
  if (name === undefined) return sizeLimits([]);
  const tried: TriedSize[] = [];
  const whats = [`size-name.${name}`, ...Array.from({ length: mostSizes }, (_, place) => `size.${place}`)];
  for (const what of whats) {
    const observation = known.observation(stepId(list, what));
    const answer = known.answer(stepId(list, what));
    const accepted = known.accepted(stepId(list, what));
    if (observation === undefined || answer === undefined || accepted === undefined) continue;
    const size = Number(parametersOf(observation).get(name));
    const named = accepted ? [] : [...answer.text.matchAll(/\b\d{1,5}\b/g)].map(([digits]) => Number(digits));
    tried.push({ size, accepted, named });
  }
  const count = pageOf(known.answer(stepId(list, "first")))?.items.length ?? 0;
  if (count > 0) tried.push({ size: count, accepted: true, named: [] });
  return sizeLimits(tried);
}

/** The value of the cursor to send, and nothing where the service sends links. */
export function cursorOf(page: Page | undefined): string | undefined {
  const { cursor } = page ?? {};
  return cursor === undefined || isLink(cursor) ? undefined : cursor;
}
