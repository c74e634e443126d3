import { orCannotIssue } from "../../admin/client-errors.js";
import { AdminError } from "../../admin/error.js";
import { rotate } from "../../admin/rotation.js";
import { formatProblem } from "../../base/yaml/problem.js";
import type { Clock } from "../../sandbox/clock.js";
import type { Configuration } from "../../sandbox/config/configuration.js";
import { SettingError } from "../../sandbox/config/settings.js";
import { certificateFacts } from "../../sandbox/pki/certificate-facts.js";
import type { Counting } from "../../sandbox/scenarios/counting.js";
import { ScenarioEngine, unknownScenarioMessage } from "../../sandbox/scenarios/engine.js";
import type { ScenarioLayer } from "../../sandbox/scenarios/layer.js";
import { builtInScenarios, ScenarioLibrary } from "../../sandbox/scenarios/library.js";
import { memoryStore } from "../../sandbox/store.js";
import type { Foundation } from "./foundation.js";

/**
 * Opens the scenarios and activates the configured one.
 * @throws SettingError if it does not exist
 */
export async function openScenarios(
  { scenarios, scenario, lists }: Configuration,
  seed: string,
  clock: Clock,
  warn: (text: string) => void,
  { counting, layer }: { readonly counting: Counting | undefined; readonly layer: ScenarioLayer | undefined },
): Promise<ScenarioEngine> {
  const library = new ScenarioLibrary({
    builtIn: builtInScenarios,
    folder: scenarios,
    lists: Object.keys(lists),
    onBroken: (problems) => warn(`payments-sandbox: ${problems.map(formatProblem).join("\n")}\n`),
  });
  const engine = new ScenarioEngine(library, seed, clock, counting, layer);
  // The other scenarios are read once the sandbox listens.
  if (scenario !== undefined) await library.read();
  if (scenario !== undefined && !library.scenario(scenario)) {
    library.close();
    throw new SettingError(unknownScenarioMessage(scenario, library));
  }
  engine.forAll.choose(scenario);
  return engine;
}

/**
 * Gives the standing clients new certificates, if the scenario that the sandbox starts with says how long they are
 * valid. A program that starts later reads them like those of any other start.
 * @throws SettingError when they cannot be made or written
 */
export async function renewStandingClients({ scenarios, shared, clients, identities }: Foundation): Promise<void> {
  const { clientValidity: validFor } = scenarios;
  if (validFor === undefined) return;
  const impossible = (why: string) =>
    new SettingError(`The scenario ${scenarios.forAll.name} makes new certificates: ${why}`);
  if (shared) throw impossible("sandboxes that share their state make none.");
  const { store, filesOf, complete } = identities;
  // The first start is still writing them.
  await complete;
  const registration = {
    clients,
    identities: store,
    readCertificate: certificateFacts,
    filesOf,
    store: memoryStore,
  };
  const renewed: string[] = [];
  for (const { clientId, kind } of store.standing()) {
    if (kind !== "client") continue;
    await orCannotIssue(() => rotate(clientId, { validFor }, registration)).catch((error: unknown) => {
      const before = renewed.length > 0 ? `Before that, ${renewed.join(" and ")} got new ones. ` : "";
      throw error instanceof AdminError ? impossible(`${before}${clientId}: ${error.message}`) : error;
    });
    renewed.push(clientId);
  }
}
