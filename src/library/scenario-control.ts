import { textOfDefinition } from "../sandbox/scenarios/definition.js";
import type { AdminClient } from "./admin-client.js";
import type { ActiveScenario, ScenarioSummary } from "./answers.js";
import type { ScenarioDefinition } from "./definition.js";

/** Activates a scenario for one client, or for all: by its name, or by its rules. */
export function activate(
  client: string | undefined,
  scenario: string | ScenarioDefinition | null,
  admin: AdminClient,
): Promise<ActiveScenario> {
  const body = scenario === null || typeof scenario === "string" ? { name: scenario } : scenario;
  return admin.call("PUT /scenario", { client, body });
}

/** Uploads a scenario. */
export function upload(
  name: string,
  scenario: string | ScenarioDefinition,
  admin: AdminClient,
): Promise<ScenarioSummary> {
  const body = typeof scenario === "string" ? scenario : textOfDefinition(scenario);
  return admin.call("PUT /scenarios/{name}", { params: { name }, body });
}
