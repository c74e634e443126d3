import { randomBytes } from "node:crypto";
import { setMaxListeners } from "node:events";
import { createAdminApp } from "./admin/app.js";
import type { AdminContext } from "./admin/context.js";
import { startAdminServer } from "./admin/server.js";
import { createApi } from "./api/app.js";
import { createOperations, stepsOf } from "./api/operations.js";
import { AdjustableClock, type Clock, systemClock } from "./clock.js";
import { type ApiUrls, adminUrl, apiUrls, ownHost } from "./composition/addresses.js";
import { type AdminToken, adminToken, createGuard } from "./composition/admin-access.js";
import { environmentFor, openCertificates, openIdentities, writeEnvironment } from "./composition/certificates.js";
import type { Exam } from "./composition/exam.js";
import { healthOf } from "./composition/health.js";
import { protocolError } from "./composition/protocol-error.js";
import { Recorder } from "./composition/recorder.js";
import { Scrapes } from "./composition/scrapes.js";
import { ServerDefects } from "./composition/server-defects.js";
import { createService, openScenarios } from "./composition/service.js";
import { openShared } from "./composition/shared.js";
import { Traffic } from "./composition/traffic.js";
import type { Configuration } from "./config/configuration.js";
import { version } from "./files/version.js";
import { ConsoleLog } from "./journal/console-log.js";
import type { Exchange } from "./journal/exchange.js";
import type { ExplanationContext } from "./journal/explanation-context.js";
import { Journal } from "./journal/journal.js";
import { compileList } from "./lists/list.js";
import { certificateFacts } from "./pki/certificate-facts.js";
import type { Identity } from "./pki/certs.js";
import { faultHandle } from "./scenarios/engine.js";
import { sendToOwnApi } from "./tls/own-request.js";
import { startTlsServer } from "./tls/server.js";

/** A sandbox that listens on both of its ports. */
export interface Sandbox extends ApiUrls {
  readonly adminUrl: string;
  readonly adminToken: AdminToken | undefined;
  /** What the random decisions of scenarios are drawn from. */
  readonly seed: string;
  readonly caPem: string;
  readonly lists: readonly { readonly name: string; readonly path: string; readonly rows: number }[];
  /** Resolves when every identity is there. Rejects when one cannot be made. */
  readonly identities: Promise<readonly Identity[]>;
  readonly journal: Journal;
  /** For the explanations of the journal's entries. */
  readonly explanations: ExplanationContext;
  /** What judges the clients; undefined where the setting `report` is off. */
  readonly exam: Exam | undefined;
  /**
   * Stops both ports; what is in flight may go on for a grace period in milliseconds. Once it has resolved, nothing is written to the
   * folder of certificates any more.
   */
  close(gracePeriod: number): Promise<void>;
}

/** Where a sandbox writes what people read while it runs. Texts are whole lines. */
export interface Output {
  /** What reached the sandbox, as far as the configuration asks for it. */
  log(text: string): void;
  /** Problems that do not stop the sandbox, such as a scenario that cannot be read. */
  warn(text: string): void;
  /** Whether the log goes to a terminal that shows colours. */
  readonly colours?: boolean;
}

const standardOutput: Output = {
  log: (text) => process.stdout.write(text),
  warn: (text) => process.stderr.write(text),
  // Node reads NO_COLOR and TERM.
  colours: process.stdout.isTTY === true && process.stdout.hasColors(),
};

/** Ends a part of a sandbox. @param gracePeriod how long what is in flight may go on, in milliseconds */
type Stop = (gracePeriod: number) => unknown;

/**
 * Starts a sandbox: certificates, clients, tokens, lists, the API and the admin API. The one place that knows every part.
 * @param machineClock stands behind the sandbox's clock; injected by tests
 * @param ownsProcess whether the process runs nothing but the sandbox, so that its globals may be replaced
 * @throws CertsError, ListenError, RegistrationError, ListSettingsError, SettingError or SharedStateError, with nothing left running
 */
export async function startSandbox(
  configuration: Configuration,
  machineClock: Clock = systemClock,
  output: Output = standardOutput,
  ownsProcess = false,
): Promise<Sandbox> {
  const stops: Stop[] = [];
  const ends: Stop[] = [];
  const close = async (gracePeriod: number) => {
    for (const group of [stops, ends]) await Promise.all(group.map((stop) => stop(gracePeriod)));
  };
  try {
    return { ...(await assemble(configuration, machineClock, output, ownsProcess, stops, ends)), close };
  } catch (error) {
    await close(0);
    throw error;
  }
}

/** Puts the parts together in the order in which they need each other. What runs is added to `stops`, and what the others need until then to `ends`. */
async function assemble(
  configuration: Configuration,
  machineClock: Clock,
  output: Output,
  ownsProcess: boolean,
  stops: Stop[],
  ends: Stop[],
): Promise<Omit<Sandbox, "close">> {
  const { assumptions } = configuration;
  const lists = Object.entries(configuration.lists).map(([name, settings]) =>
    compileList(name, settings, assumptions.values["list.dates"]),
  );
  const operations = createOperations(lists, assumptions);
  const certs = await openCertificates(configuration, machineClock);
  // Its owner may remove the folder then.
  ends.push(() => certs.complete.catch(() => {}));
  const shared = await openShared(configuration, certs.caPem, machineClock, output.warn);
  // Last, so that what is answered until then is in the journal.
  if (shared) ends.push(() => shared.close());
  const seed = shared?.seed ?? configuration.seed ?? randomBytes(6).toString("hex");
  const clock = new AdjustableClock(shared?.clock ?? machineClock);
  const loadExam = configuration.report === "on" ? import("./composition/exam.js") : undefined;

  const scenarios = await openScenarios(configuration, seed, clock, output.warn, shared?.counters);
  stops.push(() => scenarios.library.close());

  const onExchange = (exchange: Exchange) => recorder.exchange(exchange);
  const service = createService(configuration, certs, {
    clock,
    machineClock,
    misfitOf: (thumbprint) => store.misfitOf(thumbprint),
    scenarios,
    seed,
    onExchange,
    shared,
  });
  const { clients } = service;

  const { store, issuer, complete } = openIdentities(certs, clients, configuration, machineClock);
  stops.push(() => issuer.close());

  const journal = new Journal(configuration.journal);
  const { basePath } = configuration;
  const explanations: ExplanationContext = {
    clients,
    basePath,
    identity: (thumbprint) => store.inFolder(thumbprint),
  };
  const log = new ConsoleLog(configuration.log, configuration.logFormat, output.log, output.colours);
  const correlationHeader = assumptions.values["correlation.header"].toLowerCase();
  const examParts = { lists, correlationHeader, clock, clients, scenarios, isBusy: () => tls.isBusy() };
  const exam = loadExam && new (await loadExam).Exam(examParts);
  const context: () => AdminContext = () => adminContext;
  const records = shared?.prepare({ journal, clients, context, exam, stepsOf: stepsOf(operations) });
  const traffic = new Traffic(assumptions, scenarios.library);
  const recorder = new Recorder(records?.keeper ?? journal, log, machineClock, explanations, traffic, records ?? exam);

  const api = createApi(service, operations);
  const defects = new ServerDefects(certs, configuration.hostnames, machineClock, () => scenarios.serverDefect);
  const tls = await startTlsServer({
    hosts: configuration.hosts,
    port: configuration.port,
    certificate: certs.server.certPem,
    key: certs.server.keyPem,
    trustedCas: [certs.caPem, ...configuration.tls.clientCa],
    identityFor: (serverName) => defects.identityFor(serverName),
    furtherPorts: defects.ports(configuration.defectPorts),
    clientCertificate: configuration.tls.clientCertificate,
    alpn: configuration.alpn,
    clock: machineClock,
    timesRequests: exam !== undefined,
    unindexedHeaders: [correlationHeader],
    overrideGlobalObjects: ownsProcess,
    fetch: (request, env) => api.fetch(request, env),
    protocolError: (problem) => protocolError(problem, service, operations),
    injectReset: () => {
      const fault = scenarios.selectHandshake();
      if (fault instanceof Promise) return fault.then((found) => found && faultHandle(found.key));
      return fault && faultHandle(fault.key);
    },
    onHandshakeFailure: (failure) => recorder.failedHandshake(failure),
    onUnusedConnection: (connection) => recorder.unusedConnection(connection),
  });
  stops.push((gracePeriodMs) => tls.close({ gracePeriodMs }));

  const scrapes = new Scrapes([...traffic.metrics(journal, tls.connections), ...(shared?.metrics ?? [])]);
  stops.push(() => scrapes.close());

  const urls = apiUrls(configuration, tls.port, tls.furtherPorts);
  const { url } = urls;
  const written = writeEnvironment(certs, configuration, urls, output.warn);
  ends.push(() => written.catch(() => {}));
  const identities = Promise.all([complete, written]).then(([all]) => all);
  identities.catch(() => {});

  const token = adminToken(configuration);
  const ports = { api: tls.port, admin: 0 };
  const closing = new AbortController();
  // Each stream of the admin API listens to it: more than ten listeners are not a leak.
  setMaxListeners(0, closing.signal);
  stops.push(() => closing.abort());
  const adminContext: AdminContext = {
    guard: createGuard(configuration, token),
    closing: closing.signal,
    streams: new Set(),
    health: healthOf(identities, ports, () => shared?.unavailable()),
    caPem: certs.caPem,
    url: () => url,
    sendToApi: (identity, text, signal) =>
      sendToOwnApi({ host: ownHost(configuration.hosts[0]), port: tls.port, ca: certs.caPem }, identity, text, signal),
    clock,
    machineClock,
    pathOf(name, list) {
      const operation = operations.find((one) => one.name === name && one.list === list);
      return operation && basePath + operation.path.text;
    },
    clients,
    identities: store,
    readCertificate: certificateFacts,
    environmentOf: (identity, admin) =>
      environmentFor(identity, { ...urls, certsPath: configuration.hostCerts }, admin),
    scenarios,
    initialScenario: configuration.scenario,
    journal,
    explanations,
    exam: exam && (shared?.exam ?? exam),
    metrics: (format) => scrapes.answer(format),
    assumptions,
    shared,
    openApi: async () => (await import("./api/openapi.js")).openApi({ operations, lists, assumptions, url }),
    adminOpenApi: async () => (await import("./admin/openapi.js")).adminOpenApi(version),
  };
  const admin = await startAdminServer(createAdminApp(adminContext), configuration.adminHost, configuration.adminPort);
  stops.push((gracePeriod) => admin.close(gracePeriod));
  ports.admin = admin.port;
  await written;
  if (shared) await complete.then(() => shared.join());

  // The first token need not wait for the library that signs it, nor the first scenario for the folder.
  service.tokens.warmUp().catch(() => {});
  scenarios.library.read().catch(() => {});
  return {
    ...urls,
    adminUrl: adminUrl(configuration, admin.port),
    adminToken: token,
    seed,
    caPem: certs.caPem,
    lists: lists.map(({ name, path, dataset }) => ({ name, path: basePath + path, rows: dataset.count })),
    identities,
    journal,
    explanations,
    exam,
  };
}
