import { type FileProblem, formatProblem } from "../../base/yaml/problem.js";
import { CorrelationRule } from "../../sandbox/api/correlation.js";
import type { Service } from "../../sandbox/api/service.js";
import type { Clock } from "../../sandbox/clock.js";
import type { Configuration } from "../../sandbox/config/configuration.js";
import { SettingError } from "../../sandbox/config/settings.js";
import { cursorKeys } from "../../sandbox/lists/cursor.js";
import type { Counting } from "../../sandbox/scenarios/counting.js";
import { ScenarioEngine, unknownScenarioMessage } from "../../sandbox/scenarios/engine.js";
import { builtInScenarios, ScenarioLibrary } from "../../sandbox/scenarios/library.js";
import { memoryStore } from "../../sandbox/store.js";
import { TokenService } from "../../sandbox/tokens/token-service.js";
import type { Foundation } from "./foundation.js";

/** A token request is some hundred bytes; many servers allow 64 KiB for a form. */
const bodyLimit = 65_536;

/**
 * Opens the scenarios and activates the configured one.
 * @throws SettingError if it does not exist
 */
export async function openScenarios(
  { scenarios, scenario, lists }: Configuration,
  seed: string,
  clock: Clock,
  warn: (text: string) => void,
  counting?: Counting,
): Promise<ScenarioEngine> {
  const warnOf = (problems: readonly FileProblem[]) =>
    warn(`payments-sandbox: ${problems.map(formatProblem).join("\n")}\n`);
  const library = new ScenarioLibrary({
    builtIn: builtInScenarios,
    folder: scenarios,
    lists: Object.keys(lists),
    onBroken: warnOf,
    onOdd: warnOf,
  });
  const engine = new ScenarioEngine(library, seed, clock, counting);
  // The other scenarios are read once the sandbox listens.
  if (scenario !== undefined) await library.read();
  if (scenario !== undefined && !library.scenario(scenario)) {
    library.close();
    throw new SettingError(unknownScenarioMessage(scenario, library));
  }
  engine.activeForAll = scenario;
  return engine;
}

/**
 * Makes what the operations work with.
 * @param recorder takes every exchange once its answer is known
 * @param control changes certificates for scenarios
 */
export async function createService(
  foundation: Foundation,
  recorder: NonNullable<Service["recorder"]>,
  control: Service["certificates"],
): Promise<Service> {
  const { configuration, machineClock, certs, shared, clock, clients, identities, scenarios, serverRenewals } =
    foundation;
  const { assumptions, basePath } = configuration;
  return {
    clock,
    realTime: machineClock,
    misfitName: (thumbprint) => identities.store.misfitName(thumbprint),
    clients,
    tokens: new TokenService({ signingKeyPem: certs.tokenSigningKeyPem, ...assumptions.values["token.format"] }),
    assumptions,
    correlation: await CorrelationRule.open(assumptions),
    cursorKeys: cursorKeys(certs.cursorKey),
    scenarios,
    basePath,
    bodyLimit,
    recorder,
    certificates: control,
    endsConnection: (connection) => serverRenewals.endsConnection(connection),
    store: shared ?? memoryStore,
  };
}
