/** The meanings that `--map` can name: of parameters and of members of an answer. */
export const mappable = [
  "page-size",
  "cursor",
  "from",
  "to",
  "items",
  "next-cursor",
  "next-link",
  "has-more",
  "total",
  "count",
  "page",
  "pages",
  "date-field",
] as const;

export type Meaning = (typeof mappable)[number];

/** The name that the user mapped to a meaning; empty for none, undefined if the user did not say. */
export type ChosenName = (meaning: Meaning, exists: (name: string) => boolean) => string | undefined;

/** One `--map [LIST:]MEANING=NAME`. */
export interface Mapping {
  /** The list or the path that it is for; undefined for all. */
  readonly list: string | undefined;
  readonly meaning: Meaning;
  /** The name in the document; empty if there is none. */
  readonly name: string;
  readonly text: string;
}

/**
 * Reads a mapping.
 * @returns undefined for any other text
 */
export function parseMapping(text: string): Mapping | undefined {
  const [, list, meaning = "", name = ""] = /^(?:(.+):)?([a-z-]+)=(.*)$/.exec(text) ?? [];
  const known = mappable.find((each) => each === meaning);
  return known === undefined ? undefined : { list, meaning: known, name, text };
}

/** The mappings by list, and which of them were used. */
export class Mappings {
  readonly #used = new Set<Mapping>();

  constructor(private readonly all: readonly Mapping[]) {}

  /**
   * The name for a meaning: for this list, or else for all; undefined if none was given, or this list does not have it.
   */
  nameOf(meaning: Meaning, list: readonly string[], exists: (name: string) => boolean): string | undefined {
    const fitting = this.all.filter(
      (each) => each.meaning === meaning && (each.list === undefined || list.includes(each.list)),
    );
    const found =
      fitting.findLast((each) => each.list !== undefined && (each.name === "" || exists(each.name))) ??
      fitting.findLast((each) => each.name === "" || exists(each.name));
    if (found) this.#used.add(found);
    return found?.name;
  }

  /** Mappings that no list used. */
  get unused(): readonly Mapping[] {
    return this.all.filter((each) => !this.#used.has(each));
  }
}
