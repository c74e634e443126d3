import { usualParameters } from "../words.js";
import type { ListTarget } from "./seen-answers.js";

/** Names that the parameter of the page size may have; the name in the document of the service comes first. */
export function sizeNamesOf({ documented }: ListTarget): Names {
  return named(documented?.parameters?.pageSize, usualParameters["page-size"]);
}

/** The same for the parameter of the cursor. */
export function cursorNamesOf({ documented }: ListTarget): Names {
  return named(documented?.parameters?.cursor, usualParameters.cursor);
}

type Names = readonly [string, ...string[]];

function named(first: string | null | undefined, usual: Names): Names {
  return first == null ? usual : [first, ...usual.filter((name) => name !== first)];
}

interface DateNames {
  readonly from: string;
  readonly to: string;
}

/** The same for the two bounds of dates. */
export function dateNamesOf({ documented }: ListTarget): readonly [DateNames, ...DateNames[]] {
  const { fromCreatedAt: from, toCreatedAt } = documented?.parameters ?? {};
  const { dates } = usualParameters;
  if (from == null) return dates;
  const usual = dates.find((each) => each.from === from) ?? dates[0];
  const to = toCreatedAt ?? usual.to;
  return [{ from, to }, ...dates.filter((each) => each.from !== from && each.to !== to)];
}

/** The names that are tried: the first, then those that the service itself has shown, then the others. */
export function withShown([first, ...others]: Names, shown: readonly string[]): Names {
  return [first, ...new Set([...shown, ...others].filter((name) => name !== first))];
}
