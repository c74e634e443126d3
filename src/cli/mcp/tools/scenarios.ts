import * as z from "zod";
import { clientId, scenarioName } from "../../../admin/common-schemas.js";
import { chooseScenarioSchema } from "../../../admin/schemas.js";
import { factsAnswer, textAnswer } from "../answer.js";
import type { Desk } from "../desk.js";
import { type Tool, tool } from "../tool.js";

/** A problem, or a warning, of a scenario's text. */
interface Placed {
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
}

/** Tools for scenarios: what errors happen, and to whom. */
export function scenarioTools({ sandbox, admin }: Desk): readonly Tool[] {
  return [
    tool({
      name: "list_scenarios",
      title: "Scenarios",
      description: "The scenarios that can be chosen, with what each does; with a name, the YAML of that one.",
      arguments: z.strictObject({ name: scenarioName.optional() }),
      annotations: { readOnlyHint: true },
      call: async ({ name }) => {
        if (name !== undefined) return textAnswer(await admin.text(`/scenarios/${name}`));
        const all = await sandbox.scenarios();
        return factsAnswer(Object.fromEntries(all.map((each) => [each.name, each.description ?? each.problems])));
      },
    }),
    tool({
      name: "use_scenario",
      title: "Choose a scenario",
      description:
        "Makes the errors of a scenario happen to one client, or to all. Its counters start from zero. With null as the name, no scenario is active any more.",
      arguments: chooseScenarioSchema.extend({
        client: clientId.describe("The client; all clients when left out.").optional(),
      }),
      call: async ({ name, client }) =>
        factsAnswer(await (client === undefined ? sandbox : await sandbox.client(client)).useScenario(name)),
    }),
    tool({
      name: "write_scenario",
      title: "Write a scenario, and check it",
      description:
        "Checks the YAML of a scenario, and keeps it under a name if it has no problem, until the sandbox ends. Example: rules: [{ when: { operation: list, page: 2 }, limit: 1, then: { error: INVALID_CURSOR } }]. list_scenarios with the name everything shows every key.",
      arguments: z.strictObject({
        name: scenarioName,
        yaml: z.string(),
        checkOnly: z.boolean().describe("Only check it.").optional(),
      }),
      call: async ({ name, yaml, checkOnly = false }) => {
        const found = await admin.json<{ problems: Placed[]; warnings: Placed[] }>("POST", "/scenario/check", { yaml });
        const isKept = found.problems.length === 0 && !checkOnly;
        if (isKept) await sandbox.defineScenario(name, yaml);
        return { ...factsAnswer({ kept: isKept, ...found }), isError: found.problems.length > 0 };
      },
    }),
  ];
}
