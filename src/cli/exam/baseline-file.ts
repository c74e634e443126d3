import { resolve } from "node:path";
import type { Configuration } from "../../config/configuration.js";
import { readConfigurationText } from "../../config/file.js";
import { Baseline } from "../../exam/baseline.js";
import { plainDrill } from "../../exam/report.js";
import { displayPath } from "../../files/display-path.js";
import { suggest } from "../../text/nearest.js";
import { quote } from "../../text/printable.js";
import { parseYaml, validateYaml } from "../../yaml/document.js";
import { FileError } from "../../yaml/problem.js";
import { baselineSchema } from "./baseline-schema.js";
import { drillNames, openScenarios } from "./drills.js";

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
    failures.map(({ drill, check, reason = "known" }, index) => {
      const { line, column } = yaml.place(["failures", index]);
      return { drill, check, reason, place: `${file}:${line}:${column}` };
    }),
  );
}
