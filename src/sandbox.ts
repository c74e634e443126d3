import { randomBytes } from "node:crypto";
import { createAdminApp } from "./admin/app.js";
import { Closing } from "./admin/closing.js";
import type { AdminContext, Health } from "./admin/context.js";
import { Guard, isLoopback } from "./admin/guard.js";
import { IdentityStore } from "./admin/identities.js";
import { startAdminServer } from "./admin/server.js";
import { createApi } from "./api/app.js";
import { protocolErrorParts } from "./api/error-response.js";
import { createOperations } from "./api/operations.js";
import { AdjustableClock, type Clock, monotonicNow, systemClock } from "./clock.js";
import {
  createIssuer,
  environmentFor,
  keptIdentity,
  openCertificates,
  registerClients,
  registerMisfits,
} from "./composition/certificates.js";
import { failedHandshake, unusedConnection } from "./composition/handshakes.js";
import { protocolExchange } from "./composition/protocol-exchange.js";
import { ServerDefects } from "./composition/server-defects.js";
import { createService, openScenarios } from "./composition/service.js";
import type { Configuration } from "./config/configuration.js";
import { ConsoleLog } from "./journal/console-log.js";
import type { Exchange } from "./journal/exchange.js";
import type { ExplanationContext } from "./journal/explain.js";
import { type HandshakeRecord, Journal } from "./journal/journal.js";
import { compileList } from "./lists/list.js";
import type { Identity } from "./pki/certs.js";
import { canonicalHostname } from "./pki/hostnames.js";
import { certificateFacts } from "./pki/thumbprint.js";
import { startTlsServer } from "./tls/server.js";
import { version } from "./version.js";

/** A sandbox that listens on both of its ports. */
export interface Sandbox {
  /** Base URL of the API. */
  readonly url: string;
  readonly adminUrl: string;
  readonly adminToken: { readonly value: string; readonly made: boolean } | undefined;
  /** What the random decisions of scenarios are drawn from. */
  readonly seed: string;
  readonly caPem: string;
  readonly lists: readonly { readonly name: string; readonly path: string; readonly rows: number }[];
  /** Resolves when every identity is there, rejects when one cannot be made. */
  readonly identities: Promise<readonly Identity[]>;
  readonly journal: Journal;
  /** What the explanations of the journal's entries are made with. */
  readonly explanations: ExplanationContext;
  /** Stops both ports; what is in flight may go on for a grace period in milliseconds. */
  close(gracePeriod: number): Promise<void>;
}

/** Where a sandbox writes what people read while it runs: whole lines. */
export interface Output {
  /** What reached it, as far as the configuration asks for it. */
  log(text: string): void;
  /** Problems that do not stop it, such as a scenario that cannot be read. */
  warn(text: string): void;
  /** Whether the log goes to a terminal that shows colours. */
  readonly colours?: boolean;
}

const standardOutput: Output = {
  log: (text) => process.stdout.write(text),
  warn: (text) => process.stderr.write(text),
  // Node minds NO_COLOR and TERM.
  colours: process.stdout.isTTY === true && process.stdout.hasColors(),
};

/**
 * Starts a sandbox: certificates, clients, tokens, lists, the API and the admin API. The one place that knows every part.
 * @param machineClock stands behind the sandbox's clock; injected by tests
 * @param ownsProcess whether the process is there for the sandbox alone, so that globals of it may be replaced
 * @throws CertsError, ListenError, RegistrationError, ListSettingsError or SettingError, with nothing left running
 */
export async function startSandbox(
  configuration: Configuration,
  machineClock: Clock = systemClock,
  output: Output = standardOutput,
  ownsProcess = false,
): Promise<Sandbox> {
  const startedAt = monotonicNow();
  const lists = Object.entries(configuration.lists).map(([name, settings]) => compileList(name, settings));
  const operations = createOperations(lists, configuration.assumptions);
  // Port 0 is known only once it is bound; any other lets identities appear with their client.env.
  const plannedUrl = configuration.port === 0 ? configuration.publicUrl : publicUrl(configuration, configuration.port);
  const certs = await openCertificates(configuration, plannedUrl, machineClock);
  const seed = configuration.seed ?? randomBytes(6).toString("hex");
  const clock = new AdjustableClock(machineClock);
  const scenarios = await openScenarios(configuration, seed, output.warn);
  const journal = new Journal(configuration.journal);
  const log = new ConsoleLog(configuration.log, configuration.logFormat, output.log, output.colours);

  const record = (exchange: Exchange) => {
    exchange.recordedAt(machineClock.now());
    const number = journal.requests.add(exchange);
    if (log.wants(exchange)) log.exchange({ number, item: exchange }, explanations);
  };
  const recordHandshake = (handshake: HandshakeRecord | undefined) => {
    if (!handshake) return;
    const number = journal.handshakes.add(handshake);
    log.handshake({ number, item: handshake });
  };
  const service = createService(configuration, certs, { clock, scenarios, seed, onExchange: record });
  const { clients } = service;
  const issuer = createIssuer(certs, machineClock);
  const identityStore = new IdentityStore(issuer);
  const explanations: ExplanationContext = {
    clients,
    identity: (thumbprint) => {
      const identity = identityStore.byThumbprint(thumbprint);
      return identity?.folder === undefined ? undefined : { folder: identity.folder, purpose: identity.purpose };
    },
  };
  registerClients(clients, configuration, certs);
  for (const identity of certs.clients) identityStore.add(keptIdentity(identity));
  const complete = certs.complete.then((all) => {
    registerMisfits(clients, all);
    for (const identity of all) identityStore.add(keptIdentity(identity));
    return all;
  });
  complete.catch(() => {});

  const api = createApi(service, operations);
  const defects = new ServerDefects(certs, configuration.hostnames, machineClock, () => scenarios.serverDefect);
  const tls = await startTlsServer({
    hosts: configuration.hosts,
    port: configuration.port,
    certificate: certs.server.certPem,
    key: certs.server.keyPem,
    trustedCas: [certs.caPem, ...configuration.tls.clientCa],
    identityFor: (serverName) => defects.identityFor(serverName),
    clientCertificate: configuration.tls.clientCertificate,
    clock: machineClock,
    overrideGlobalObjects: ownsProcess,
    fetch: (request, env) => api.fetch(request, env),
    protocolError: (problem) => {
      const exchange = protocolExchange(problem, clients, clock);
      const parts = protocolErrorParts(problem, exchange, configuration.assumptions);
      record(exchange);
      return { ...parts, delivery: exchange };
    },
    onHandshakeFailure: (failure) => recordHandshake(failedHandshake(failure, defects.defectFor(failure.serverName))),
    onUnusedConnection: (connection) =>
      recordHandshake(unusedConnection(connection, defects.defectFor(connection.serverName), machineClock)),
  }).catch((error) => {
    scenarios.library.close();
    throw error;
  });

  try {
    const closing = new Closing();
    const token = adminToken(configuration);
    const url = publicUrl(configuration, tls.port);
    const environment = configuration.hostCerts === undefined ? undefined : { url, certsPath: configuration.hostCerts };
    const unwritten = environment && certs.writeEnvironment?.(environment);
    const identities = Promise.all([complete, unwritten]).then(([all]) => all);
    identities.catch(() => {});
    const ports = { api: tls.port, admin: 0 };
    const context: AdminContext = {
      guard: new Guard({
        // As browsers and clients write them in Host, not as a person did in the configuration.
        hostnames: configuration.hostnames.map(canonicalHostname),
        adminHost: configuration.adminHost,
        token: token?.value,
      }),
      closing,
      health: healthOf(identities, startedAt, ports),
      caPem: certs.caPem,
      url: () => url,
      clock,
      clients,
      identities: identityStore,
      readCertificate: certificateFacts,
      environmentOf: (identity, admin) => environmentFor(identity, { url, certsPath: configuration.hostCerts }, admin),
      scenarios,
      initialScenario: configuration.scenario,
      journal,
      explanations,
      assumptions: configuration.assumptions,
      openApi: async () =>
        (await import("./api/openapi.js")).openApi({ operations, lists, assumptions: configuration.assumptions, url }),
    };
    const admin = await startAdminServer(createAdminApp(context), configuration.adminHost, configuration.adminPort);
    ports.admin = admin.port;
    try {
      const problem = await unwritten;
      if (problem) {
        output.warn(`payments-sandbox: ${problem.message} What is there may name another address than ${url}.\n`);
      }
    } catch (error) {
      await admin.close(0);
      throw error;
    }
    // The first token need not wait for the library that signs it.
    service.tokens.warmUp().catch(() => {});
    scenarios.library.read().catch(() => {});
    return {
      url,
      adminUrl: `http://${isLoopback(configuration.adminHost) ? "localhost" : urlHost(configuration.adminHost)}:${admin.port}`,
      adminToken: token,
      seed,
      caPem: certs.caPem,
      lists: lists.map((list) => ({ name: list.name, path: list.path, rows: list.dataset.count })),
      identities,
      journal,
      explanations,
      close: async (gracePeriod) => {
        closing.begin();
        scenarios.library.close();
        await Promise.all([tls.close({ gracePeriodMs: gracePeriod }), admin.close(gracePeriod), issuer.close()]);
      },
    };
  } catch (error) {
    scenarios.library.close();
    await tls.close({ gracePeriodMs: 0 });
    throw error;
  }
}

function healthOf(identities: Promise<unknown>, startedAt: number, ports: Health["ports"]): () => Health {
  let state: Health["identities"] = "pending";
  identities.then(
    () => {
      state = "ready";
    },
    () => {
      state = "failed";
    },
  );
  const status = { ready: "ok", pending: "starting", failed: "failed" } as const;
  return () => ({
    status: status[state],
    identities: state,
    version,
    uptime: Math.round((monotonicNow() - startedAt) / 1000),
    ports,
  });
}

/** A token that was given is never printed; one is made only where it is demanded. */
function adminToken({ adminAuth, adminHost, adminToken: given }: Configuration): Sandbox["adminToken"] {
  const local = isLoopback(adminHost) || adminHost === "localhost";
  if (adminAuth === "none" || (adminAuth === "auto" && local)) return undefined;
  return given === undefined
    ? { value: randomBytes(24).toString("base64url"), made: true }
    : { value: given, made: false };
}

/** The base URL that clients use. */
function publicUrl({ publicUrl: given, hosts }: Configuration, port: number): string {
  return given ?? `https://${urlHost(hosts[0])}:${port}`;
}

/** How a URL names a bound address: `localhost` for loopback and for all addresses. */
function urlHost(host: string | undefined): string {
  if (host === undefined || host === "0.0.0.0" || host === "::" || isLoopback(host)) return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
