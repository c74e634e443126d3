import { randomBytes } from "node:crypto";
import { createAdminApp } from "./admin/app.js";
import type { AdminContext } from "./admin/context.js";
import { startAdminServer } from "./admin/server.js";
import { createOperations, stepsOf } from "./api/operations.js";
import { AdjustableClock, type Clock, systemClock } from "./clock.js";
import { type ApiUrls, adminUrl, apiUrls } from "./composition/addresses.js";
import { type AdminToken, adminToken } from "./composition/admin-access.js";
import { createAdminContext } from "./composition/admin-context.js";
import { startApiServer } from "./composition/api-server.js";
import { openCertificates, openIdentities, writeEnvironment } from "./composition/certificates.js";
import type { Exam } from "./composition/exam.js";
import { Recorder } from "./composition/recorder.js";
import { Scrapes } from "./composition/scrapes.js";
import { createService, openScenarios } from "./composition/service.js";
import { openShared } from "./composition/shared.js";
import { Traffic } from "./composition/traffic.js";
import type { Configuration } from "./config/configuration.js";
import { ConsoleLog } from "./journal/console-log.js";
import type { Exchange } from "./journal/exchange.js";
import type { ExplanationContext } from "./journal/explanation-context.js";
import { Journal } from "./journal/journal.js";
import { compileList } from "./lists/list.js";
import type { Identity } from "./pki/certs.js";
import type { TlsServer } from "./tls/server.js";

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
  const steps = stepsOf(operations);
  const examParts = { lists, stepsOf: steps, correlationHeader, clock, clients, scenarios, isBusy: () => tls.isBusy() };
  const exam = loadExam && new (await loadExam).Exam(examParts);
  const context: () => AdminContext = () => adminContext;
  const records = shared?.prepare({ journal, clients, context, exam, stepsOf: steps });
  const traffic = new Traffic(assumptions, scenarios.library);
  const recorder = new Recorder(records?.keeper ?? journal, log, machineClock, explanations, traffic, records ?? exam);

  const tls: TlsServer = await startApiServer({
    configuration,
    certs,
    machineClock,
    service,
    operations,
    recorder,
    timesRequests: exam !== undefined,
    ownsProcess,
  });
  stops.push((gracePeriodMs) => tls.close({ gracePeriodMs }));

  const scrapes = new Scrapes([...traffic.metrics(journal, tls.connections), ...(shared?.metrics ?? [])]);
  stops.push(() => scrapes.close());

  const urls = apiUrls(configuration, tls.port, tls.furtherPorts);
  const written = writeEnvironment(certs, configuration, urls, output.warn);
  ends.push(() => written.catch(() => {}));
  const identities = Promise.all([complete, written]).then(([all]) => all);
  identities.catch(() => {});

  const token = adminToken(configuration);
  const ports = { api: tls.port, admin: 0 };
  const closing = new AbortController();
  stops.push(() => closing.abort());
  const adminContext = createAdminContext({
    configuration,
    token,
    closing: closing.signal,
    certs,
    store,
    identities,
    service,
    operations,
    lists,
    clock,
    machineClock,
    journal,
    explanations,
    exam: exam && (shared?.exam ?? exam),
    scrapes,
    shared,
    urls,
    ports,
  });
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
