import type { FieldSettings } from "../../sandbox/lists/settings.js";
import { fieldAt, fieldsOf } from "./fields.js";
import type { Known, ListTarget } from "./known.js";
import { ignoresUnknown, isRefusedAsKnown, type ListFacts, stepId } from "./list-facts.js";
import type { Observation } from "./observation.js";
import { pageOf, valueAt } from "./page.js";

/** Most filters that are tried. */
export const mostFilters = 8;

/** Most filters that are tried although no document names them. */
const mostGuessed = 3;

/** A query parameter that may be a filter, and the dotted path of its field. */
export interface FilterCandidate {
  readonly parameter: string;
  readonly field: string;
}

/** The filters that are tried: those of the document, and the names of fields with words or booleans. */
export function filterCandidates(list: ListTarget, items: ListFacts["items"]): readonly FilterCandidate[] {
  const fields = fieldsOf(items, list.values);
  const documented = Object.entries(list.documented?.filters ?? {})
    .map(([parameter, field]) => ({ parameter, field }))
    .filter(({ field }) => fieldAt(fields, field) !== undefined);
  const guessed = filterable(fields)
    .filter((name) => !documented.some(({ field }) => field === name))
    .map((name) => ({ parameter: name, field: name }));
  return [...documented.slice(0, mostFilters - mostGuessed), ...guessed.slice(0, mostGuessed)];
}

/** Names of the members at the top that rows can be filtered by. */
function filterable(fields: FieldSettings): readonly string[] {
  return Object.entries(fields).flatMap(([name, { type }]) => (type === "choice" || type === "boolean" ? [name] : []));
}

/**
 * The value that shows whether a parameter is a filter. If unknown parameters are ignored: one that no row has.
 * Otherwise: a word of the service that a row has.
 */
export function tellingValue(
  known: Known,
  list: ListTarget,
  items: ListFacts["items"],
  { field }: FilterCandidate,
): string {
  const type = fieldAt(fieldsOf(items), field)?.type;
  const isWord = type === "choice" || type === "boolean";
  if (ignoresUnknown(known, list) || !isWord) return "calibrate";
  const [value] = items.map((item) => valueAt(item, field.split("."))).filter((each) => each != null);
  return String(value);
}

/** What the answers say about the filters of a list. */
export interface FoundFilters {
  /** As a setting: parameter to field. */
  readonly filters: Readonly<Record<string, string>>;
  readonly evidence: readonly Observation[];
  readonly remarks: readonly string[];
}

/**
 * The filters of a list that have an effect, with remarks on what cannot be imitated, from the answers to
 * `filterCandidates`.
 */
export function readFilters(known: Known, list: ListTarget, items: ListFacts["items"]): FoundFilters {
  const tried = filterCandidates(list, items).map((candidate, place) => ({
    ...candidate,
    id: stepId(list, `filter.${place}`),
  }));
  const refused = tried.filter(({ id }) => isRefusedAsKnown(known, list, id));
  const accepted = tried.filter(({ id }) => {
    const page = pageOf(known.answer(id));
    return page !== undefined && (!ignoresUnknown(known, list) || page.items.length === 0);
  });
  const filters = tried.filter((each) => refused.includes(each) || accepted.includes(each));
  return {
    filters: Object.fromEntries(filters.map(({ parameter, field }) => [parameter, field])),
    evidence: tried.flatMap(({ id }) => known.observations(id)),
    remarks: refused.map(
      ({ parameter }) =>
        `The filter ${parameter} is refused if no item can have its value; in the sandbox the page is empty.`,
    ),
  };
}
