import { resolve } from "node:path";
import * as z from "zod";
import { displayPath } from "../../base/files/display-path.js";
import { suggest } from "../../base/text/nearest.js";
import { quote } from "../../base/text/printable.js";
import { parseYaml, validateYaml } from "../../base/yaml/document.js";
import { FileError } from "../../base/yaml/problem.js";
import { Baseline, drillSubjects } from "../../exam/baseline.js";
import { checkIds } from "../../exam/checks.js";
import { plainDrill } from "../../exam/report.js";
import type { KnownCell } from "../../explore/baseline.js";
import { readScenarios } from "../../library/read-scenarios.js";
import type { Configuration } from "../../sandbox/config/configuration.js";
import { readConfigurationText } from "../../sandbox/config/file.js";
import { keys, name, oneOf, text } from "../../sandbox/scenarios/schema-values.js";
import { drillNames } from "./drills.js";

const failure = z
  .strictObject(
    {
      drill: name
        .describe("The name of the drill: `plain`, a scenario, or `run` for `payments-sandbox run`.")
        .optional(),
      check: oneOf([...drillSubjects, ...checkIds], "check")
        .describe(
          "The check that fails; `outcome` for the exit status of the command, `requests` for the number of requests.",
        )
        .optional(),
      cell: z
        .string("give a text")
        .regex(/^[^/]+\/[^/]+$/, "give POINT/FAULT, such as list.payments.middle/truncate")
        .describe("The name of a cell of `payments-sandbox explore`, in place of a drill and a check.")
        .optional(),
      reason: text.describe("Why it fails, or where the fix is tracked.").optional(),
    },
    keys,
  )
  .superRefine(({ drill, check, cell }, context) => {
    if (cell !== undefined) {
      if (drill !== undefined || check !== undefined)
        context.addIssue({ code: "custom", message: "give either a cell, or a drill and a check" });
      return;
    }
    for (const [key, value] of Object.entries({ drill, check }))
      if (value === undefined)
        context.addIssue({ code: "invalid_type", expected: "string", input: undefined, path: [key] });
  })
  .meta({
    oneOf: [
      { required: ["drill", "check"], properties: { cell: false } },
      { required: ["cell"], properties: { drill: false, check: false } },
    ],
  });

/** A baseline: failures that are known. */
export const baselineSchema = z.strictObject(
  { failures: z.array(failure, "give a list of failures").describe("Each failure that is known.") },
  keys,
);

/** What is known: of drills, and of cells. One file serves `run`, `exam` and `explore`. */
interface KnownFailures {
  readonly drills: Baseline;
  readonly cells: readonly KnownCell[];
}

/**
 * Reads a baseline.
 * @param path undefined: there is none
 * @param faults the names of faults; undefined where cells are not looked at
 * @throws FileError with file, line and column for each problem
 */
export async function readBaseline(
  path: string | undefined,
  { scenarios }: Pick<Configuration, "scenarios">,
  faults?: readonly string[],
): Promise<KnownFailures> {
  if (path === undefined) return { drills: new Baseline(), cells: [] };
  const file = displayPath(resolve(path));
  const yaml = await parseYaml(await readConfigurationText(path), file);
  const { failures } = validateYaml(yaml, file, baselineSchema);
  const names = { drill: [plainDrill, ...drillNames(await readScenarios(scenarios))], fault: faults };
  const seen = new Set<string>();
  const problems = failures.flatMap(({ drill, check, cell }, index) => {
    const id = cell ?? `${drill} with ${check}`;
    const twice = seen.has(id);
    seen.add(id);
    const [key, kind, word] =
      cell === undefined
        ? (["drill", "drill", drill ?? ""] as const)
        : (["cell", "fault", cell.slice(cell.lastIndexOf("/") + 1)] as const);
    const known = names[kind];
    const unknown = known !== undefined && !known.includes(word);
    if (!unknown && !twice) return [];
    const message = unknown
      ? `failures[${index}].${key}: ${quote(word)} is not a ${kind}. ${suggest(word, known)}`
      : `failures[${index}]: ${id} is given twice.`;
    return [{ file, ...yaml.place(["failures", index, key]), message }];
  });
  if (problems.length > 0) throw new FileError(problems);
  const entries = failures.map(({ reason, ...failed }, index) => {
    const { line, column } = yaml.place(["failures", index]);
    const place = `${file}:${line}:${column}`;
    return { ...failed, reason: reason ?? `${place} gives no reason`, place };
  });
  return {
    drills: new Baseline(
      entries.flatMap(({ drill, check, reason, place }) =>
        drill === undefined || check === undefined ? [] : [{ drill, check, reason, place }],
      ),
    ),
    cells: entries.flatMap(({ cell, reason, place }) => (cell === undefined ? [] : [{ cell, reason, place }])),
  };
}
