import { day as oneDay } from "../../base/text/duration.js";
import { valueAt } from "../../base/text/json-object.js";
import { upperFirst } from "../../base/text/letters.js";
import type { Observation } from "./answer.js";
import { type ListAsker, neverIssued, pageIn, parametersOf, type Sequence } from "./list-asker.js";
import { dateNamesOf } from "./list-names.js";
import { dateOfItem, orderedDate } from "./order.js";
import type { Page } from "./page.js";
import { acceptedOf } from "./seen-answers.js";

/** Later than any row: a page from there is empty, so no row is sent. */
export const future = { time: "2999-01-01T00:00:00Z", day: "2999-01-01" } as const;

/** Earlier than any row. */
export const past = { time: "1970-01-01T00:00:00Z", day: "1970-01-01" } as const;

/** The bounds of dates of a list. */
export interface DateFacts {
  readonly from: string;
  /** Undefined if the parameter for the end is not known. */
  readonly to: string | undefined;
  readonly format: "date-time" | "date" | "both";
  /** Whether a time without an offset was accepted; undefined if that was not tried. */
  readonly withoutOffset: boolean | undefined;
}

/** A bound of dates in the format of the list. */
export function inFormat({ format }: Pick<DateFacts, "format">, { day, time }: typeof past | typeof future): string {
  return format === "date" ? day : time;
}

/** Finds the parameters that bound the dates of rows, and their format. */
export function* probeDates(asker: ListAsker, first: Page): Sequence<DateFacts | undefined> {
  const names = namesFor(asker, first);
  for (const { from, to } of names) {
    const format = yield* findFrom(asker, first, from);
    if (format === undefined) continue;
    const end = (yield* findTo(asker, first, to, inFormat({ format }, past))) ? to : undefined;
    return yield* probeFormat(asker, first, { from, to: end, format, withoutOffset: undefined });
  }
  return undefined;
}

/** The documented names, those that are made of the name of the date of the rows, and the usual ones. */
function namesFor({ list }: ListAsker, first: Page): ReturnType<typeof dateNamesOf> {
  const [usual, ...others] = dateNamesOf(list);
  const field = orderedDate(first.items)?.path.split(".").at(-1);
  if (field === undefined) return [usual, ...others];
  const capital = upperFirst(field);
  const made = [
    { from: `from${capital}`, to: `to${capital}` },
    { from: `${field}[gte]`, to: `${field}[lte]` },
    { from: `${field}_gte`, to: `${field}_lte` },
    { from: `filter[${field}][gte]`, to: `filter[${field}][lte]` },
  ];
  return [usual, ...made.filter(({ from }) => from !== usual.from), ...others];
}

/** On an empty list every range is empty. There, a value that is not a date shows which parameter is a date. */
function isOpaque(asker: ListAsker, first: Page): boolean {
  return first.items.length === 0 && asker.ignoresUnknown;
}

function* findFrom(asker: ListAsker, first: Page, from: string): Sequence<DateFacts["format"] | undefined> {
  let isNamed = false;
  if (isOpaque(asker, first)) {
    isNamed = asker.isRefusedAsKnown(
      yield* asker.ask(`dates-bad.${from}`, `with ${from} and no date`, { [from]: neverIssued }),
    );
    if (!isNamed) return undefined;
  }
  const isLater = (row: number, bound: number) => row >= bound;
  const holdsAt = (seen: Observation | undefined) =>
    holds(asker, first, seen, from, isLater) || (isNamed && acceptedOf(seen?.outcome) === true);
  const says = (what: string) => `with ${from} as a ${what} in the future`;
  const time = yield* asker.ask(`dates.${from}.time`, says("date-time"), { [from]: future.time });
  const isTime = holdsAt(time);
  // A parameter that changed nothing is not tried in another format.
  if (!isTime && (pageIn(time)?.items.length ?? 0) > 0) return undefined;
  const day = holdsAt(yield* asker.ask(`dates.${from}.day`, says("date"), { [from]: future.day }));
  const format = isTime ? (day ? "both" : "date-time") : day ? "date" : undefined;
  if (format === undefined) return undefined;
  // Some services find no rows for any value of a parameter that they do not understand.
  const bound = inFormat({ format }, past);
  const early = yield* asker.ask(`dates-past.${from}`, `with ${from} in the past`, { [from]: bound });
  return first.items.length > 0 && pageIn(early)?.items.length === 0 ? undefined : format;
}

function* findTo(asker: ListAsker, first: Page, to: string, bound: string): Sequence<boolean> {
  const seen = yield* asker.ask(`dates-to.${to}`, `with ${to} in the past`, { [to]: bound });
  if (holds(asker, first, seen, to, (row, end) => row <= end + oneDay)) return true;
  if (!isOpaque(asker, first)) return false;
  return asker.isRefusedAsKnown(yield* asker.ask(`dates-bad.${to}`, `with ${to} and no date`, { [to]: neverIssued }));
}

/** Whether no row is outside the range. A page that begins in the future must be empty. */
function holds(
  asker: ListAsker,
  first: Page,
  seen: Observation | undefined,
  name: string,
  isInside: (row: number, bound: number) => boolean,
): boolean {
  // An empty list stays empty.
  if (first.items.length === 0) return asker.isAcceptedAsKnown(seen);
  const items = pageIn(seen)?.items;
  const bound = Date.parse(parametersOf(seen).get(name) ?? "");
  const path = items && orderedDate(items)?.path.split(".");
  if (items === undefined || (items.length > 0 && path === undefined)) return false;
  return items.every((item) => isInside(Date.parse(String(valueAt(item, path ?? []))), bound));
}

/** Other ways to write a bound, and bounds that cannot be met. */
function* probeFormat(asker: ListAsker, first: Page, found: DateFacts): Sequence<DateFacts> {
  const { from, to, format } = found;
  const withoutOffset =
    format === "date"
      ? undefined
      : acceptedOf(
          (yield* asker.ask("dates-no-offset", "with a time without an offset", {
            [from]: future.time.replace("Z", ""),
          }))?.outcome,
        );
  yield* asker.ask("dates-word", `with a ${from} that is no date`, { [from]: neverIssued });
  const date = dateOfItem(first);
  if (to !== undefined) {
    const reversed = { [from]: inFormat(found, future), [to]: inFormat(found, past) };
    yield* asker.ask("dates-reversed", `with a ${from} later than ${to}`, reversed);
    if (date !== undefined) {
      const text = format === "date" ? date.slice(0, 10) : date;
      yield* asker.ask("dates-bounds", "from and to the date of one item", { [from]: text, [to]: text });
    }
  }
  return { ...found, withoutOffset };
}
