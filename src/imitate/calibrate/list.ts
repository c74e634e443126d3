import type { AssumptionId } from "../../sandbox/assumptions.js";
import { listDefaults } from "../../sandbox/lists/settings.js";
import { answerOf, outcomeText } from "./answer.js";
import { readEnvelope } from "./envelope.js";
import { completed, fieldsOf } from "./fields.js";
import { readFilters } from "./filters.js";
import type { Known, ListTarget } from "./known.js";
import { listFacts, type PagedFacts, stepId } from "./list-facts.js";
import { listSteps } from "./list-steps.js";
import { orderedDate } from "./order.js";
import { pageOf, valueAt } from "./page.js";
import { largestSize } from "./page-sizes.js";
import { type CalibrationsOf, type Certainty, type Probe, type Reading, readingOf } from "./probe.js";
import { readRefusal } from "./refusal.js";

/** Lists, and the parameters of their requests. */
export const listCalibrations: CalibrationsOf<"list"> = {
  "list.endpoints": { steps: (known) => known.options.lists.flatMap(listSteps), read: readEndpoints },
  "list.envelope": { steps: () => [], read: ofEachList(readEnvelopeOf) },
  // A cursor that was altered, or is empty: the sandbox always refuses both.
  "list.cursor": deviations("list.cursor", {
    "cursor-tampered": "400 INVALID_CURSOR",
    "cursor-empty": "400 INVALID_CURSOR",
    "cursor-other-filter": "400 CURSOR_FILTERS_CHANGED",
  }),
  "list.unknown-parent": { steps: () => [], read: readParents },
  "list.page-size-change": deviations("list.page-size-change", { "cursor-other-size": "200" }),
  "list.filter-comparison": deviations("list.filter-comparison", { "walk-respelled": "400 CURSOR_FILTERS_CHANGED" }),
  "list.dates": { steps: () => [], read: readDates },
  "list.page-size-format": { steps: () => [], read: ofEachList(readSizes) },
};

type ReadList = (known: Known, list: ListTarget, facts: PagedFacts) => readonly Reading[];

/** Reads every list that was found. */
function ofEachList(read: ReadList): (known: Known) => readonly Reading[] {
  return (known) =>
    known.options.lists.flatMap((list) => {
      const facts = listFacts(known, list);
      return facts.first === undefined ? [] : read(known, list, { ...facts, first: facts.first });
    });
}

/** Reports every path that is not a list, or no longer one. */
function readEndpoints(known: Known): readonly Reading[] {
  const missing = known.options.lists.flatMap((list) => {
    const [evidence] = known.observations(stepId(list, "first"));
    if (evidence === undefined || pageOf(answerOf(evidence.outcome)) !== undefined) return [];
    const text = `GET ${list.path} gets ${outcomeText(evidence.outcome)}, not a page: an object with a list of objects.`;
    return [readingOf(["lists", list.name, "path"], undefined, [evidence], [text])];
  });
  return [...ofEachList(readEndpoint)(known), ...missing];
}

/** Path, parameters, filters and rows. */
function readEndpoint(known: Known, list: ListTarget, facts: PagedFacts): readonly Reading[] {
  const { first, pages, items, sizeName, cursorName, dates } = facts;
  const seen = (...whats: readonly string[]) => known.observations(...whats.map((what) => stepId(list, what)));
  const evidence = seen("first");
  const reading = (
    key: string,
    value: unknown,
    certainty: Certainty,
    from = evidence,
    remarks: readonly string[] = [],
  ) => readingOf(["lists", list.name, key], value, from, remarks, certainty);
  const readings: Reading[] = [reading("path", list.path, "certain")];
  // A parameter of the API that was tried without success is null: the list does not have it.
  const triedSize = seen("size-name.pageSize").length > 0;
  const triedDates = seen("dates.fromCreatedAt.time", "dates-bad.fromCreatedAt").length > 0;
  const parameters = {
    ...((sizeName !== undefined || triedSize) && { pageSize: sizeName ?? null }),
    ...(cursorName !== undefined && { cursor: cursorName }),
    ...((dates !== undefined || triedDates) && { fromCreatedAt: dates?.from ?? null, toCreatedAt: dates?.to ?? null }),
  };
  if (Object.keys(parameters).length > 0) {
    const pagesShown = pages.filter(({ observation }) => /\.(size-name|cursor\.|dates)/.test(observation.step.id));
    const shown = pagesShown.map(({ observation }) => observation);
    // All names were refused or ignored: the service may have others.
    const tried = seen("size-name.pageSize", "dates.fromCreatedAt.time", "dates-bad.fromCreatedAt");
    const isFound = sizeName !== undefined || cursorName !== undefined || dates !== undefined;
    readings.push(reading("parameters", parameters, isFound ? "certain" : "guess", shown.length > 0 ? shown : tried));
  }
  const documented = list.documented?.fields;
  const date = orderedDate(first.items);
  const ofPages = pages.filter(({ page }) => page.items.length > 0).map(({ observation }) => observation);
  if (items.length > 0) {
    const found = completed(fieldsOf(items, list.values), documented ?? {});
    const filters = readFilters(known, list, items);
    readings.push(
      reading("fields", found, "likely", ofPages),
      reading("dateField", date?.path ?? null, "likely", evidence),
      reading("filters", filters.filters, "likely", filters.evidence, filters.remarks),
    );
  } else if (documented !== undefined) {
    const remark = "The list has no rows; the sandbox takes its rows from the document of the service.";
    readings.push(
      reading("fields", documented, "guess", evidence, [remark]),
      reading("dateField", list.documented?.dateField ?? null, "guess", evidence),
      reading("filters", list.documented?.filters ?? {}, "guess", evidence),
    );
  } else readings.push(reading("filters", {}, "guess"));
  if (date?.order !== undefined) readings.push(reading("order", date.order, "certain", evidence));
  if (date?.spacing !== undefined) readings.push(reading("spacing", date.spacing, "guess", evidence));
  const count = countOf(facts);
  if (count !== undefined && (count > 0 || documented === undefined))
    readings.push(reading("count", count, "likely", evidence));
  return readings;
}

/** The number of rows, if a page says it, or is the only one. */
function countOf(facts: PagedFacts): number | undefined {
  const { first } = facts;
  const { total } = readEnvelope(facts).settings;
  const shown = total === undefined ? undefined : valueAt(first.body, total.split("."));
  if (Number.isInteger(shown)) return shown as number;
  return first.cursor === undefined ? first.items.length : undefined;
}

function readEnvelopeOf(_known: Known, list: ListTarget, facts: PagedFacts): readonly Reading[] {
  const { settings, remarks } = readEnvelope(facts);
  const evidence = facts.pages.map(({ observation }) => observation);
  const certainty = settings.lastCursor === undefined ? "likely" : "certain";
  return [readingOf(["lists", list.name, "envelope"], settings, evidence, remarks, certainty)];
}

/**
 * Differences between the service and the sandbox that `sandbox.yaml` cannot change.
 * @param expected what the sandbox does, by step
 */
function deviations(id: AssumptionId, expected: Readonly<Record<string, string>>): Probe {
  const read: ReadList = (known, list) => {
    const different = Object.entries(expected).flatMap(([what, usual]) =>
      known
        .observations(stepId(list, what))
        .filter(({ outcome }) => answerOf(outcome) !== undefined && outcomeText(outcome) !== usual)
        .map((observation) => ({ observation, usual })),
    );
    const remarks = different.map(
      ({ observation: { step, outcome }, usual }) =>
        `${step.says} gets ${outcomeText(outcome)}; the sandbox has ${usual}, which cannot be changed.`,
    );
    const evidence = different.map(({ observation }) => observation);
    return remarks.length === 0 ? [] : [readingOf(["assumptions", id], undefined, evidence, remarks)];
  };
  return { steps: () => [], read: ofEachList(read) };
}

function readParents(known: Known): readonly Reading[] {
  const steps = known.options.lists.flatMap((list) =>
    listSteps(list).filter(({ id }) => id.startsWith(stepId(list, "parent."))),
  );
  const readings = readRefusal(known, "list.unknown-parent", steps);
  // Generated rows exist for every value, so a service that accepts any value behaves like the sandbox.
  return readings
    .filter(({ value }) => value !== undefined)
    .map((reading) => ({
      ...reading,
      remarks: [...reading.remarks, "This applies to lists with your own items: generated rows exist for every value."],
    }));
}

/** One setting for all lists: the first that has dates shows it. */
function readDates(known: Known): readonly Reading[] {
  for (const list of known.options.lists) {
    const { dates } = listFacts(known, list);
    if (dates === undefined) continue;
    const { format, withoutOffset, from } = dates;
    const whats = [`dates.${from}.time`, `dates.${from}.day`, "dates-day", "dates-no-offset", "dates-bounds"];
    const bounds = pageOf(known.answer(stepId(list, "dates-bounds")));
    const remarks =
      bounds?.items.length === 0
        ? ["A range excludes its bounds; in the sandbox it includes both, which cannot be changed."]
        : [];
    const value = { format, offset: withoutOffset ? "optional" : "required" };
    const evidence = known.observations(...whats.map((what) => stepId(list, what)));
    const certainty = withoutOffset === undefined && format !== "date" ? "likely" : "certain";
    return [readingOf(["assumptions", "list.dates"], value, evidence, remarks, certainty)];
  }
  return [];
}

/** The page size: the default, and its limits. */
function readSizes(known: Known, list: ListTarget, facts: PagedFacts): readonly Reading[] {
  const { first, sizes } = facts;
  const clamped = pageOf(known.answer(stepId(list, "size-clamp")));
  const clamps = clamped !== undefined && clamped.cursor !== undefined && clamped.items.length < 101;
  const isEndless = sizes.maximum === undefined && sizes.next !== undefined;
  const maximum = clamps ? clamped.items.length : (sizes.maximum ?? (isEndless ? sizes.highest : undefined));
  const [plain] = known.observations(stepId(list, "first"));
  // A recorded request may have had a page size.
  const isPlain = plain?.request.path.includes("?") === false;
  const sizeMember = readEnvelope(facts).settings.pageSize;
  const shownSize = sizeMember === undefined ? undefined : valueAt(first.body, sizeMember.split("."));
  const full = first.cursor !== undefined || first.items.length > listDefaults.pageSize.default;
  const usual = !isPlain ? undefined : Number.isInteger(shownSize) ? Number(shownSize) : full ? first.items.length : 0;
  // The sandbox accepts limits only with the default size between them.
  const most = maximum ?? ((usual ?? 0) > listDefaults.pageSize.maximum ? usual : undefined);
  const value = {
    ...(usual && { default: usual }),
    ...(sizes.minimum !== undefined && { minimum: sizes.minimum }),
    ...(most !== undefined && { maximum: most }),
  };
  if (Object.keys(value).length === 0) return [];
  const own = [stepId(list, `size-name.${facts.sizeName}`), stepId(list, "size.")];
  const all = [...known.seen.values()].filter(({ step }) => own.some((id) => step.id.startsWith(id)));
  const refused = all.find(
    ({ outcome, step }) => known.accepted(step.id) === false && outcomeText(outcome) !== "400 INVALID_PAGE_SIZE",
  );
  const remarks: string[] = [];
  if (clamps) remarks.push("A page size that is too large is lowered to the limit; the sandbox refuses it.");
  else if (maximum === largestSize) remarks.push(`Larger pages than ${largestSize} were not tried.`);
  if (refused)
    remarks.push(
      `A page size beyond the limit gets ${outcomeText(refused.outcome)}; the sandbox sends 400 INVALID_PAGE_SIZE, as §7 says.`,
    );
  const evidence = [...known.observations(stepId(list, "first")), ...all];
  const certainty = isEndless && !clamps ? "guess" : "certain";
  return [readingOf(["lists", list.name, "pageSize"], value, evidence, remarks, certainty)];
}
