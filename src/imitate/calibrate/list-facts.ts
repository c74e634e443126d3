import { day } from "../../base/text/duration.js";
import { definedOnly, type JsonObject } from "../../base/text/json-object.js";
import { listDefaults } from "../../sandbox/lists/defaults.js";
import type { EnvelopeSettings } from "../../sandbox/lists/settings.js";
import type { Answer, Observation } from "./answer.js";
import { type FoundFilters, probeFilters } from "./filters.js";
import { ListAsker, type ListRequest, pageIn, type SeenPage, type Sequence, stepId } from "./list-asker.js";
import { findCursor, findNumber, type NumberFacts, probeCursor, walkToEnd } from "./list-cursors.js";
import { type DateFacts, probeDates } from "./list-dates.js";
import { findSize, probeSizes } from "./list-sizes.js";
import type { Page } from "./page.js";
import { type SizeLimits, sizeLimits } from "./page-sizes.js";
import type { Step } from "./probe.js";
import { type ListTarget, placeholders, type SeenAnswers } from "./seen-answers.js";

/** What the answers show about one list. */
export interface ListFacts extends NumberFacts {
  /** The items of all pages, each once. */
  readonly items: readonly JsonObject[];
  /** All pages, the plain one first. */
  readonly pages: readonly SeenPage[];
  readonly first: Page;
  readonly sizeName: string | undefined;
  readonly cursorName: string | undefined;
  /** Whether the cursor is the id of the last row of a page. */
  readonly isRowCursor: boolean;
  readonly dates: DateFacts | undefined;
  readonly sizes: SizeLimits;
  readonly filters: FoundFilters;
  /** The number of rows, if a walk has reached the last page. */
  readonly count: number | undefined;
  /** What the document of the service says about its pages. */
  readonly documentedEnvelope: EnvelopeSettings;
}

/** Finds out about a list, request by request. Undefined if it is none. */
function* probeList(asker: ListAsker): Sequence<ListFacts | undefined> {
  const { list } = asker;
  const first = pageIn(yield* asker.ask("first", ""));
  if (first === undefined) return undefined;
  yield* asker.askUnknown(first);
  const size = yield* findSize(asker, first);
  const cursor = yield* findCursor(asker, first);
  const dates = yield* probeDates(asker, first);
  const sizes = size ? yield* probeSizes(asker, first, size, dates) : sizeLimits([]);
  yield* probeCursor(asker, first, cursor, size?.name, dates);
  const count = yield* walkToEnd(asker, first, cursor, size && { name: size.name, largest: sizes.highest ?? 0 });
  const filters = yield* probeFilters(asker);
  const numbers = yield* findNumber(asker, first, cursor);
  yield* asker.ask("other", "with the token of another certificate", {}, { options: { identity: "other" } });
  yield* asker.ask("no-token", "without a token", {}, { options: { token: null } });
  yield* asker.ask("made-up-token", "with a token that was never issued", {}, { options: { token: "calibrate" } });
  for (const [name, path] of Object.entries(list.strangers))
    yield* asker.ask(`parent.${name}`, `with an unknown ${name}`, {}, { path });
  return {
    items: asker.items,
    pages: asker.pages,
    first,
    sizeName: size?.name,
    cursorName: cursor.name,
    isRowCursor: cursor.isRow,
    ...numbers,
    dates,
    sizes,
    filters,
    count,
    documentedEnvelope: list.documented?.envelope ?? {},
  };
}

function stepOf(list: ListTarget, { what, says, path, options }: ListRequest): Step {
  return { id: stepId(list, what), says, request: (known) => known.call(path, options) };
}

/**
 * Sends the requests about a list, one after the other.
 * @param send sends the request of a step, after which `known` has its observation
 */
export async function askList(
  known: SeenAnswers,
  list: ListTarget,
  send: (step: Step) => Promise<void>,
): Promise<void> {
  const sequence = probeList(new ListAsker(list, known));
  for (let next = sequence.next(); !next.done; ) {
    const step = stepOf(list, next.value);
    await send(step);
    next = sequence.next(known.seen.get(step.id));
  }
}

/** The requests about a list that keeps the interface. Another list gets more of them, for example with other names. */
export function typicalSteps(known: SeenAnswers, list: ListTarget): readonly Step[] {
  const steps: Step[] = [];
  answered(known, list, (step) => {
    const request = step.request(known);
    if (request === undefined) return undefined;
    steps.push(step);
    return { step, request, outcome: { answer: typicalAnswer(list, request.path) } };
  });
  return steps;
}

/** More rows than a page has. */
const typicalRows = Array.from({ length: 25 }, (_, index) => ({
  id: `ID-${index}`,
  status: "STATUS",
  createdAt: new Date(Date.UTC(2026, 0, 31) - index * day).toISOString(),
}));

/** What a list answers that keeps the interface, with the parameters that its document names. */
function typicalAnswer({ documented }: ListTarget, path: string): Answer {
  const names = { ...listDefaults.parameters, ...definedOnly(documented?.parameters ?? {}) };
  const query = new URL(path, "https://host").searchParams;
  const valueIn = (name: string | null) => (name === null ? null : query.get(name));
  const { default: usual, minimum, maximum } = listDefaults.pageSize;
  const size = Number(valueIn(names.pageSize) ?? usual);
  const start = Number((valueIn(names.cursor) ?? `${placeholders.cursor}0`).replace(placeholders.cursor, ""));
  const from = Date.parse(valueIn(names.fromCreatedAt) ?? "1970-01-01");
  const to = Date.parse(valueIn(names.toCreatedAt) ?? "2999-12-31");
  if (!(size >= minimum && size <= maximum && start >= 0 && from <= to))
    return answerWith(400, { code: "CODE", message: `From ${minimum} to ${maximum}.` });
  const found = typicalRows.filter(({ createdAt }) => Date.parse(createdAt) >= from && Date.parse(createdAt) <= to);
  const end = start + size;
  return answerWith(200, {
    items: found.slice(start, end),
    ...(end < found.length && { nextCursor: `${placeholders.cursor}${end}` }),
  });
}

function answerWith(status: number, body: object): Answer {
  return { status, headers: new Map(), names: [], text: JSON.stringify(body) };
}

/** The facts of each list, once all answers are there. */
const kept = new WeakMap<SeenAnswers, Map<ListTarget, ListFacts | undefined>>();

/** What the answers say about a list: the same sequence, with the answers that exist. Undefined if it is no list. */
export function listFacts(known: SeenAnswers, list: ListTarget): ListFacts | undefined {
  const ofKnown = kept.get(known) ?? new Map<ListTarget, ListFacts | undefined>();
  kept.set(known, ofKnown);
  if (!ofKnown.has(list))
    ofKnown.set(
      list,
      answered(known, list, ({ id }) => known.seen.get(id)),
    );
  return ofKnown.get(list);
}

function answered(known: SeenAnswers, list: ListTarget, answer: (step: Step) => Observation | undefined) {
  const sequence = probeList(new ListAsker(list, known));
  let next = sequence.next();
  while (!next.done) next = sequence.next(answer(stepOf(list, next.value)));
  return next.value;
}
