import { checks } from "../../src/exam/checks.js";
import { needNames, needs } from "../../src/sandbox/scenarios/expectation.js";
import type { LibraryEntry } from "../../src/sandbox/scenarios/library.js";
import { firstSentence } from "../../src/sandbox/scenarios/scenario.js";
import { codes, table } from "../markdown.js";

/** The checks, and the scenarios that come with the sandbox as drills. */
export function checkTables(scenarios: readonly LibraryEntry[]) {
  return { checks: checkSections, drills: () => drills(scenarios), needs: needTable };
}

function checkSections(): string {
  return checks
    .map(({ id, level, source, failsWhen, excuses, fix }) => {
      const excused = excuses.length === 0 ? "" : `\n- Excused: ${excuses.join("; ")}.`;
      return `### ${id}

**${level}** (${source}). Fails when ${failsWhen}.
${excused}
- Fix: ${fix.replaceAll(/https:\/\//g, "`$&`")}`;
    })
    .join("\n\n");
}

/** In the order of their names. */
function drills(scenarios: readonly LibraryEntry[]): string {
  const sorted = scenarios.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return table(
    ["drill", "what happens", "needs", "required checks"],
    sorted.map(({ name, scenario }) => {
      const { needs: needed = [], checks: required = [], exercises = [] } = scenario?.expectation ?? {};
      const one = exercises.length === 0 ? [] : [`one of ${codes(exercises)}`];
      return [
        `[\`${name}\`](../../scenarios/${name}.yaml)`,
        firstSentence(scenario?.description ?? ""),
        codes(needed),
        [...(required.length === 0 ? [] : [codes(required)]), ...one].join("; "),
      ];
    }),
  );
}

function needTable(): string {
  return table(
    ["need", "the program sends"],
    needNames.map((name) => [`\`${name}\``, needs[name]]),
  );
}
