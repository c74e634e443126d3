import { type JsonObject, valueAt } from "../../base/text/json-object.js";
import { placed } from "../field-paths.js";
import type { Observation } from "./answer.js";
import { fieldsOf } from "./fields.js";
import { type ListAsker, neverIssued, pageIn, type Sequence } from "./list-asker.js";
import type { ListTarget } from "./seen-answers.js";

/** Most filters that are tried. */
const mostFilters = 8;

/** Most filters that are tried although no document names them. */
const mostGuessed = 3;

/** A query parameter that may be a filter, and the dotted path of its field. */
interface FilterCandidate {
  readonly parameter: string;
  readonly field: string;
}

/** What the answers say about the filters of a list. */
export interface FoundFilters {
  /** As a setting: parameter to field. */
  readonly filters: Readonly<Record<string, string>>;
  readonly evidence: readonly Observation[];
  readonly remarks: readonly string[];
}

/** Tries filters: those of the document, and the names of fields with words or booleans. */
export function* probeFilters(asker: ListAsker): Sequence<FoundFilters> {
  const { list, items } = asker;
  const filters: Record<string, string> = {};
  const evidence: Observation[] = [];
  const remarks: string[] = [];
  for (const [place, candidate] of filterCandidates(list, items).entries()) {
    const { parameter, field } = candidate;
    const query = { [parameter]: tellingValue(asker, items, candidate) };
    const seen = yield* asker.ask(`filter.${place}`, "with a field as filter", query);
    if (seen === undefined) continue;
    evidence.push(seen);
    const page = pageIn(seen);
    const isRefused = asker.isRefusedAsKnown(seen);
    if (isRefused)
      remarks.push(
        `The filter ${parameter} is refused if no item can have its value; in the sandbox the page is empty.`,
      );
    if (isRefused || (page !== undefined && (!asker.ignoresUnknown || page.items.length === 0)))
      filters[parameter] = field;
  }
  // If unknown parameters are ignored, the filter was found by a value that no row has.
  const [filter] = asker.ignoresUnknown ? [] : Object.keys(filters);
  if (filter !== undefined)
    yield* asker.ask("filter-none", "with a filter, and a value that no row has", { [filter]: neverIssued });
  return { filters, evidence, remarks };
}

function filterCandidates(list: ListTarget, items: readonly JsonObject[]): readonly FilterCandidate[] {
  const fields = placed(fieldsOf(items, list.values));
  const documented = Object.entries(list.documented?.filters ?? {})
    .map(([parameter, field]) => ({ parameter, field }))
    .filter(({ field }) => fields.some(({ path }) => path === field));
  // Without a document: the members at the top that have words or booleans.
  const guessed = fields
    .filter(({ path, name, generator }) => path === name && ofFilters.includes(generator.type))
    .map(({ path }) => ({ parameter: path, field: path }))
    .filter(({ field }) => !documented.some((each) => each.field === field));
  return [...documented.slice(0, mostFilters - mostGuessed), ...guessed.slice(0, mostGuessed)];
}

const ofFilters: readonly string[] = ["choice", "boolean"];

/**
 * The value that shows whether a parameter is a filter. If unknown parameters are ignored: one that no row has.
 * Otherwise: a word of the service that a row has.
 */
function tellingValue(asker: ListAsker, items: readonly JsonObject[], { field }: FilterCandidate): string {
  const type = placed(fieldsOf(items)).find(({ path }) => path === field)?.generator.type ?? "";
  if (asker.ignoresUnknown || !ofFilters.includes(type)) return neverIssued;
  const [value] = items.map((item) => valueAt(item, field.split("."))).filter((each) => each != null);
  return String(value);
}
