import { randomBytes } from "node:crypto";
import { openFilesLimit } from "../../base/files/open-files.js";
import { createOperations } from "../../sandbox/api/operations.js";
import { ClientRegistry } from "../../sandbox/clients.js";
import { AdjustableClock, type Clock, systemClock } from "../../sandbox/clock.js";
import type { Configuration } from "../../sandbox/config/configuration.js";
import { compileList, type List } from "../../sandbox/lists/list.js";
import type { Identity } from "../../sandbox/pki/certs.js";
import type { FileOperations } from "../../sandbox/pki/file-operations.js";
import type { ScenarioEngine } from "../../sandbox/scenarios/engine.js";
import { ScenarioLayer } from "../../sandbox/scenarios/layer.js";
import type { Scenario } from "../../sandbox/scenarios/scenario.js";
import type { ApiUrls } from "./addresses.js";
import type { AdminToken } from "./admin-access.js";
import { openCertificates, openIdentities, withServerOf, writeShared } from "./certificates.js";
import { Closers } from "./closers.js";
import { connectionLimits } from "./connection-limits.js";
import type { Foundation, Output } from "./foundation.js";
import { openPorts } from "./ports.js";
import { openRecords, type Records } from "./records.js";
import { ServerCertificates } from "./server-certificates.js";
import { ServerRenewals } from "./server-renewals.js";
import { createService, openScenarios } from "./service.js";
import { openShared } from "./shared.js";
import { renewStandingClients } from "./standing-clients.js";

/** A sandbox that listens on both of its ports. */
export interface Sandbox extends ApiUrls, Pick<Records, "journal" | "explanations" | "exam"> {
  readonly adminUrl: string;
  readonly adminToken: AdminToken | undefined;
  /** What the random decisions of scenarios are drawn from. */
  readonly seed: string;
  readonly caPem: string;
  /** As they are served: with the base path, and the number of their rows. */
  readonly lists: readonly (List & { readonly rows: number })[];
  /** The rules that matched no request, of the scenarios that were active. */
  unmatchedRules(): ReturnType<ScenarioEngine["unmatchedRules"]>;
  /** Resolves when every identity exists. Rejects when one cannot be made. */
  readonly identities: Promise<readonly Identity[]>;
  /**
   * Stops both ports; open requests may continue for a grace period in milliseconds. Once it has resolved, nothing more
   * is written to the folder of certificates.
   */
  close(gracePeriod: number): Promise<void>;
}

/** What a sandbox is started with besides its configuration. */
interface Surroundings {
  /** The base of the sandbox's clock; injected by tests. */
  readonly machineClock?: Clock;
  /** By which the certificates folder is read and written; injected by tests. */
  readonly files?: FileOperations;
  readonly output?: Output;
  /** Whether the process runs nothing but the sandbox, so that its globals may be replaced. */
  readonly ownsProcess?: boolean;
  /**
   * A scenario above all others, for all clients. Nothing that the admin API does changes or shows it. It is counted in
   * this process, also if sandboxes share their state.
   */
  readonly layer?: Scenario;
}

const standardOutput: Output = {
  log: (text) => process.stdout.write(text),
  warn: (text) => process.stderr.write(text),
  // Node reads NO_COLOR and TERM.
  colours: process.stdout.isTTY === true && process.stdout.hasColors(),
};

/**
 * Starts a sandbox: certificates, clients, tokens, lists, the API and the admin API.
 * @throws CertsError, ListenError, OpenFilesError, RegistrationError, ListSettingsError, SettingError or
 *   SharedStateError, with nothing left running
 */
export async function startSandbox(configuration: Configuration, surroundings: Surroundings = {}): Promise<Sandbox> {
  const closers = new Closers();
  try {
    const sandbox = await assemble(configuration, surroundings, closers);
    return { ...sandbox, close: (gracePeriod) => closers.close(gracePeriod) };
  } catch (error) {
    await closers.close(0).catch(() => {});
    throw error;
  }
}

/** Puts the parts together, in the order in which they need each other. The one place that knows every part. */
async function assemble(
  configuration: Configuration,
  { machineClock = systemClock, files, output = standardOutput, ownsProcess = false, layer }: Surroundings,
  closers: Closers,
): Promise<Omit<Sandbox, "close">> {
  const connections = connectionLimits(openFilesLimit());
  const { assumptions, basePath } = configuration;
  const lists = Object.entries(configuration.lists).map(([name, settings]) =>
    compileList(name, settings, assumptions.values["list.dates"]),
  );
  const operations = createOperations(lists, assumptions);

  const certs = withServerOf(
    configuration.server,
    await openCertificates(configuration, machineClock, ownsProcess, files),
  );
  // After the close, the owner of the folder may remove it.
  closers.add(() => certs.complete.catch(() => {}));
  const shared = await openShared(configuration, certs.caPem, output.warn);
  if (shared) closers.add(() => shared.close());
  const seed = shared?.seed ?? configuration.seed ?? randomBytes(6).toString("hex");
  const clock = new AdjustableClock(machineClock);

  const clients = new ClientRegistry(clock, seed);
  const serverCertificates = new ServerCertificates(certs, configuration, machineClock);
  const identities = await openIdentities(certs, serverCertificates, clients, configuration, clock, output.warn);
  closers.add(() => identities.close());
  const scenarios = await openScenarios(configuration, seed, clock, output.warn, {
    counting: shared?.counters,
    layer: layer && new ScenarioLayer(layer, seed, machineClock),
  });
  closers.add(() => scenarios.library.close());
  // So that a client that starts with the sandbox reads both roots.
  if (scenarios.serverRenewal === "next-ca") await serverCertificates.announceNext();

  const serverRenewals = new ServerRenewals(serverCertificates, scenarios);

  const world = { configuration, connections, machineClock, output, lists, operations, certs, shared, seed, clock };
  const foundation: Foundation = { ...world, clients, identities, serverCertificates, serverRenewals, scenarios };
  await renewStandingClients(foundation);
  const records = await openRecords(foundation);
  closers.add(() => records.spans?.close());
  const service = await createService(foundation, records.recorder);
  const ports = await openPorts(foundation, records, service, closers, ownsProcess);
  if (shared) {
    await identities.complete.then(() => shared.join(ports.adminContext));
    await writeShared(certs, identities);
  }

  // So the first token need not wait for its library, and a broken file of the user is reported at once. The scenarios
  // that come with the sandbox are read when one is first used: reading them takes longer than the rest of a start.
  service.tokens.warmUp().catch(() => {});
  if (scenarios.library.hasOwnFolder) scenarios.library.read().catch(() => {});
  else void scenarios.library.watch();
  return {
    ...ports.urls,
    adminUrl: ports.adminUrl,
    adminToken: ports.adminToken,
    seed,
    caPem: serverCertificates.caPem,
    lists: lists.map((list) => ({ ...list, path: basePath + list.path, rows: list.dataset.count })),
    identities: ports.identities,
    journal: records.journal,
    explanations: records.explanations,
    exam: records.exam,
    unmatchedRules: () => scenarios.unmatchedRules(),
  };
}
