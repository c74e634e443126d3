import { filterCandidates, mostFilters, readFilters, tellingValue } from "./filters.js";
import { type Known, type ListTarget, stand } from "./known.js";
import {
  cursorCandidates,
  cursorNamesOf,
  cursorOf,
  type DateFacts,
  dateNamesOf,
  future,
  ignoresUnknown,
  isRefusedAsKnown,
  listFacts,
  mostSizes,
  type PagedFacts,
  past,
  sizeNamesOf,
  stepId,
  tellingSize,
} from "./list-facts.js";
import { dateOfItem } from "./order.js";
import type { SizeLimits } from "./page-sizes.js";
import { altered, callStep, type Step } from "./probe.js";

/** Neither a cursor nor a date. */
const neverIssued = "calibrate";

/** Page sizes with rows. No service is asked for more of them on one page. */
const largeSizes = [101, 1000] as const;
const mostRows = 1001;

/** Parameters by name. */
type Query = Readonly<Record<string, string>>;

/**
 * Makes a step of a list.
 * @param printed the query when requests are printed and not sent; undefined if this one is not printed
 * @param query undefined if the answers so far make the request unnecessary or impossible
 */
type MakeStep = (
  what: string,
  says: string,
  printed: Query | undefined,
  query: (facts: PagedFacts, known: Known) => Query | undefined,
  target?: string,
) => Step;

/** The requests that probe one list, in their order. */
export function listSteps(list: ListTarget): readonly Step[] {
  const step: MakeStep = (what, says, printed, query, target = list.target) => ({
    id: stepId(list, what),
    says: `GET ${list.path} ${says}`,
    request: (known) => {
      const { first, ...facts } = listFacts(known, list);
      const parameters = known.printed ? printed : first && query({ ...facts, first }, known);
      if (parameters === undefined) return undefined;
      const text = new URLSearchParams(parameters).toString();
      return known.call(text === "" ? target : `${target}?${text}`);
    },
  });
  const cursorNames = cursorNamesOf(list);
  return [
    callStep(stepId(list, "first"), `GET ${list.path}`, list.target),
    step("unknown", "with an unknown query parameter", { calibrateUnknown: "1" }, () => ({ calibrateUnknown: "1" })),
    ...sizeNamesOf(list).map((name) =>
      step(`size-name.${name}`, `with ${name}`, { [name]: stand.number }, ({ sizeName, first }, known) =>
        sizeName === undefined ? { [name]: String(tellingSize(first, known, list)) } : undefined,
      ),
    ),
    ...Array.from({ length: cursorNames.length + 1 }, (_, place) => {
      const usual = cursorNames[place];
      const printed = usual === undefined ? undefined : { [usual]: stand.cursor };
      return step(
        `cursor.${place}`,
        "with the cursor of another page",
        printed,
        ({ cursor, cursorName, cursorHint }) => {
          const name = cursorCandidates(list, cursorHint)[place];
          const isNeeded = name !== undefined && cursor !== undefined && cursorName === undefined;
          return isNeeded ? { [name]: cursor } : undefined;
        },
      );
    }),
    ...cursorNames.map((name) => {
      const query = { [name]: neverIssued };
      return step(`cursor-bad.${name}`, `with a ${name} that was never issued`, query, ({ cursor, cursorName }) =>
        cursor === undefined && cursorName === undefined ? query : undefined,
      );
    }),
    ...dateSteps(step, list),
    ...sizeSteps(step, list),
    ...cursorSteps(step, list),
    ...filterSteps(step, list),
    ...Object.entries(list.strangers).map(([name, target]) =>
      step(`parent.${name}`, `with an unknown ${name}`, {}, () => ({}), target),
    ),
  ];
}

function dateSteps(step: MakeStep, list: ListTarget): readonly Step[] {
  const names = dateNamesOf(list);
  const [usual] = names;
  /** On an empty list every range is empty. There, a value that is not a date shows which parameter is a date. */
  const isEmpty = ({ first }: PagedFacts, known: Known) => first.items.length === 0 && ignoresUnknown(known, list);
  const mayBeDate = (facts: PagedFacts, known: Known, from: string) =>
    facts.dates === undefined &&
    (!isEmpty(facts, known) || isRefusedAsKnown(known, list, stepId(list, `dates-bad.${from}`)));
  const withoutOffset = future.time.replace("Z", "");
  return [
    ...names.flatMap(({ from }) => {
      const [bad, time, day] = [{ [from]: neverIssued }, { [from]: future.time }, { [from]: future.day }];
      return [
        step(`dates-bad.${from}`, `with ${from} and no date`, bad, (facts, known) =>
          facts.dates === undefined && isEmpty(facts, known) ? bad : undefined,
        ),
        step(`dates.${from}.time`, `with ${from} as a date-time in the future`, time, (facts, known) =>
          mayBeDate(facts, known, from) ? time : undefined,
        ),
        step(`dates.${from}.day`, `with ${from} as a date in the future`, day, (facts, known) =>
          mayBeDate(facts, known, from) && !isIgnored(facts, from) ? day : undefined,
        ),
      ];
    }),
    ...names.flatMap(({ from, to }) => {
      const bad = { [to]: neverIssued };
      return [
        step(`dates-to.${to}`, `with ${to} in the past`, { [to]: past.time }, ({ dates }) =>
          dates?.from === from ? { [to]: inFormat(dates, past) } : undefined,
        ),
        step(`dates-bad.${to}`, `with ${to} and no date`, bad, (facts, known) =>
          facts.dates?.from === from && isEmpty(facts, known) ? bad : undefined,
        ),
      ];
    }),
    step("dates-day", "with a date where date-times are accepted", { [usual.from]: future.day }, ({ dates }) =>
      dates?.format === "date-time" ? { [dates.from]: future.day } : undefined,
    ),
    step("dates-no-offset", "with a time without an offset", { [usual.from]: withoutOffset }, ({ dates }) =>
      dates === undefined || dates.format === "date" ? undefined : { [dates.from]: withoutOffset },
    ),
    step(
      "dates-bounds",
      "from and to the date of one item",
      { [usual.from]: "DATE", [usual.to]: "DATE" },
      ({ dates, first }) => {
        const date = dateOfItem(first);
        if (dates?.to === undefined || date === undefined) return undefined;
        const text = dates.format === "date" ? date.slice(0, 10) : date;
        return { [dates.from]: text, [dates.to]: text };
      },
    ),
  ];
}

function sizeSteps(step: MakeStep, list: ListTarget): readonly Step[] {
  const [usual] = sizeNamesOf(list);
  return [
    ...largeSizes.map((size) =>
      step(`size-${size}`, `with a page size of ${size}`, { [usual]: String(size) }, ({ sizeName, sizes }) =>
        sizeName !== undefined && isWorthwhile(sizes, size) ? { [sizeName]: String(size) } : undefined,
      ),
    ),
    ...Array.from({ length: mostSizes }, (_, place) =>
      step(
        `size.${place}`,
        "with a page size near the limit",
        { [usual]: stand.number },
        ({ sizeName, sizes, dates }) =>
          sizeName === undefined || sizes.next === undefined || (dates === undefined && sizes.next > mostRows)
            ? undefined
            : { [sizeName]: String(sizes.next), ...(dates && { [dates.from]: inFormat(dates, future) }) },
      ),
    ),
    step("size-word", "with a page size that is no number", { [usual]: neverIssued }, ({ sizeName }) =>
      sizeName === undefined ? undefined : { [sizeName]: neverIssued },
    ),
  ];
}

/** Whether rows show more than the limits that are known: whether a page is silently smaller than it was asked for. */
function isWorthwhile({ maximum, accepted }: SizeLimits, size: number): boolean {
  if (maximum !== undefined) return false;
  const [first] = largeSizes;
  return size === first || accepted.includes(first);
}

function cursorSteps(step: MakeStep, list: ListTarget): readonly Step[] {
  const [{ from }] = dateNamesOf(list);
  const [usualCursor] = cursorNamesOf(list);
  const [usualSize] = sizeNamesOf(list);
  const respelled = past.time.replace("Z", ".000Z");
  return [
    step(
      "cursor-tampered",
      "with an altered cursor",
      { [usualCursor]: altered(stand.cursor) },
      ({ cursor, cursorName }) =>
        cursor === undefined || cursorName === undefined ? undefined : { [cursorName]: altered(cursor) },
    ),
    step("cursor-empty", "with an empty cursor", { [usualCursor]: "" }, ({ cursorName }) =>
      cursorName === undefined ? undefined : { [cursorName]: "" },
    ),
    step(
      "cursor-other-size",
      "with the cursor and another page size",
      { [usualCursor]: stand.cursor, [usualSize]: stand.number },
      (facts, known) => {
        const size = String(tellingSize(facts.first, known, list) || 1);
        const query = cursorQuery(facts);
        return query && facts.sizeName !== undefined ? { ...query, [facts.sizeName]: size } : undefined;
      },
    ),
    step(
      "cursor-other-filter",
      "with the cursor and a date that its request did not have",
      { [usualCursor]: stand.cursor, [from]: past.time },
      (facts) => {
        const query = cursorQuery(facts);
        return query && facts.dates && { ...query, [facts.dates.from]: inFormat(facts.dates, past) };
      },
    ),
    step("walk", "from a date in the past", { [from]: past.time }, ({ dates, cursorName }) =>
      dates === undefined || cursorName === undefined || dates.format === "date"
        ? undefined
        : { [dates.from]: past.time },
    ),
    step(
      "walk-respelled",
      "with the cursor of that walk, and the same instant written differently",
      { [usualCursor]: stand.cursor, [from]: respelled },
      ({ pages, cursorName, dates }) => {
        const walk = pages.find(({ observation }) => observation.step.id.endsWith(".walk"));
        const query = cursorQuery({ cursorName, cursor: cursorOf(walk?.page) });
        return query && dates && { ...query, [dates.from]: respelled };
      },
    ),
  ];
}

function filterSteps(step: MakeStep, list: ListTarget): readonly Step[] {
  return [
    ...Array.from({ length: mostFilters }, (_, place) =>
      step(`filter.${place}`, "with a field as filter", { FIELD: "VALUE" }, ({ items }, known) => {
        const candidate = filterCandidates(list, items)[place];
        return candidate && { [candidate.parameter]: tellingValue(known, list, items, candidate) };
      }),
    ),
    step("filter-none", "with a filter, and a value that no row has", { FIELD: neverIssued }, ({ items }, known) => {
      // If unknown parameters are ignored, the filter was found by such a value.
      const [filter] = ignoresUnknown(known, list) ? [] : Object.keys(readFilters(known, list, items).filters);
      return filter === undefined ? undefined : { [filter]: neverIssued };
    }),
  ];
}

function cursorQuery({ cursor, cursorName }: Pick<PagedFacts, "cursor" | "cursorName">): Query | undefined {
  return cursorName === undefined || cursor === undefined ? undefined : { [cursorName]: cursor };
}

function inFormat({ format }: DateFacts, { day, time }: typeof past | typeof future): string {
  return format === "date" ? day : time;
}

/** Whether a parameter changed nothing, so that another format is not tried. */
function isIgnored({ pages }: PagedFacts, from: string): boolean {
  const full = pages.filter(({ page }) => page.items.length > 0);
  return full.some(({ observation }) => observation.step.id.endsWith(`.dates.${from}.time`));
}
