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
import type { Configuration } from "../../sandbox/config/configuration.js";
import { readConfigurationText } from "../../sandbox/config/file.js";
import { keys, name, oneOf, text } from "../../sandbox/scenarios/schema-values.js";
import { drillNames, openScenarios } from "./drills.js";

const failure = z.strictObject(
  {
    drill: name.describe("The name of the drill: `plain`, a scenario, or `run` for `payments-sandbox run`."),
    check: oneOf([...drillSubjects, ...checkIds], "check").describe(
      "The check that fails; `outcome` for the exit status of the command, `requests` for the number of requests.",
    ),
    reason: text.describe("Why it fails, or where the fix is tracked.").optional(),
  },
  keys,
);

/** A baseline: failures that are known. */
export const baselineSchema = z.strictObject(
  { failures: z.array(failure, "give a list of failures").describe("Each failure that is known.") },
  keys,
);

/**
 * Reads a baseline.
 * @param path undefined: there is none
 * @throws FileError with file, line and column for each problem
 */
export async function readBaseline(
  path: string | undefined,
  { scenarios }: Pick<Configuration, "scenarios">,
): Promise<Baseline> {
  if (path === undefined) return new Baseline();
  const file = displayPath(resolve(path));
  const yaml = await parseYaml(await readConfigurationText(path), file);
  const { failures } = validateYaml(yaml, file, baselineSchema);
  const known = [plainDrill, ...drillNames(await openScenarios(scenarios))];
  const seen = new Set<string>();
  const problems = failures.flatMap(({ drill, check }, index) => {
    const id = `${drill} ${check}`;
    const twice = seen.has(id);
    seen.add(id);
    const unknown = !known.includes(drill);
    if (!unknown && !twice) return [];
    const message = unknown
      ? `failures[${index}].drill: ${quote(drill)} is not a drill. ${suggest(drill, known)}`
      : `failures[${index}]: ${drill} with ${check} is given twice.`;
    return [{ file, ...yaml.place(["failures", index, "drill"]), message }];
  });
  if (problems.length > 0) throw new FileError(problems);
  return new Baseline(
    failures.map(({ drill, check, reason }, index) => {
      const { line, column } = yaml.place(["failures", index]);
      const place = `${file}:${line}:${column}`;
      return { drill, check, reason: reason ?? `${place} gives no reason`, place };
    }),
  );
}
