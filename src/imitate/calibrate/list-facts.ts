import { day as oneDay } from "../../base/text/duration.js";
import type { JsonObject } from "../../base/text/json-object.js";
import type { EnvelopeSettings } from "../../sandbox/lists/settings.js";
import { usualParameters } from "../words.js";
import { outcomeText, refusalOf } from "./answer.js";
import type { Known, ListTarget } from "./known.js";
import type { Observation } from "./observation.js";
import { orderedDate } from "./order.js";
import { cursorInLink, isLink, type Page, pageOf, valueAt } from "./page.js";
import { type SizeLimits, sizeLimits, type TriedSize } from "./page-sizes.js";

/** Names that the parameter of the page size may have; the name in the document of the service comes first. */
export function sizeNamesOf({ documented }: ListTarget): Names {
  return named(documented?.parameters?.pageSize, usualParameters["page-size"]);
}

/** The same for the parameter of the cursor. */
export function cursorNamesOf({ documented }: ListTarget): Names {
  return named(documented?.parameters?.cursor, usualParameters.cursor);
}

type Names = readonly [string, ...string[]];

function named(first: string | null | undefined, usual: Names): Names {
  return first == null ? usual : [first, ...usual.filter((name) => name !== first)];
}

interface DateNames {
  readonly from: string;
  readonly to: string;
}

/** The same for the two bounds of dates. */
export function dateNamesOf({ documented }: ListTarget): readonly [DateNames, ...DateNames[]] {
  const { fromCreatedAt: from, toCreatedAt } = documented?.parameters ?? {};
  const { dates } = usualParameters;
  if (from == null) return dates;
  const usual = dates.find((each) => each.from === from) ?? dates[0];
  const to = toCreatedAt ?? usual.to;
  return [{ from, to }, ...dates.filter((each) => each.from !== from && each.to !== to)];
}

/** Most requests that search the limits of the page size. */
export const mostSizes = 20;

/** Later than any row: a page from there is empty, so no row is sent. */
export const future = { time: "2999-01-01T00:00:00Z", day: "2999-01-01" } as const;

/** Earlier than any row. */
export const past = { time: "1970-01-01T00:00:00Z", day: "1970-01-01" } as const;

/** What the answers show about one list. */
export interface ListFacts {
  /** The items of all pages, each once. */
  readonly items: readonly JsonObject[];
  /** All pages, the plain one first. */
  readonly pages: readonly SeenPage[];
  readonly first: Page | undefined;
  /** A cursor that the service has issued, by itself or in a link. */
  readonly cursor: string | undefined;
  /** A name that its parameter may have: the name in the link, or of the member. */
  readonly cursorHint: string | undefined;
  readonly sizeName: string | undefined;
  readonly cursorName: string | undefined;
  readonly dates: DateFacts | undefined;
  readonly sizes: SizeLimits;
  /** What the document of the service says about its pages. */
  readonly documentedEnvelope: EnvelopeSettings;
}

/** What the answers show about a list that has a page. */
export type PagedFacts = ListFacts & { readonly first: Page };

export interface SeenPage {
  readonly observation: Observation;
  readonly page: Page;
}

export interface DateFacts {
  readonly from: string;
  /** Undefined if the parameter for the end is not known. */
  readonly to: string | undefined;
  readonly format: "date-time" | "date" | "both";
  /** Whether a time without an offset was accepted; undefined if that was not tried. */
  readonly withoutOffset: boolean | undefined;
}

/** The id of a step of a list. */
export const stepId = ({ name }: ListTarget, what: string) => `list.${name}.${what}`;

/**
 * The value that shows whether a parameter is the page size: fewer rows than without it. If there are too few rows: a
 * size that is refused, if unknown parameters are ignored; or one that is accepted, if they are refused.
 */
export function tellingSize(first: Page | undefined, known: Known, list: ListTarget): number {
  const count = first?.items.length ?? 0;
  if (count > 1) return count - 1;
  return ignoresUnknown(known, list) ? 0 : 1;
}

/** The facts of each list, and the newest observation when they were derived. */
type KeptFacts = Map<ListTarget, { readonly newest: Observation | undefined; readonly facts: ListFacts }>;

/** Facts are needed before every request, and pages may be large: they are kept until there is another observation. */
const kept = new WeakMap<Known, KeptFacts>();

/** What is known about a list from the answers. */
export function listFacts(known: Known, list: ListTarget): ListFacts {
  const ofKnown: KeptFacts = kept.get(known) ?? new Map();
  kept.set(known, ofKnown);
  const newest = [...known.seen.values()].at(-1);
  const last = ofKnown.get(list);
  if (last !== undefined && last.newest === newest) return last.facts;
  const facts = deriveFacts(known, list);
  ofKnown.set(list, { newest, facts });
  return facts;
}

function deriveFacts(known: Known, list: ListTarget): ListFacts {
  const page = (what: string) => pageOf(known.answer(stepId(list, what)));
  const prefix = stepId(list, "");
  const pages = [...known.seen.values()].flatMap((observation) => {
    const { step, outcome } = observation;
    // The page of an unknown parent has rows that do not belong to this list.
    const isOwn = step.id.startsWith(prefix) && !step.id.startsWith(`${prefix}parent.`);
    const found = isOwn && "answer" in outcome ? pageOf(outcome.answer) : undefined;
    return found === undefined ? [] : [{ observation, page: found }];
  });
  const first = page("first");
  const items = [...new Map(pages.flatMap(({ page: each }) => each.items).map((item) => [JSON.stringify(item), item]))];
  const sizeName = sizeNamesOf(list).find((name) => takesSize(known, list, name, first));
  const issuing = pages.find(({ page: each }) => each.cursor !== undefined)?.page;
  return {
    items: items.map(([, item]) => item),
    pages,
    first,
    cursorHint: cursorInLink(issuing?.cursor ?? "")?.name ?? (issuing ?? first)?.cursorPath?.at(-1),
    cursor: issuing && cursorOf(issuing),
    sizeName,
    cursorName: cursorNameOf(pages, first) ?? refusedCursorName(known, list),
    dates: dateFacts(known, list, first),
    sizes: sizesOf(known, list, sizeName),
    documentedEnvelope: list.documented?.envelope ?? {},
  };
}

function takesSize(known: Known, list: ListTarget, name: string, first: Page | undefined): boolean {
  const id = stepId(list, `size-name.${name}`);
  const answer = known.answer(id);
  if (answer === undefined || first === undefined) return false;
  const asked = Number(parametersOf(known.seen.get(id)).get(name));
  const found = pageOf(answer);
  if (found !== undefined) return asked > 0 && (found.items.length === asked || isAcceptedAsKnown(known, list, id));
  return /PAGE_?SIZE|LIMIT/i.test(refusalOf(answer)?.code ?? "") || isRefusedAsKnown(known, list, id);
}

/** If unknown parameters are refused, a parameter that is accepted is known. */
function isAcceptedAsKnown(known: Known, list: ListTarget, id: string): boolean {
  return known.accepted(id) === true && known.accepted(unknownStep(known, list)) === false;
}

/** If unknown parameters are ignored, or refused with another answer, a parameter that is refused is known. */
export function isRefusedAsKnown(known: Known, list: ListTarget, id: string): boolean {
  const [own, unknown] = [known.outcome(id), known.outcome(unknownStep(known, list))];
  if (own === undefined || known.accepted(id) !== false) return false;
  if (ignoresUnknown(known, list)) return true;
  const isRefused = known.accepted(unknownStep(known, list)) === false;
  return isRefused && unknown !== undefined && outcomeText(own) !== outcomeText(unknown);
}

function parametersOf(observation: Observation | undefined): URLSearchParams {
  return new URL(observation?.request.path ?? "/", "https://host").searchParams;
}

/** The parameter that had the cursor of a page, and that led to another page. */
function cursorNameOf(pages: readonly SeenPage[], first: Page | undefined): string | undefined {
  const cursors = new Set(pages.flatMap(({ page }) => cursorOf(page) ?? []));
  for (const { observation, page } of pages) {
    if (!/\.cursor\.\d+$/.test(observation.step.id)) continue;
    if (JSON.stringify(page.items) === JSON.stringify(first?.items)) continue;
    const parameter = [...parametersOf(observation)].find(([, value]) => cursors.has(value));
    if (parameter !== undefined) return parameter[0];
  }
  return undefined;
}

/** The parameter for which a cursor that was never issued is refused. */
function refusedCursorName(known: Known, list: ListTarget): string | undefined {
  return cursorNamesOf(list).find((name) => isRefusedAsKnown(known, list, stepId(list, `cursor-bad.${name}`)));
}

/** The step that shows what happens to unknown parameters: of the list itself, or else of ping. */
function unknownStep(known: Known, list: ListTarget): string {
  const own = stepId(list, "unknown");
  return known.accepted(own) === undefined ? "ping.unknown-parameter" : own;
}

/** Whether the list was answered although it had a parameter that no service knows. */
export function ignoresUnknown(known: Known, list: ListTarget): boolean {
  return known.accepted(unknownStep(known, list)) === true;
}

/** Names that the parameter of the cursor may have: the usual ones, and a hint in second place. */
export function cursorCandidates(list: ListTarget, hint: string | undefined): readonly string[] {
  const [first, ...others] = cursorNamesOf(list);
  return [...new Set([first, ...(hint === undefined ? [] : [hint]), ...others])];
}

function dateFacts(known: Known, list: ListTarget, first: Page | undefined): DateFacts | undefined {
  const id = (what: string) => stepId(list, what);
  /** Whether no row is outside the range. A page that begins in the future must be empty. */
  const holds = (what: string, name: string, isInside: (row: number, bound: number) => boolean) => {
    // An empty list stays empty.
    if (first?.items.length === 0) return isAcceptedAsKnown(known, list, id(what));
    const items = pageOf(known.answer(id(what)))?.items;
    const bound = Date.parse(parametersOf(known.seen.get(id(what))).get(name) ?? "");
    const path = items && orderedDate(items)?.path.split(".");
    if (items === undefined || (items.length > 0 && path === undefined)) return false;
    return items.every((item) => isInside(Date.parse(String(valueAt(item, path ?? []))), bound));
  };
  const isKnown = (what: string) => isRefusedAsKnown(known, list, id(what));
  for (const { from, to } of dateNamesOf(list)) {
    const isLater = (row: number, bound: number) => row >= bound;
    const isNamed = isKnown(`dates-bad.${from}`);
    const time = holds(`dates.${from}.time`, from, isLater) || (isNamed && known.accepted(id(`dates.${from}.time`)));
    const day = holds(`dates.${from}.day`, from, isLater) || (isNamed && known.accepted(id(`dates.${from}.day`)));
    if (!time && !day) continue;
    const hasEnd = holds(`dates-to.${to}`, to, (row, bound) => row <= bound + oneDay) || isKnown(`dates-bad.${to}`);
    return {
      from,
      to: hasEnd ? to : undefined,
      format: time ? (day || known.accepted(id("dates-day")) ? "both" : "date-time") : "date",
      withoutOffset: known.accepted(id("dates-no-offset")),
    };
  }
  return undefined;
}

function sizesOf(known: Known, list: ListTarget, name: string | undefined): SizeLimits {
  if (name === undefined) return sizeLimits([]);
  const tried: TriedSize[] = [];
  const { minimum, maximum } = list.documented?.pageSize ?? {};
  const documented = [minimum, maximum].filter((size) => size !== undefined);
  const whats = [
    `size-name.${name}`,
    "size-101",
    "size-1000",
    ...Array.from({ length: mostSizes }, (_, place) => `size.${place}`),
  ];
  let isUnanswered = false;
  for (const what of whats) {
    const observation = known.seen.get(stepId(list, what));
    const answer = known.answer(stepId(list, what));
    const accepted = known.accepted(stepId(list, what));
    if (observation === undefined) continue;
    if (answer === undefined || accepted === undefined) {
      isUnanswered ||= what.startsWith("size.");
      continue;
    }
    const size = Number(parametersOf(observation).get(name));
    const page = pageOf(answer);
    const lowered = page?.cursor !== undefined && page.items.length < size && size > 0 ? page.items.length : undefined;
    const named = accepted ? documented : [...answer.text.matchAll(/\b\d{1,5}\b/g)].map(([digits]) => Number(digits));
    // An empty page at a date in the future is not smaller than it was asked for.
    tried.push({ size, accepted, named, lowered: what.startsWith("size-") ? lowered : undefined });
  }
  const count = pageOf(known.answer(stepId(list, "first")))?.items.length ?? 0;
  if (count > 0) tried.push({ size: count, accepted: true, named: documented });
  const limits = sizeLimits(tried);
  // The same request would get no answer again.
  return isUnanswered ? { ...limits, next: undefined } : limits;
}

/** The value of the cursor to send. */
export function cursorOf(page: Page | undefined): string | undefined {
  const { cursor } = page ?? {};
  return cursor !== undefined && isLink(cursor) ? cursorInLink(cursor)?.value : cursor;
}
