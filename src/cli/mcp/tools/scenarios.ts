import * as z from "zod";
import { scenarioName } from "../../../admin/common-schemas.js";
import { factsAnswer, textAnswer } from "../answer.js";
import type { Desk } from "../desk.js";
import { type Tool, tool } from "../tool.js";

/** Tools for scenarios: what errors happen, and to whom. */
export function scenarioTools({ sandbox, admin }: Desk): readonly Tool[] {
  return [
    tool({
      name: "list_scenarios",
      title: "Scenarios",
      description: "All scenarios, with what each does; with a name, its YAML.",
      arguments: z.strictObject({ name: scenarioName.optional() }),
      annotations: { readOnlyHint: true },
      call: async ({ name }) => {
        if (name !== undefined) return textAnswer(await admin.text(`/scenarios/${name}`));
        const all = await sandbox.scenarios();
        return factsAnswer(Object.fromEntries(all.map((each) => [each.name, each.description ?? each.problems])));
      },
    }),
    tool({
      name: "write_scenario",
      title: "Write a scenario, and check it",
      description:
        "Checks a scenario. One without problems is kept until the sandbox ends. Example: rules: [{ when: { operation: list, page: 2 }, limit: 1, then: { error: INVALID_CURSOR } }]. list_scenarios with the name everything shows every key.",
      arguments: z.strictObject({
        name: scenarioName,
        yaml: z.string(),
        checkOnly: z.boolean().optional(),
      }),
      call: async ({ name, yaml, checkOnly = false }) => {
        const found = await admin.call("POST /scenario/check", { body: yaml });
        const isKept = found.problems.length === 0 && !checkOnly;
        if (isKept) await sandbox.defineScenario(name, yaml);
        return { ...factsAnswer({ kept: isKept, ...found }), isError: found.problems.length > 0 };
      },
    }),
  ];
}
