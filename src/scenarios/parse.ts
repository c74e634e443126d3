import { FileError, type FileProblem, parseYaml, validateYaml } from "../yaml/document.js";
import { mostProblems } from "../yaml/problem.js";
import { compileExpectation, compileRule } from "./compile.js";
import { conflictIn } from "./conflicts.js";
import { scenarioLimits } from "./defaults.js";
import { RuleIndex } from "./rule-index.js";
import type { Scenario } from "./scenario.js";

/**
 * Reads a scenario.
 * @param name how it is called: the name of its file, without the ending
 * @param file how problems call the text
 * @throws FileError with line and column of everything that is wrong
 */
export async function parseScenario(text: string, name: string, file: string): Promise<Scenario> {
  const yaml = await parseYaml(text, file, scenarioLimits);
  const { scenarioSchema } = await import("./schema.js");
  const shape = validateYaml(yaml, file, scenarioSchema);
  const rules = (shape.rules ?? []).map(compileRule);
  const problems: FileProblem[] = [];
  const note = (index: number, key: string, message: string) =>
    problems.push({ file, ...yaml.place(["rules", index], key), message });
  const names = new Set<string>();
  for (const [index, rule] of rules.entries()) {
    if (problems.length >= mostProblems) break;
    if (names.has(rule.name))
      note(index, "name", `Two rules are called "${rule.name}"; Sandbox-Fault could not tell them apart.`);
    names.add(rule.name);
    const conflict = conflictIn(rule);
    if (conflict) note(index, "when", conflict);
    if (rule.fault.delay?.kind === "uniform" && rule.fault.delay.min > rule.fault.delay.max) {
      note(index, "then", "The delay's min is longer than its max.");
    }
  }
  if (problems.length > 0) throw new FileError(problems);
  return {
    name,
    description: shape.description.trim(),
    rules,
    index: new RuleIndex(rules),
    serverCertificate: shape.server?.certificate,
    expectation: shape.expect && compileExpectation(shape.expect),
  };
}
