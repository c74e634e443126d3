import { randomBytes } from "node:crypto";
import { type AdminContext, createAdminApp, type Health } from "./admin/app.js";
import { Guard, isLoopback } from "./admin/guard.js";
import { type AdminServer, startAdminServer } from "./admin/server.js";
import { createApi } from "./api/app.js";
import { CorrelationRule } from "./api/correlation.js";
import { protocolErrorParts } from "./api/error-response.js";
import { createOperations } from "./api/operations.js";
import type { Service } from "./api/service.js";
import { ClientRegistry } from "./clients.js";
import { AdjustableClock, type Clock, monotonicNow, systemClock } from "./clock.js";
import type { Configuration } from "./config/configuration.js";
import { SettingError } from "./config/settings.js";
import { cursorKeys } from "./lists/cursor.js";
import { compileList } from "./lists/list.js";
import type { CertificateSet, Identity } from "./pki/certs.js";
import { openCerts } from "./pki/folder.js";
import { thumbprint } from "./pki/thumbprint.js";
import { ScenarioEngine, unknownScenarioMessage } from "./scenarios/engine.js";
import { builtInScenarios, ScenarioLibrary } from "./scenarios/library.js";
import { startTlsServer } from "./tls/server.js";
import { TokenService } from "./tokens/token-service.js";
import { version } from "./version.js";
import { formatProblem } from "./yaml/document.js";

/** A sandbox that listens on both of its ports. */
export interface Sandbox {
  /** Base URL of the API. */
  readonly url: string;
  readonly adminUrl: string;
  /** What the random decisions of scenarios are drawn from. */
  readonly seed: string;
  readonly adminToken: { readonly value: string; readonly made: boolean } | undefined;
  readonly lists: readonly { readonly name: string; readonly path: string; readonly rows: number }[];
  /** Resolves when every identity is there, rejects when one cannot be made. */
  readonly identities: Promise<readonly Identity[]>;
  /** Stops both ports; what is in flight may go on for a grace period in milliseconds. */
  close(gracePeriod: number): Promise<void>;
}

/**
 * Starts a sandbox: certificates, clients, tokens, lists, the API and the admin API. The one place that knows every part.
 * @throws CertsError, ListenError, RegistrationError or ListSettingsError, with nothing left running
 */
export async function startSandbox(configuration: Configuration, machineClock: Clock = systemClock): Promise<Sandbox> {
  const startedAt = monotonicNow();
  const lists = Object.entries(configuration.lists).map(([name, settings]) => compileList(name, settings));
  const certs = await openCerts({
    directory: configuration.certs,
    hostnames: configuration.hostnames,
    keyType: configuration.keyType,
    fresh: configuration.freshCerts,
    clock: machineClock,
  });
  const seed = configuration.seed ?? randomBytes(6).toString("hex");
  const scenarios = await openScenarios(configuration, seed);
  const service = createService(configuration, certs, new AdjustableClock(machineClock), scenarios, seed);
  registerClients(service.clients, configuration, certs);
  const identities = certs.complete.then((all) => registerMisfits(service.clients, all));
  identities.catch(() => {});
  const api = createApi(service, createOperations(lists, configuration.assumptions));

  const tls = await startTlsServer({
    hosts: configuration.hosts,
    port: configuration.port,
    certificate: certs.server.certPem,
    key: certs.server.keyPem,
    trustedCas: [certs.caPem, ...configuration.tls.clientCa],
    clientCertificate: configuration.tls.clientCertificate,
    clock: machineClock,
    fetch: (request, env) => api.fetch(request, env),
    protocolError: (problem) => protocolErrorParts(problem, service.assumptions),
  });
  try {
    const token = adminToken(configuration);
    let state: Health["identities"] = "pending";
    identities.then(
      () => (state = "ready"),
      () => (state = "failed"),
    );
    const ports = { api: tls.port, admin: 0 };
    const admin = await startAdmin(configuration, {
      guard: new Guard({ hostnames: configuration.hostnames, adminHost: configuration.adminHost, token: token?.value }),
      caPem: certs.caPem,
      health: () => ({
        status: ({ ready: "ok", pending: "starting", failed: "failed" } as const)[state],
        identities: state,
        version,
        uptime: Math.round((monotonicNow() - startedAt) / 1000),
        ports,
      }),
    });
    ports.admin = admin.port;
    const url = configuration.publicUrl ?? `https://${urlHost(configuration.hosts)}:${tls.port}`;
    await certs.writeEnvironment({ url, certsPath: configuration.hostCerts });
    void service.tokens.warmUp();
    return {
      url,
      adminUrl: `http://${isLoopback(configuration.adminHost) ? "localhost" : urlHost([configuration.adminHost])}:${admin.port}`,
      adminToken: token,
      seed,
      lists: lists.map((list) => ({ name: list.name, path: list.path, rows: list.dataset.count })),
      identities,
      close: async (gracePeriod) => {
        scenarios.library.close();
        await Promise.all([tls.close({ gracePeriodMs: gracePeriod }), admin.close(gracePeriod)]);
      },
    };
  } catch (error) {
    scenarios.library.close();
    await tls.close({ gracePeriodMs: 0 });
    throw error;
  }
}

/** Opens the scenarios and activates the one that was asked for. @throws SettingError when it is not there */
async function openScenarios({ scenarios, scenario }: Configuration, seed: string): Promise<ScenarioEngine> {
  const library = await ScenarioLibrary.open({
    builtIn: builtInScenarios,
    folder: scenarios,
    onBroken: (problems) => process.stderr.write(`payments-sandbox: ${problems.map(formatProblem).join("\n")}\n`),
  });
  const engine = new ScenarioEngine(library, seed);
  if (scenario !== undefined && !library.scenario(scenario)) {
    library.close();
    throw new SettingError(unknownScenarioMessage(scenario, library));
  }
  engine.activeForAll = scenario;
  return engine;
}

function createService(
  configuration: Configuration,
  certs: CertificateSet,
  clock: AdjustableClock,
  scenarios: ScenarioEngine,
  seed: string,
): Service {
  const { assumptions } = configuration;
  return {
    scenarios,
    clock,
    clients: new ClientRegistry(clock, seed),
    tokens: new TokenService({ signingKeyPem: certs.tokenSigningKeyPem, ...assumptions.values["token.format"] }),
    assumptions,
    correlation: new CorrelationRule(assumptions),
    cursorKeys: cursorKeys(certs.cursorKey),
    bodyLimit,
  };
}

/** A token request is some hundred bytes; 64 KiB is what many servers grant a form. */
const bodyLimit = 65_536;

function registerClients(clients: ClientRegistry, configuration: Configuration, certs: CertificateSet): void {
  for (const { clientId, certPem } of certs.clients) {
    clients.register({ id: clientId, thumbprints: [thumbprint(certPem)], scopes: ["read"] });
  }
  for (const { clientId, certificates, scopes, grantTypes } of configuration.clients) {
    clients.register({ id: clientId, thumbprints: certificates.map(thumbprint), scopes, grantTypes });
  }
}

/** Some misfits are registered, so that nothing but their own defect has them refused. */
function registerMisfits(clients: ClientRegistry, identities: readonly Identity[]): readonly Identity[] {
  for (const { kind, registered, clientId, certPem } of identities) {
    const client = clients.get(clientId);
    if (kind === "misfit" && registered && client) clients.addCertificate(client, thumbprint(certPem));
  }
  return identities;
}

/** A token that was given is never printed; one is made only where it is demanded. */
function adminToken({ adminAuth, adminHost, adminToken: given }: Configuration): Sandbox["adminToken"] {
  const demanded =
    adminAuth === "token" || (adminAuth === "auto" && !isLoopback(adminHost) && adminHost !== "localhost");
  if (!demanded) return undefined;
  return given === undefined
    ? { value: randomBytes(24).toString("base64url"), made: true }
    : { value: given, made: false };
}

function startAdmin(configuration: Configuration, context: AdminContext): Promise<AdminServer> {
  return startAdminServer(createAdminApp(context), configuration.adminHost, configuration.adminPort);
}

/** How a URL names a bound address: `localhost` for loopback and for all addresses. */
function urlHost([host]: readonly string[]): string {
  if (host === undefined || host === "0.0.0.0" || host === "::" || isLoopback(host)) return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
