import { orCannotIssue } from "../../admin/client-errors.js";
import { AdminError } from "../../admin/error.js";
import { endNow, type Registration, rotate } from "../../admin/rotation.js";
import { formatProblem } from "../../base/yaml/problem.js";
import { CorrelationRule } from "../../sandbox/api/correlation.js";
import type { CertificateControl, Service } from "../../sandbox/api/service.js";
import type { Clock } from "../../sandbox/clock.js";
import type { Configuration } from "../../sandbox/config/configuration.js";
import { SettingError } from "../../sandbox/config/settings.js";
import { unavailableRefusal } from "../../sandbox/journal/refusal.js";
import { cursorKeys } from "../../sandbox/lists/cursor.js";
import { certificateFacts } from "../../sandbox/pki/certificate-facts.js";
import type { Counting } from "../../sandbox/scenarios/counting.js";
import { ScenarioEngine, unknownScenarioMessage } from "../../sandbox/scenarios/engine.js";
import type { ScenarioLayer } from "../../sandbox/scenarios/layer.js";
import { builtInScenarios, ScenarioLibrary } from "../../sandbox/scenarios/library.js";
import { memoryStore, StoreError } from "../../sandbox/store.js";
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
  engine.activeForAll = scenario;
  return engine;
}

/**
 * Makes what the operations work with.
 * @param recorder takes every exchange once its answer is known
 */
export async function createService(
  foundation: Foundation,
  recorder: NonNullable<Service["recorder"]>,
): Promise<Service> {
  const { configuration, machineClock, certs, shared, clock, clients, identities, scenarios, serverRenewals } =
    foundation;
  const { assumptions, basePath } = configuration;
  const store = shared ?? memoryStore;
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
    certificates: certificateControl({
      clients,
      identities: identities.store,
      readCertificate: certificateFacts,
      filesOf: identities.filesOf,
      store,
    }),
    endsConnection: (connection) => serverRenewals.endsConnection(connection),
    store,
  };
}

/** Changes certificates for scenarios as the admin API does. */
function certificateControl(registration: Registration): CertificateControl {
  const orUnavailable = (error: unknown) => {
    throw error instanceof AdminError || error instanceof StoreError ? unavailableRefusal(error.message) : error;
  };
  return {
    async renew(client, renewal) {
      // A client without files reads none, so nothing can be held back.
      const hasFiles = registration.identities.ofClient(client)?.folder !== undefined;
      const rotation = hasFiles ? renewal : { ...renewal, hold: undefined, holdFor: undefined };
      await orCannotIssue(() => rotate(client.id, rotation, registration)).catch(orUnavailable);
    },
    end: ({ id }, thumbprint, how) => endNow(id, thumbprint, how, registration).catch(orUnavailable),
  };
}
