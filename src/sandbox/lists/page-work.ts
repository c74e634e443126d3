import { thousands } from "../../base/text/numbers.js";
import type { Dataset } from "./dataset.js";
import type { CompiledRow } from "./fields.js";
import { ListSettingsError } from "./settings.js";

/** UTF-16 units that the rows of a page may have together. They take about half a second. */
const maximumPageText = 16_000_000;

/** Rows that a page may examine, on average, if a request has several filters. They take about 2 ms. */
const maximumCandidates = 100_000;

/** What the work for a page of generated rows depends on, besides the rows. */
export interface GeneratedContext {
  /** Of the list, in the configuration. */
  readonly where: string;
  readonly pathParameters: readonly string[];
  readonly pageSize: { readonly maximum: number };
  readonly needsTotal: boolean;
}

/**
 * A request with one filter does not search. With several filters, rows of the rarest value are examined until enough
 * of them also have the other values. A list on which that takes long is rejected here, so that no request is slow.
 * @param filtered dotted paths of the fields that requests can filter by
 * @throws {ListSettingsError}
 */
export function boundFilterWork(
  filtered: ReadonlySet<string>,
  row: CompiledRow,
  count: number,
  context: GeneratedContext,
): void {
  const odds = [...filtered]
    .flatMap((field) => row.filterable.get(field)?.choice?.table.rarity ?? [])
    .sort((a, b) => b - a)
    .slice(1)
    .reduce((product, odd) => product * odd, 1);
  if (Math.min(count, (context.pageSize.maximum + 1) * odds) > maximumCandidates) {
    const reason = `together these match so few rows that a page would examine more than ${maximumCandidates} rows`;
    throw new ListSettingsError(`${context.where}.filters`, reason);
  }
  if (context.needsTotal && filtered.size > 1 && count > maximumCandidates) {
    const reason = `the total of several filters cannot be computed fast enough on more than ${maximumCandidates} rows`;
    throw new ListSettingsError(`${context.where}.envelope.total`, reason);
  }
}

/**
 * A page is made in one turn of the event loop, so every other request waits for a large page. Rows have nearly the
 * same length.
 * @throws {ListSettingsError}
 */
export function boundPageText(
  { count, anchorAt, view }: Dataset,
  { where, pageSize, pathParameters }: GeneratedContext,
): void {
  if (count === 0) return;
  const emptyPath = pathParameters.map(() => "");
  const [row = ""] = view(anchorAt(0), emptyPath).rows([0]);
  const most = Math.floor(maximumPageText / row.length);
  if (Math.min(count, pageSize.maximum) <= most) return;
  const reason = `with rows of ${thousands(row.length)} characters, a page can have at most ${thousands(most)} rows`;
  throw new ListSettingsError(`${where}.pageSize.maximum`, reason);
}
