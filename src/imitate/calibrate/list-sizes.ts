import { parameterWords, rankIn } from "../words.js";
import { answerOf, type Observation } from "./answer.js";
import { codeIn, type ListAsker, neverIssued, pageIn, parametersOf, type Sequence } from "./list-asker.js";
import { type DateFacts, future, inFormat } from "./list-dates.js";
import { sizeNamesOf, withShown } from "./list-names.js";
import { goesOn, type Page, parametersInLinks } from "./page.js";
import { type SizeLimits, sizeLimits, type TriedSize } from "./page-sizes.js";
import { acceptedOf, type ListTarget } from "./seen-answers.js";

/** Page sizes with rows. No service is asked for more of them on one page. */
export const largeSizes = [101, 1000] as const;
const mostRows = 1001;

/** Most requests that search the limits of the page size. */
const mostSizes = 20;

/**
 * The value that shows whether a parameter is the page size: fewer rows than without it. If there are too few rows: a
 * size that is refused, if unknown parameters are ignored; or one that is accepted, if they are refused.
 */
export function tellingSize(first: Page, asker: ListAsker): number {
  const count = first.items.length;
  if (count > 1) return count - 1;
  return asker.ignoresUnknown ? 0 : 1;
}

/** The name of the parameter of the page size, and the request that shows it. */
interface FoundSize {
  readonly name: string;
  readonly seen: Observation | undefined;
}

/** Finds the parameter of the page size. */
export function* findSize(asker: ListAsker, first: Page): Sequence<FoundSize | undefined> {
  const size = String(tellingSize(first, asker));
  const names = withShown(sizeNamesOf(asker.list), sizesShown(asker.list, first));
  for (const name of names) {
    const seen = yield* asker.ask(`size-name.${name}`, `with ${name}`, { [name]: size });
    if (takesSize(asker, name, seen)) return { name, seen };
  }
  return undefined;
}

/**
 * Parameters that mean a page size: those in the links of a page, and those beside a parameter in brackets, such as
 * `page[size]` beside `page[after]`.
 */
function sizesShown({ documented }: ListTarget, page: Page): readonly string[] {
  const linked = parametersInLinks(page);
  const inner = (name: string) => /^page\[(.+)\]$/.exec(name)?.[1] ?? name;
  const groups = [...linked, documented?.parameters?.cursor ?? ""].flatMap(
    (name) => /^(.+)\[.+\]$/.exec(name)?.[1] ?? [],
  );
  return [
    ...linked.filter((name) => rankIn(parameterWords["page-size"], inner(name)) !== undefined),
    ...[...new Set(groups)].flatMap((group) => [`${group}[size]`, `${group}[limit]`]),
  ];
}

function takesSize(asker: ListAsker, name: string, seen: Observation | undefined): boolean {
  const asked = Number(parametersOf(seen).get(name));
  const page = pageIn(seen);
  if (page !== undefined)
    return asked > 0 && ((page.items.length === asked && !asker.isRandom) || asker.isAcceptedAsKnown(seen));
  return /PAGE_?SIZE|LIMIT/i.test(codeIn(seen)) || asker.isRefusedAsKnown(seen);
}

/** Searches the limits of the page size: with rows first, because a size may be lowered silently; then without. */
export function* probeSizes(
  asker: ListAsker,
  first: Page,
  { name, seen }: FoundSize,
  dates: DateFacts | undefined,
): Sequence<SizeLimits> {
  const tried: TriedSize[] = [];
  const { minimum, maximum } = asker.list.documented?.pageSize ?? {};
  const documented = [minimum, maximum].filter((size) => size !== undefined);
  const add = (observation: Observation | undefined, hasRows: boolean) => {
    const [answer, accepted] = [answerOf(observation?.outcome), acceptedOf(observation?.outcome)];
    if (answer === undefined || accepted === undefined) return false;
    const size = Number(parametersOf(observation).get(name));
    const page = pageIn(observation);
    const isLower = hasRows && page !== undefined && goesOn(page) && page.items.length < size && size > 0;
    const named = accepted ? documented : [...answer.text.matchAll(/\b\d{1,5}\b/g)].map(([digits]) => Number(digits));
    tried.push({ size, accepted, named, lowered: isLower ? page.items.length : undefined });
    return true;
  };
  add(seen, true);
  const usual = first.items.length;
  if (usual > 0) tried.push({ size: usual, accepted: true, named: documented });
  for (const size of largeSizes) {
    const { maximum: limit, accepted } = sizeLimits(tried);
    const isWorthwhile = limit === undefined && (size === largeSizes[0] || accepted.includes(largeSizes[0]));
    if (isWorthwhile)
      add(yield* asker.ask(`size-${size}`, `with a page size of ${size}`, { [name]: String(size) }), true);
  }
  for (let place = 0; place < mostSizes; place += 1) {
    // No rows are sent from a date in the future.
    const { next } = sizeLimits(tried, dates === undefined ? mostRows : undefined);
    if (next === undefined) break;
    const query = { [name]: String(next), ...(dates && { [dates.from]: inFormat(dates, future) }) };
    // The same request would get no answer again.
    if (!add(yield* asker.ask(`size.${place}`, "with a page size near the limit", query), false)) break;
  }
  yield* asker.ask("size-word", "with a page size that is no number", { [name]: neverIssued });
  return sizeLimits(tried);
}
