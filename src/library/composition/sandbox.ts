import { randomBytes } from "node:crypto";
import { createAdminApp } from "../../admin/app.js";
import { Metrics } from "../../admin/metrics/metrics.js";
import { measureState, Traffic } from "../../admin/metrics/traffic.js";
import { adminLimits, startAdminServer } from "../../admin/server.js";
import { openFilesLimit } from "../../base/files/open-files.js";
import { ClientRegistry } from "../../sandbox/clients.js";
import { AdjustableClock, type Clock, systemClock } from "../../sandbox/clock.js";
import type { Configuration } from "../../sandbox/config/configuration.js";
import { ConsoleLog } from "../../sandbox/journal/console-log.js";
import { Journal } from "../../sandbox/journal/journal.js";
import { Recorder } from "../../sandbox/journal/recorder.js";
import type { List } from "../../sandbox/lists/list.js";
import type { Identity } from "../../sandbox/pki/certs.js";
import type { FileOperations } from "../../sandbox/pki/file-operations.js";
import type { ScenarioEngine } from "../../sandbox/scenarios/engine.js";
import { ScenarioLayer } from "../../sandbox/scenarios/layer.js";
import type { Scenario } from "../../sandbox/scenarios/scenario.js";
import { ServerCertificates, ServerRenewals } from "../server-certificates/server-certificates.js";
import { type AdminToken, adminToken, adminUrl, apiUrls, createAdminContext } from "./admin.js";
import { createService, startApiServer } from "./api.js";
import {
  type ApiUrls,
  openCertificates,
  openIdentities,
  withServerOf,
  writeEnvironment,
  writeShared,
} from "./certificates.js";
import { type Close, Closers, connectionLimits, type Foundation, type Output, type Records } from "./foundation.js";
import { openKeeper, runFacts } from "./keeping.js";
import { operationsOf, readersOf } from "./readers.js";
import { openScenarios, renewStandingClients } from "./scenarios.js";
import { openShared } from "./shared.js";

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
  /** The folder in which this run is kept; undefined if it is not. */
  readonly kept: string | undefined;
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
  // What the configuration says, before anything is opened.
  const connections = connectionLimits(openFilesLimit());
  const { lists, operations } = operationsOf(configuration);

  // Certificates, and the state that is shared, which needs their CA.
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

  // Clients, their identities, and scenarios.
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

  // What records requests, and what answers them.
  const records = await openRecords(foundation);
  closers.add(() => records.spans?.close());
  const { keeper } = records;
  if (keeper) closers.add(() => keeper.close());
  const service = await createService(foundation, records);

  // Both ports. Their numbers are in the files of clients.
  const closing = new AbortController();
  const open: Close[] = [() => closing.abort()];
  // At the same time, so that both ports have the same grace period.
  closers.add((gracePeriod) => Promise.all(open.map(async (close) => close(gracePeriod))));

  const api = await startApiServer(foundation, records, service, ownsProcess);
  open.push((gracePeriodMs) => api.close({ gracePeriodMs }));
  records.exam?.waitFor(() => api.isBusy());
  measureState(records.metrics, records.journal, () => api.connections());
  shared?.measure(records.metrics);

  const urls = apiUrls(configuration, api.port, api.furtherPorts);
  keeper?.begin(runFacts(foundation, records, urls.url));
  const said = new Set<string>();
  const warn = (text: string) => {
    if (!said.has(text)) output.warn(`payments-sandbox: ${text}\n`);
    said.add(text);
  };
  const write = () => writeEnvironment(certs, configuration, urls, warn);
  const written = write();
  // Those of the misfits, which a first start makes in the background.
  const allIdentities = Promise.all([identities.complete, written]).then(([all]) => write().then(() => all));
  open.push(() => allIdentities.catch(() => {}));
  allIdentities.then(
    () => keeper?.identitiesMade(),
    () => {},
  );

  const token = adminToken(configuration);
  const ports = { api: api.port, admin: 0 };
  const adminContext = createAdminContext(foundation, records, service, {
    token,
    closing: closing.signal,
    identities: allIdentities,
    urls,
    ports,
  });
  const limits = { ...adminLimits, mostConnections: connections.admin };
  const app = createAdminApp(adminContext);
  const admin = await startAdminServer(app, configuration.adminHosts, configuration.adminPort, limits);
  open.push((gracePeriod) => admin.close(gracePeriod));
  ports.admin = admin.port;
  await written;
  if (shared) {
    await identities.complete.then(() => shared.join(adminContext));
    await writeShared(certs, identities);
  }

  // So the first token need not wait for its library, and a broken file of the user is reported at once. The scenarios
  // that come with the sandbox are read when one is first used: reading them takes longer than the rest of a start.
  service.tokens.warmUp().catch(() => {});
  if (scenarios.library.hasOwnFolder) scenarios.library.read().catch(() => {});
  else void scenarios.library.watch();
  return {
    ...urls,
    adminUrl: adminUrl(configuration, admin.port),
    adminToken: token,
    seed,
    caPem: serverCertificates.caPem,
    lists: lists.map((list) => ({ ...list, path: configuration.basePath + list.path, rows: list.dataset.count })),
    identities: allIdentities,
    journal: records.journal,
    explanations: records.explanations,
    exam: records.exam,
    unmatchedRules: () => scenarios.unmatchedRules(),
    kept: keeper?.folder,
  };
}

/** Opens the journal, the console log, the metrics and the exam. */
async function openRecords(foundation: Foundation): Promise<Records> {
  const { configuration, machineClock, output, shared, clock, clients, identities, scenarios } = foundation;
  // Redis keeps only the newest entries. So all replicas keep the same ones.
  const journal = new Journal({ ...configuration.journal, ...(shared && { refusals: 0 }) });
  const { explanations, judging } = readersOf(configuration, foundation, clients, identities.store);
  const exam = configuration.report === "on" ? new (await import("../../exam/exam.js")).Exam(judging) : undefined;
  const writer = shared?.prepare({ journal, clients, exam, stepsOf: judging.stepsOf });
  const log =
    configuration.log === "none"
      ? undefined
      : new ConsoleLog(configuration.log, configuration.logFormat, explanations, output.log, output.colours);
  const metrics = new Metrics();
  const traffic = new Traffic(metrics, configuration.assumptions, scenarios.library);
  const { otlp } = configuration;
  // OpenTelemetry is loaded only where spans are sent.
  const spans =
    otlp === undefined ? undefined : new (await import("../../admin/spans.js")).Spans(otlp, explanations, output.warn);
  const keeper = await openKeeper(foundation, exam && judging);
  const listeners = [traffic, writer ?? exam, log, spans, keeper].filter((listener) => listener !== undefined);
  const recorder = new Recorder(writer?.keeper ?? journal, machineClock, { scenarios, clock }, clients, listeners);
  return { recorder, journal, explanations, metrics, exam, spans, keeper };
}
