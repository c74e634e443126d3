import { counted, thousands } from "../base/text/numbers.js";
import type { Colour } from "../base/text/terminal.js";

/** How something is coloured. `none` is neither good nor bad. */
export type Tone = "good" | "bad" | "warn" | "none";

/** The colours of a terminal. */
export const colours: Readonly<Record<Tone, Colour>> = { bad: "red", warn: "yellow", good: "green", none: "yellow" };

/** How something ended. */
export interface Mark {
  readonly tone: Tone;
  /** Such as `failed`. */
  readonly word: string;
  /** One character, where it is shown in a matrix. */
  readonly sign?: string;
}

/** What was judged by itself: a check in a drill, or a cell of a matrix. Its texts may come from outside. */
export interface Item {
  readonly name: string;
  readonly mark: Mark;
  /** By which rule it was judged: `must; §4.1`. Empty if there is none. */
  readonly rule: string;
  readonly message: string;
  /** What to do about it. Empty if nothing is to be done. */
  readonly advice: string;
  /** Why it is known. A known failure does not count. */
  readonly known?: string | undefined;
  /** Requests that show it, a line each. */
  readonly evidence: readonly string[];
  /** What the command printed: from the first line that looks like a failure, or its last lines. */
  readonly output: readonly string[];
  /** Tests of the command that failed, a line for each. */
  readonly tests: readonly string[];
  /** The scenario that reproduces it, as YAML. Empty if there is none. */
  readonly scenario: string;
  /** The command line that repeats it. Empty if there is none. */
  readonly repeat: string;
  /** How the run ended: a sentence. Empty if it has none of its own. */
  readonly ended: string;
  /** In milliseconds. */
  readonly duration: number;
  /** Present only for a finding: those of the same kind are told once. */
  readonly finding?: {
    readonly kind: string;
    /** Findings of a lower rank are told first. */
    readonly rank: number;
  };
}

/** An item that says nothing besides its name, its mark and its message. */
export const bareItem = {
  rule: "",
  advice: "",
  evidence: [],
  output: [],
  tests: [],
  scenario: "",
  repeat: "",
  ended: "",
  duration: 0,
} as const satisfies Partial<Item>;

/** What was judged together: a drill, or a point of a conversation. */
export interface Group {
  readonly name: string;
  /** Left out where only its items are judged. */
  readonly mark?: Mark;
  /** What happened and what was expected: sentences. */
  readonly facts: readonly string[];
  /** What the command printed: from the first line that looks like a failure, or its last lines. */
  readonly output: readonly string[];
  /** Tests of the command that failed, a line for each. */
  readonly tests: readonly string[];
  /** For programs that read the report. */
  readonly properties: readonly (readonly [name: string, value: string])[];
  /** In milliseconds. */
  readonly duration: number;
  readonly items: readonly Item[];
}

/** Where a finding was found. */
interface Place {
  readonly group: Group;
  readonly item: Item;
}

/** Findings of one kind, in the order of the report. The story of the first is told. */
export interface Finding {
  readonly title: string;
  readonly places: readonly [Place, ...Place[]];
}

/** What else a reader has to know. */
export interface Remark {
  /** Such as `Not run`. */
  readonly about: string;
  readonly title: string;
  readonly lines: readonly string[];
}

/** Counts of the same things, each of which is counted once. */
export interface Counts {
  /** Such as `Drills`. */
  readonly what: string;
  readonly of: readonly (readonly [word: string, count: number, tone: Tone])[];
}

/** The items of all groups as a matrix: a row for each group, a column for each name of an item. */
export interface Matrix {
  readonly columns: readonly string[];
  /** Every sign, in the order of the legend. */
  readonly legend: readonly { readonly mark: Mark; readonly means: string; readonly count: number }[];
}

/** A test of the command, and the findings in which it fails. */
export interface FailingTest {
  readonly name: string;
  readonly places: readonly Place[];
}

/** A report as a person reads it, whatever its format is. */
export interface Sheet {
  readonly question: string;
  /** The answer in one sentence. */
  readonly verdict: string;
  readonly tone: Tone;
  /** Sentences that a reader needs before everything else. */
  readonly lead: readonly string[];
  readonly counts: readonly Counts[];
  readonly remarks: readonly Remark[];
  /** What a group is: `drill` or `point`. */
  readonly groupName: string;
  readonly groups: readonly Group[];
  /** If the groups are shown as a matrix. */
  readonly matrix?: Matrix;
  /** The findings of the matrix by test, as far as the command told of its tests. */
  readonly tests?: readonly FailingTest[];
}

const sections: readonly (readonly [Tone, string])[] = [
  ["bad", "Failed"],
  ["warn", "Warnings"],
  ["none", "Known failures"],
];

/** All findings, by section: failures, warnings, known failures. Without empty sections. */
export function sectionsOf({
  groups,
  matrix,
}: Sheet): readonly { readonly title: string; readonly findings: readonly Finding[] }[] {
  const found = new Map<string, { title: string; places: [Place, ...Place[]] }>();
  for (const group of groups) {
    for (const item of group.items) {
      if (item.finding === undefined) continue;
      const key = JSON.stringify([item.mark.tone, item.finding.kind]);
      const same = found.get(key);
      const title = matrix === undefined ? item.name : `${group.name}/${item.name}`;
      if (same === undefined) found.set(key, { title, places: [{ group, item }] });
      else same.places.push({ group, item });
    }
  }
  const rank = ({ places: [{ item }] }: Finding) => item.finding?.rank ?? 0;
  const all = [...found.values()].sort((one, other) => rank(one) - rank(other));
  return sections
    .map(([tone, title]) => ({ title, findings: all.filter(({ places: [{ item }] }) => item.mark.tone === tone) }))
    .filter(({ findings }) => findings.length > 0);
}

/** The places of a finding in words: `plain`, `maintenance`; or `list.a.last: close, hang` in a matrix. */
export function placeTexts(places: readonly Place[], { matrix }: Sheet): readonly string[] {
  const names = new Map<string, string[]>();
  for (const { group, item } of places) names.set(group.name, [...(names.get(group.name) ?? []), item.name]);
  return [...names].map(([group, items]) => (matrix === undefined ? group : `${group}: ${items.join(", ")}`));
}

/** What becomes of an item, in one sentence or more. */
export function adviceOf({ advice, known }: Item): string {
  return known === undefined ? advice : `Known: ${known}`;
}

/** The first names of a list, and how many more there are. One more is named instead. */
export function named(names: readonly string[], most: number, between = ", "): string {
  const more = names.length - most;
  return more <= 1 ? names.join(between) : `${names.slice(0, most).join(between)} and ${thousands(more)} more`;
}

/** A part of a number of things, as a person says it: `2 of the 71 drills`, `all 71 drills`, `the one drill`. */
export function partOf(count: number, total: number, what: string): string {
  if (total === 1) return count === 1 ? `the one ${what}` : `none of the one ${what}`;
  if (count < total) return `${count === 0 ? "none" : thousands(count)} of the ${counted(total, what)}`;
  return total === 2 ? `both ${what}s` : `all ${counted(total, what)}`;
}

/** `2 failed, 68 passed`: without what is not there. */
export function countsText({ what, of }: Counts): string {
  const present = of.filter(([, count]) => count > 0);
  return `${what}: ${present.map(([word, count]) => `${thousands(count)} ${word}`).join(", ") || "none"}.`;
}
