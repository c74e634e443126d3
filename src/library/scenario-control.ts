import { createHash } from "node:crypto";
import type { AdminClient } from "./admin-client.js";
import type { ActiveScenario, ScenarioSummary } from "./answers.js";
import type { ScenarioDefinition } from "./definition.js";

/** Activates a scenario for one client, or for all. A definition is uploaded first. */
export async function activate(
  client: string | undefined,
  scenario: string | ScenarioDefinition | null,
  admin: AdminClient,
): Promise<ActiveScenario> {
  const name = scenario === null || typeof scenario === "string" ? scenario : await uploadInline(scenario, admin);
  return admin.call("PUT /scenario", { client, body: { name } });
}

/** Uploads a scenario. JSON is YAML, so an object is sent as indented JSON, and messages name its lines. */
export function upload(
  name: string,
  scenario: string | ScenarioDefinition,
  admin: AdminClient,
): Promise<ScenarioSummary> {
  return admin.call("PUT /scenarios/{name}", { params: { name }, body: textOf(scenario) });
}

/** The name derives from the content: tests that define the same scenario share it, and a replay handle stays valid. */
async function uploadInline(scenario: ScenarioDefinition, admin: AdminClient): Promise<string> {
  const digest = createHash("sha256").update(textOf(scenario)).digest("hex").slice(0, 16);
  const { name } = await upload(`inline-${digest}`, scenario, admin);
  return name;
}

function textOf(scenario: string | ScenarioDefinition): string {
  if (typeof scenario === "string") return scenario;
  return JSON.stringify({ description: "Defined by a test.", ...scenario }, null, 2);
}
