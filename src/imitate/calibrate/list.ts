import { listDefaults } from "../../sandbox/lists/defaults.js";
import { mostExamined } from "../../sandbox/lists/list.js";
import { answerOf, type Observation, outcomeText } from "./answer.js";
import { readEnvelope, shownMaximum } from "./envelope.js";
import { completed, fieldsOf } from "./fields.js";
import { pageIn, stepId } from "./list-asker.js";
import { type ListFacts, listFacts } from "./list-facts.js";
import { largeSizes } from "./list-sizes.js";
import { orderedDate } from "./order.js";
import { goesOn, memberOf, pageOf } from "./page.js";
import { fitting, type PageSizes } from "./page-sizes.js";
import { type CalibrationsOf, type Certainty, type Reading, readingOf } from "./probe.js";
import { readRefusal } from "./refusal.js";
import { acceptedOf, type ListTarget, type SeenAnswers } from "./seen-answers.js";

/** Lists, and the parameters of their requests. */
export const listCalibrations: CalibrationsOf<"list"> = {
  "list.endpoints": { steps: () => [], read: readEndpoints },
  "list.envelope": { steps: () => [], read: ofEachList(readEnvelopeOf) },
  "list.unknown-parent": { steps: () => [], read: readParents },
  "list.dates": { steps: () => [], read: readDates },
  "list.page-size-format": { steps: () => [], read: ofEachList(readSizes) },
};

type ReadList = (known: SeenAnswers, list: ListTarget, facts: ListFacts) => readonly Reading[];

/** Reads every list that was found. */
function ofEachList(read: ReadList): (known: SeenAnswers) => readonly Reading[] {
  return (known) =>
    known.options.lists.flatMap((list) => {
      const facts = listFacts(known, list);
      return facts === undefined ? [] : read(known, list, facts);
    });
}

/** Reports every path that is not a list, or no longer one. */
function readEndpoints(known: SeenAnswers): readonly Reading[] {
  const missing = known.options.lists.flatMap((list) => {
    const [evidence] = known.observations(stepId(list, "first"));
    if (evidence === undefined || pageOf(answerOf(evidence.outcome)) !== undefined) return [];
    // A failure of the service says nothing about its lists.
    if (acceptedOf(evidence.outcome) === undefined) return [];
    const text = `GET ${list.path} gets ${outcomeText(evidence.outcome)}, not a page: a list of objects, alone or in an object.`;
    return [readingOf(["lists", list.name, "path"], undefined, [evidence], [text])];
  });
  return [...ofEachList(readEndpoint)(known), ...missing];
}

/** Path, parameters and rows. */
function readEndpoint(known: SeenAnswers, list: ListTarget, facts: ListFacts): readonly Reading[] {
  const seen: Seen = (...whats) => known.observations(...whats.map((what) => stepId(list, what)));
  const read: ReadKey = (key, value, certainty, from = seen("first"), remarks = []) =>
    readingOf(["lists", list.name, key], value, from, remarks, certainty);
  return [
    read("path", list.path, "certain"),
    ...readParameters(list, facts, seen, read),
    ...readRows(list, facts, read),
    ...readOrder(list, facts, read),
  ];
}

type Seen = (...whats: readonly string[]) => readonly Observation[];

type ReadKey = (
  key: string,
  value: unknown,
  certainty: Certainty,
  from?: readonly Observation[],
  remarks?: readonly string[],
) => Reading;

function readParameters(list: ListTarget, facts: ListFacts, seen: Seen, read: ReadKey): readonly Reading[] {
  const { first, pages, sizeName, cursorName, dates } = facts;
  const named = list.documented?.parameters ?? {};
  // The name in the document of the service, unless it is refused or changes nothing: a short list cannot show it.
  const unrefuted = (name: string | null | undefined, what: string) => {
    const isRefuted = seen(what).some(({ outcome }) => acceptedOf(outcome) === false || first.items.length > 1);
    return isRefuted ? null : (name ?? null);
  };
  const from = unrefuted(named.fromCreatedAt, `dates.${named.fromCreatedAt}.time`);
  const to = from && unrefuted(named.toCreatedAt, `dates-to.${named.toCreatedAt}`);
  const cursor = cursorName ?? named.cursor;
  // A parameter of the API that was tried without success is null: the list does not have it.
  const triedSize = seen("size-name.pageSize");
  const triedDates = seen("dates.fromCreatedAt.time", "dates-bad.fromCreatedAt");
  const ofSize = sizeName ?? unrefuted(named.pageSize, `size-name.${named.pageSize}`);
  const ofDates = { fromCreatedAt: dates?.from ?? from, toCreatedAt: dates ? (dates.to ?? null) : to };
  const parameters = {
    ...((sizeName !== undefined || triedSize.length > 0) && { pageSize: ofSize }),
    ...(cursor !== undefined && { cursor }),
    ...((dates !== undefined || triedDates.length > 0) && ofDates),
  };
  if (Object.keys(parameters).length === 0) return [];
  const shown = pages
    .map(({ observation }) => observation)
    .filter(({ step }) => /\.(size-name|cursor[.-]|dates)/.test(step.id));
  // Names that were refused or ignored: the service may have others.
  const names = [sizeName, cursorName, dates?.from, dates?.to];
  const isSome = names.some((name) => name !== undefined);
  const isAll = names.every((name) => name !== undefined);
  const evidence = shown.length > 0 ? shown : [...triedSize, ...triedDates];
  return [
    read("parameters", parameters, isAll ? "certain" : isSome ? "likely" : "guess", evidence, departuresOf(facts)),
  ];
}

/** Fields and filters: of the rows, or of the document if there are none. */
function readRows(list: ListTarget, { pages, items, first, filters }: ListFacts, read: ReadKey): readonly Reading[] {
  const { fields, dateField = null, filters: documented = {} } = list.documented ?? {};
  if (items.length > 0) {
    const ofPages = pages.filter(({ page }) => page.items.length > 0).map(({ observation }) => observation);
    return [
      read("fields", completed(fieldsOf(items, list.values), list.documentedFields), "likely", ofPages),
      read("dateField", orderedDate(first.items)?.path ?? null, "likely"),
      read("filters", filters.filters, "likely", filters.evidence, filters.remarks),
    ];
  }
  if (fields === undefined) return [read("filters", {}, "guess")];
  const remark = "The list has no rows; the sandbox takes its rows from the document of the service.";
  return [
    read("fields", fields, "guess", undefined, [remark]),
    read("dateField", dateField, "guess"),
    read("filters", documented, "guess"),
  ];
}

function readOrder(list: ListTarget, facts: ListFacts, read: ReadKey): readonly Reading[] {
  const order = orderedDate(facts.first.items)?.order;
  const ordered = facts.pages.filter(({ page }) => page.items.length > 1);
  const isEven = ordered.every(({ page }) => orderedDate(page.items)?.order === order);
  const evidence = ordered.map(({ observation }) => observation);
  const seen = countOf(facts);
  const count = seen === undefined ? undefined : Math.min(seen, mostRows);
  // With rows of the document, an empty list is not imitated.
  const isCounted = count !== undefined && (count > 0 || list.documented?.fields === undefined);
  return [
    ...(order === undefined
      ? []
      : [read("order", order, isEven && ordered.length > 1 ? "certain" : "likely", evidence)]),
    ...(isCounted ? [read("count", count, count === seen ? "likely" : "guess")] : []),
  ];
}

/** Most rows that are written. With more, a list with a total and filters would be refused. */
const mostRows = mostExamined;

/** How the service leads to the next page, if the sandbox cannot. */
function departuresOf({ isRowCursor, cursorName, numberName }: ListFacts): readonly string[] {
  const only = "the sandbox has cursors only.";
  if (isRowCursor) return [`The next page begins after the row whose id is in ${cursorName}; ${only}`];
  return numberName === undefined ? [] : [`The next page is requested with a number in ${numberName}; ${only}`];
}

/** The number of rows, if a page says it, or if the last page was seen. */
function countOf(facts: ListFacts): number | undefined {
  const { first } = facts;
  const { total } = readEnvelope(facts).settings;
  const shown = memberOf(first, total);
  if (Number.isSafeInteger(shown) && (shown as number) >= 0) return shown as number;
  if (facts.isFollowed) return undefined;
  return facts.count ?? (goesOn(first) ? undefined : first.items.length);
}

function readEnvelopeOf(_known: SeenAnswers, list: ListTarget, facts: ListFacts): readonly Reading[] {
  const { settings, isEven } = readEnvelope(facts);
  const evidence = facts.pages.map(({ observation }) => observation);
  return [readingOf(["lists", list.name, "envelope"], settings, evidence, [], isEven ? "certain" : "likely")];
}

function readParents(known: SeenAnswers): readonly Reading[] {
  const steps = known.options.lists.flatMap((list) =>
    Object.keys(list.strangers).map((name) => ({ id: stepId(list, `parent.${name}`) })),
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
function readDates(known: SeenAnswers): readonly Reading[] {
  for (const list of known.options.lists) {
    const dates = listFacts(known, list)?.dates;
    if (dates === undefined) continue;
    const { format, withoutOffset, from } = dates;
    const whats = [`dates.${from}.time`, `dates.${from}.day`, `dates-past.${from}`, "dates-no-offset", "dates-bounds"];
    const rows = pageIn(known.observations(stepId(list, "dates-bounds"))[0])?.items.length;
    const upper = rows === undefined ? undefined : rows === 0 ? "excluded" : "included";
    const value = { format, offset: withoutOffset ? "optional" : "required", ...(upper && { upper }) };
    const remarks = format === "date-time" ? [] : [zoneRemark];
    const evidence = known.observations(...whats.map((what) => stepId(list, what)));
    // A service may show fewer digits of an instant than it compares, and a day may be one of another time zone.
    const isUnsure = upper === "excluded" || (withoutOffset === undefined && format !== "date");
    const certainty = isUnsure ? "likely" : "certain";
    return [readingOf(["assumptions", "list.dates"], value, evidence, remarks, certainty)];
  }
  return [];
}

const zoneRemark =
  "In which time zone a day begins is not asked: only rows close to midnight show it. If it is not UTC, set zone.";

/** The documented limits that no answer refutes. */
function withinLimits({ default: given, minimum, maximum }: PageSizes, usual: number, most = 0): PageSizes {
  const known = usual || given;
  const size = known ?? listDefaults.pageSize.default;
  return {
    ...(known !== undefined && { default: known }),
    ...(minimum !== undefined && minimum <= size && { minimum }),
    ...(maximum !== undefined && maximum >= Math.max(size, most) && { maximum }),
  };
}

/** The page size: the default, and its limits. */
function readSizes(known: SeenAnswers, list: ListTarget, facts: ListFacts): readonly Reading[] {
  const { first, sizes } = facts;
  const sizeMember = readEnvelope(facts).settings.pageSize;
  const shownMost = shownMaximum(facts, sizeMember);
  const limit = shownMost ?? sizes.maximum;
  const shownSize = memberOf(first, sizeMember);
  const full = goesOn(first) || facts.isFollowed || first.items.length > listDefaults.pageSize.default;
  const usual = Number.isInteger(shownSize) ? Number(shownSize) : full ? first.items.length : 0;
  const isOpen = facts.sizeName !== undefined || first.items.length <= 1;
  const documented = isOpen ? withinLimits(list.documented?.pageSize ?? {}, usual, limit ?? sizes.highest) : {};
  const isEndless = limit === undefined && documented.maximum === undefined && areLargeAnswered(known, list);
  const maximum = limit ?? (isEndless ? sizes.highest : undefined);
  const beyond = shownMost !== undefined || isEndless ? "lower" : sizes.beyond;
  const value = fitting({
    ...documented,
    ...(usual && { default: usual }),
    ...(sizes.minimum !== undefined && { minimum: sizes.minimum }),
    ...(maximum !== undefined && maximum >= usual && { maximum }),
    ...(beyond !== undefined && { beyond }),
  });
  if (Object.keys(value).length === 0) return [];
  const own = [stepId(list, `size-name.${facts.sizeName}`), stepId(list, "size-1"), stepId(list, "size.")];
  const all = [...known.seen.values()].filter(({ step }) => own.some((id) => step.id.startsWith(id)));
  const evidence = [...known.observations(stepId(list, "first")), ...all];
  const place = ["lists", list.name, "pageSize"];
  if (!isEndless) return [readingOf(place, value, evidence)];
  const remark = `Page sizes up to ${maximum} were answered, and no limit was seen; without a higher one in the file, the sandbox lowers larger sizes to that.`;
  return [readingOf(place, value, evidence, [remark], "guess")];
}

/** Whether large sizes were tried, and none was refused. */
function areLargeAnswered(known: SeenAnswers, list: ListTarget): boolean {
  const [large, larger] = largeSizes.map((size) => known.accepted(stepId(list, `size-${size}`)));
  return large === true && larger !== false;
}
