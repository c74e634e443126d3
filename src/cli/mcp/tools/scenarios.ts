import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import * as z from "zod";
import { factsAnswer, textAnswer } from "../answer.js";
import type { Desk } from "../desk.js";

/** A problem, or a warning, of a scenario's text. */
interface Placed {
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
}

/** Tools for scenarios: what errors happen, and to whom. */
export function registerScenarioTools(server: McpServer, { sandbox, admin }: Desk): void {
  server.registerTool(
    "list_scenarios",
    {
      title: "Scenarios",
      description: "The scenarios that can be chosen, with what each does; with a name, the YAML of that one.",
      inputSchema: { name: z.string().optional() },
      annotations: { readOnlyHint: true },
    },
    async ({ name }) => {
      if (name !== undefined) return textAnswer(await admin.text(`/scenarios/${encodeURIComponent(name)}`));
      const all = await sandbox.scenarios();
      return factsAnswer(Object.fromEntries(all.map((each) => [each.name, each.description ?? each.problems])));
    },
  );

  server.registerTool(
    "use_scenario",
    {
      title: "Choose a scenario",
      description:
        "Makes the errors of a scenario happen to one client, or to all. Its counters start from zero. Without a name, no scenario is active any more.",
      inputSchema: {
        name: z.string().optional(),
        client: z.string().optional().describe("The client; all clients when left out"),
      },
    },
    async ({ name = null, client }) =>
      factsAnswer(await (client === undefined ? sandbox : await sandbox.client(client)).useScenario(name)),
  );

  server.registerTool(
    "write_scenario",
    {
      title: "Write a scenario, and check it",
      description:
        "Checks the YAML of a scenario, and keeps it under a name if it has no problem, until the sandbox ends. Example: rules: [{ when: { operation: list, page: 2 }, limit: 1, then: { error: INVALID_CURSOR } }]. list_scenarios with the name everything shows every key.",
      inputSchema: {
        name: z.string().describe("Lower-case letters, digits and hyphens"),
        yaml: z.string(),
        checkOnly: z.boolean().optional().describe("Only check it"),
      },
    },
    async ({ name, yaml, checkOnly = false }) => {
      const found = await admin.json<{ problems: Placed[]; warnings: Placed[] }>("POST", "/scenario/check", { yaml });
      const isKept = found.problems.length === 0 && !checkOnly;
      if (isKept) await sandbox.defineScenario(name, yaml);
      return { ...factsAnswer({ kept: isKept, ...found }), isError: found.problems.length > 0 };
    },
  );
}
