import type { ProbeRequest } from "./answer.js";
import { filterCandidates, mostFilters, readFilters, tellingValue } from "./filters.js";
import { type Known, type ListTarget, stand } from "./known.js";
import {
  cursorCandidates,
  cursorNamesOf,
  cursorOf,
  dateNamesOf,
  future,
  ignoresUnknown,
  isRefusedAsKnown,
  type ListFacts,
  listFacts,
  mostSizes,
  past,
  sizeNamesOf,
  stepId,
  tellingSize,
} from "./list-facts.js";
import { orderedDate } from "./order.js";
import { type Page, valueAt } from "./page.js";
import type { Step } from "./probe.js";

/** Neither a cursor nor a date. */
const neverIssued = "calibrate";

type Query = readonly (readonly [name: string, value: string])[];

/** The requests that probe one list, in their order. */
export function listSteps(list: ListTarget): readonly Step[] {
  /** @param query undefined if the answers so far make the request unnecessary or impossible */
  const step = (
    what: string,
    says: string,
    query: (facts: ListFacts, known: Known) => Query | undefined,
    target = list.target,
  ): Step => ({
    id: stepId(list, what),
    says: `GET ${list.path} ${says}`.trim(),
    request: (known) => {
      const facts = listFacts(known, list);
      const parameters = what === "first" || known.printed || facts.first ? query(facts, known) : undefined;
      return parameters && get(known, target, parameters);
    },
  });
  const [usualSize] = sizeNamesOf(list);
  return [
    step("first", "", () => []),
    ...sizeNamesOf(list).map((name) =>
      step(`size-name.${name}`, `with ${name}`, ({ sizeName, first }, known) =>
        sizeName === undefined ? [[name, known.printed ? stand.number : String(tellingSize(first, known))]] : undefined,
      ),
    ),
    ...Array.from({ length: cursorNamesOf(list).length + 1 }, (_, place) =>
      step(`cursor.${place}`, "with the cursor of another page", (facts, known) => {
        const name = cursorCandidates(list, facts.cursorHint)[place];
        return name === undefined || facts.cursorName !== undefined ? undefined : cursorQuery(known, facts, name);
      }),
    ),
    ...cursorNamesOf(list).map((name) =>
      step(`cursor-bad.${name}`, `with a ${name} that was never issued`, ({ cursor, cursorName }, known) =>
        known.printed || (cursor === undefined && cursorName === undefined) ? [[name, neverIssued]] : undefined,
      ),
    ),
    ...dateSteps(step, list),
    ...Array.from({ length: mostSizes }, (_, place) =>
      step(`size.${place}`, "with a page size near the limit", ({ sizeName, sizes, dates }, known) => {
        if (known.printed) return [[usualSize, stand.number]];
        if (sizeName === undefined || sizes.next === undefined) return undefined;
        return [[sizeName, String(sizes.next)], ...emptyRange(dates)];
      }),
    ),
    step("size-clamp", "with a page size beyond 100", ({ sizeName, sizes, dates }, known) =>
      sizeName === undefined
        ? printed(known, [[usualSize, "101"]])
        : dates !== undefined && (sizes.maximum ?? 0) > 100
          ? [[sizeName, "101"]]
          : undefined,
    ),
    ...cursorSteps(step, list),
    ...Array.from({ length: mostFilters }, (_, place) =>
      step(`filter.${place}`, "with a field as filter", ({ items }, known) => {
        if (known.printed) return [["FIELD", "VALUE"]];
        const candidate = filterCandidates(list, items)[place];
        return candidate && [[candidate.parameter, tellingValue(known, items, candidate)]];
      }),
    ),
    step("filter-none", "with a filter, and a value that no row has", ({ items }, known) => {
      if (known.printed) return [["FIELD", neverIssued]];
      // If unknown parameters are ignored, the filter was found by such a value.
      const [filter] = ignoresUnknown(known) ? [] : Object.keys(readFilters(known, list, items).filters);
      return filter === undefined ? undefined : [[filter, neverIssued]];
    }),
    ...Object.entries(list.strangers).map(([name, target]) =>
      step(`parent.${name}`, `with an unknown ${name}`, () => [], target),
    ),
  ];
}

type MakeStep = (
  what: string,
  says: string,
  query: (facts: ListFacts, known: Known) => Query | undefined,
  target?: string,
) => Step;

function dateSteps(step: MakeStep, list: ListTarget): readonly Step[] {
  const names = dateNamesOf(list);
  const [usual] = names;
  /** On an empty list every range is empty. There, a value that is not a date shows which parameter is a date. */
  const isEmpty = ({ first }: ListFacts, known: Known) => first?.items.length === 0 && ignoresUnknown(known);
  const mayBeDate = (facts: ListFacts, known: Known, from: string) =>
    facts.dates === undefined && (!isEmpty(facts, known) || isRefusedAsKnown(known, stepId(list, `dates-bad.${from}`)));
  return [
    ...names.flatMap(({ from }) => [
      step(`dates-bad.${from}`, `with ${from} and no date`, (facts, known) =>
        known.printed || (facts.dates === undefined && isEmpty(facts, known)) ? [[from, neverIssued]] : undefined,
      ),
      step(`dates.${from}.time`, `with ${from} as a date-time in the future`, (facts, known) =>
        mayBeDate(facts, known, from) ? [[from, future.time]] : undefined,
      ),
      step(`dates.${from}.day`, `with ${from} as a date in the future`, (facts, known) =>
        mayBeDate(facts, known, from) && !isIgnored(facts, from) ? [[from, future.day]] : undefined,
      ),
    ]),
    ...names.flatMap(({ from, to }) => [
      step(`dates-to.${to}`, `with ${to} in the past`, ({ dates }, known) => {
        if (dates === undefined) return printed(known, [[to, past.time]]);
        return dates.from === from ? [[to, dates.format === "date" ? past.day : past.time]] : undefined;
      }),
      step(`dates-bad.${to}`, `with ${to} and no date`, (facts, known) =>
        known.printed || (facts.dates?.from === from && isEmpty(facts, known)) ? [[to, neverIssued]] : undefined,
      ),
    ]),
    step("dates-day", "with a date where date-times are accepted", ({ dates }, known) => {
      if (dates === undefined) return printed(known, [[usual.from, future.day]]);
      return dates.format === "date-time" ? [[dates.from, future.day]] : undefined;
    }),
    step("dates-no-offset", "with a time without an offset", ({ dates }, known) => {
      const text = future.time.replace("Z", "");
      if (dates === undefined) return printed(known, [[usual.from, text]]);
      return dates.format === "date" ? undefined : [[dates.from, text]];
    }),
    step("dates-bounds", "from and to the date of one item", (facts, known) => {
      const { dates, first } = facts;
      if (known.printed)
        return [
          [usual.from, "DATE"],
          [usual.to, "DATE"],
        ];
      const date = first && dateOfItem(first);
      if (dates?.to === undefined || date === undefined) return undefined;
      const text = dates.format === "date" ? date.slice(0, 10) : date;
      return [
        [dates.from, text],
        [dates.to, text],
      ];
    }),
  ];
}

function cursorSteps(step: MakeStep, list: ListTarget): readonly Step[] {
  const [usual] = dateNamesOf(list);
  const [usualCursor] = cursorNamesOf(list);
  const [usualSize] = sizeNamesOf(list);
  return [
    step("cursor-tampered", "with an altered cursor", (facts, known) => {
      const [[name, cursor] = []] = cursorQuery(known, facts) ?? [];
      return name === undefined || cursor === undefined ? undefined : [[name, tampered(cursor)]];
    }),
    step("cursor-empty", "with an empty cursor", (facts, known) => {
      const name = facts.cursorName ?? (known.printed ? usualCursor : undefined);
      return name === undefined ? undefined : [[name, ""]];
    }),
    step("cursor-other-size", "with the cursor and another page size", (facts, known) => {
      const query = cursorQuery(known, facts);
      const name = facts.sizeName ?? (known.printed ? usualSize : undefined);
      const size = known.printed ? stand.number : String(tellingSize(facts.first, known) || 1);
      return query && name !== undefined ? [...query, [name, size]] : undefined;
    }),
    step("cursor-other-filter", "with the cursor and a date that its request did not have", (facts, known) => {
      const query = cursorQuery(known, facts);
      if (query === undefined) return undefined;
      if (facts.dates === undefined) return printed(known, [...query, [usual.from, past.time]]);
      return [...query, [facts.dates.from, pastOf(facts)]];
    }),
    step("walk", "from a date in the past", ({ dates, cursorName }, known) => {
      if (dates === undefined || cursorName === undefined) return printed(known, [[usual.from, past.time]]);
      return dates.format === "date" ? undefined : [[dates.from, past.time]];
    }),
    step("walk-respelled", "with the cursor of that walk, and the same instant written differently", (facts, known) => {
      const text = past.time.replace("Z", ".000Z");
      if (known.printed)
        return [
          [usualCursor, stand.cursor],
          [usual.from, text],
        ];
      const walk = facts.pages.find(({ observation }) => observation.step.id.endsWith(".walk"))?.page;
      const cursor = cursorOf(walk);
      if (facts.cursorName === undefined || facts.dates === undefined || cursor === undefined) return undefined;
      return [
        [facts.cursorName, cursor],
        [facts.dates.from, text],
      ];
    }),
  ];
}

function get(known: Known, target: string, query: Query): ProbeRequest | undefined {
  const text = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString();
  return known.call(text === "" ? target : `${target}?${text}`);
}

/** A request that is only printed: whether it is sent depends on answers. */
function printed(known: Known, query: Query): Query | undefined {
  return known.printed ? query : undefined;
}

function cursorQuery(known: Known, { cursor, cursorName }: ListFacts, name = cursorName): Query | undefined {
  if (known.printed) return [[name ?? "cursor", stand.cursor]];
  return name === undefined || cursor === undefined ? undefined : [[name, cursor]];
}

/** Whether a parameter changed nothing, so that another format is not tried. */
function isIgnored({ pages }: ListFacts, from: string): boolean {
  const full = pages.filter(({ page }) => page.items.length > 0);
  return full.some(({ observation }) => observation.step.id.endsWith(`.dates.${from}.time`));
}

function pastOf({ dates }: ListFacts): string {
  return dates?.format === "date" ? past.day : past.time;
}

function emptyRange(dates: ListFacts["dates"]): Query {
  if (dates === undefined) return [];
  return [[dates.from, dates.format === "date" ? future.day : future.time]];
}

function tampered(cursor: string): string {
  const place = Math.floor(cursor.length / 2);
  return `${cursor.slice(0, place)}${cursor[place] === "A" ? "B" : "A"}${cursor.slice(place + 1)}`;
}

/** The date that orders the rows of a page, of an item in the middle. */
function dateOfItem(page: Page): string | undefined {
  const path = orderedDate(page.items)?.path;
  const item = page.items[Math.floor(page.items.length / 2)];
  const value = path && item && valueAt(item, path.split("."));
  return typeof value === "string" ? value : undefined;
}
