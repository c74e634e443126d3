import { suggest } from "../../base/text/nearest.js";
import { longestName } from "../../base/text/printable.js";
import { checkYaml, inOrder, parseYaml, type YamlFile } from "../../base/yaml/document.js";
import { FileError, type FileProblem, mostProblems } from "../../base/yaml/problem.js";
import { conflictIn } from "./combinations.js";
import { mostPatterns, scenarioLimits } from "./defaults.js";
import type { Rule } from "./rule.js";
import { RuleIndex } from "./rule-index.js";
import type { Scenario } from "./scenario.js";

/** The text of a scenario, as far as it can be read. */
export interface ReadScenario {
  /** Everything that is wrong, in the order of the text. */
  readonly problems: readonly FileProblem[];
  /** Undefined if there are problems. */
  readonly scenario: Scenario | undefined;
}

/**
 * Reads a scenario.
 * @param name its name: that of its file, without the extension
 * @param file the name of the text in problems
 * @param lists the names of the lists that there are; undefined where they are not known
 * @throws FileError with line and column of everything that is wrong
 */
export async function parseScenario(
  text: string,
  name: string,
  file: string,
  lists?: readonly string[],
): Promise<Scenario> {
  const { scenario, problems } = await readScenario(text, name, file, lists);
  if (!scenario) throw new FileError(problems);
  return scenario;
}

/**
 * The same without an error for problems in it: a problem in one rule does not hide a problem in another.
 * @throws FileError when it is not YAML, or too large
 */
export async function readScenario(
  text: string,
  name: string,
  file: string,
  lists?: readonly string[],
): Promise<ReadScenario> {
  const yaml = await parseYaml(text, file, scenarioLimits);
  const { scenarioSchema, ruleSchema } = await import("./schema.js");
  const { compileRule } = await import("./compile.js");
  const { milliseconds } = await import("./schema-values.js");
  const { data, problems: schemaProblems } = checkYaml(yaml, file, scenarioSchema);
  const { withMeantForms } = await import("./meant.js");
  const written: unknown = (yaml.value as { rules?: unknown } | null)?.rules;
  const rules = data
    ? (data.rules ?? []).map(compileRule)
    : rulesOf(written).map((rule, index) => {
        const read = ruleSchema.safeParse(rule);
        return read.success ? compileRule(read.data, index) : undefined;
      });
  const problems = inOrder([
    ...(await withMeantForms(yaml.value, schemaProblems)),
    ...conflicts(rules, yaml, file),
    ...unknownLists(rulesOf(written), lists, yaml, file),
  ]).slice(0, mostProblems);
  if (!data || problems.length > 0) return { problems, scenario: undefined };
  return {
    problems,
    scenario: {
      name,
      description: data.description.trim(),
      rules: rules as Rule[],
      index: new RuleIndex(rules as Rule[]),
      serverCertificate: data.server?.certificate,
      clientValidity: data.client && milliseconds(data.client.certificate.validFor),
      expectation: data.expect,
    },
  };
}

/** Rules beyond the maximum of a scenario are not checked. */
const mostRules = 1000;

function rulesOf(written: unknown): readonly unknown[] {
  return Array.isArray(written) ? written.slice(0, mostRules) : [];
}

/** Rules for lists that do not exist, also those with other mistakes. */
function unknownLists(
  rules: readonly unknown[],
  lists: readonly string[] | undefined,
  yaml: YamlFile,
  file: string,
): FileProblem[] {
  if (!lists) return [];
  return rules.flatMap((rule, index) =>
    ["when", "from"].flatMap((where) => {
      const list: unknown = Object(Object(rule)[where]).list;
      if (typeof list !== "string" || list === "" || lists.includes(list)) return [];
      const message = `There is no list ${JSON.stringify(list.slice(0, longestName))}. ${suggest(list, lists)}`;
      return [{ file, ...yaml.place(["rules", index, where, "list"]), message }];
    }),
  );
}

/** How many patterns the rule compares a request with. */
function patternsIn({ when }: Rule): number {
  return when.reduce((count, { condition, value }) => count + (condition.patterns?.(value) ?? 0), 0);
}

/** Mistakes that the schema cannot see: between the parts of a rule, and between rules. */
function conflicts(rules: readonly (Rule | undefined)[], yaml: YamlFile, file: string): FileProblem[] {
  const problems: FileProblem[] = [];
  const note = (index: number, key: string, message: string) =>
    problems.push({ file, ...yaml.place(["rules", index], key), message });
  const names = new Set<string>();
  let patterns = 0;
  for (const [index, rule] of rules.entries()) {
    if (problems.length >= mostProblems) break;
    if (!rule) continue;
    patterns += patternsIn(rule);
    if (patterns > mostPatterns) {
      note(
        index,
        "when",
        `With this rule, the scenario has more than ${mostPatterns} patterns (like); leave some out.`,
      );
      break;
    }
    if (names.has(rule.name))
      note(index, "name", `Two rules are called "${rule.name}"; Sandbox-Fault could not distinguish them.`);
    names.add(rule.name);
    const conflict = conflictIn(rule);
    if (conflict) note(index, "when", conflict);
    for (const { fault, settings } of rule.faults) {
      const problem = fault.problem?.(settings);
      if (problem) note(index, "then", problem);
    }
  }
  return problems;
}
