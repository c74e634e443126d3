import { checks } from "../../src/exam/checks.js";
import { needNames, needs } from "../../src/sandbox/scenarios/expectation.js";
import type { LibraryEntry } from "../../src/sandbox/scenarios/library.js";
import { firstSentence } from "../../src/sandbox/scenarios/scenario.js";
import { code, codes, meanings } from "../markdown.js";

/** The checks, and the scenarios that come with the sandbox as drills. */
export function checkTables(scenarios: readonly LibraryEntry[]) {
  return { checks: checkSections, drills: () => drills(scenarios), needs: needTable };
}

function checkSections(): string {
  return checks
    .map(({ id, level, source, failsWhen, excuses, fix }) => {
      const failure = typeof failsWhen === "string" ? failsWhen : `never fails; ${failsWhen.never}`;
      const excused = excuses.length === 0 ? [] : [`Excused: ${excuses.join("; ")}.`];
      return [
        `### ${id}`,
        `**${level}** (${source}): ${failure}.`,
        ...excused,
        fix.replaceAll(/https:\/\//g, "`$&`"),
      ].join("\n\n");
    })
    .join("\n\n");
}

const onceEach = ", once on ping and once on lists";

/** Those that the exam runs, by what they need of the program and how often they act, in the order of their names. */
function drills(scenarios: readonly LibraryEntry[]): string {
  const groups = new Map<string, string[]>();
  for (const { name, scenario } of scenarios.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (scenario?.expectation === undefined) continue;
    const { needs: needed, checks: required, exercises } = scenario.expectation;
    const what = firstSentence(scenario.description);
    const group = [
      needed.length === 0 ? "Need nothing special" : `Need ${codes(needed)}`,
      ...(what.includes(onceEach) ? ["act once on ping and once on lists"] : []),
    ].join("; ");
    const judged = [
      ...(required.length === 0 ? [] : [codes(required)]),
      ...(exercises.length === 0 ? [] : [`exercises ${exercises.map(code).join(" or ")}`]),
    ];
    const link = `[\`${name}\`](../../scenarios/${name}.yaml)`;
    const line = `- ${link}: ${what.replace(onceEach, "")}${judged.length === 0 ? "" : ` (${judged.join("; ")})`}`;
    groups.set(group, [...(groups.get(group) ?? []), line]);
  }
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, lines]) => `${group}:\n\n${lines.join("\n")}`)
    .join("\n\n");
}

function needTable(): string {
  return meanings(needNames.map((name) => [code(name), needs[name]]));
}
