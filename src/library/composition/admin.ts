import { randomBytes } from "node:crypto";
import { setMaxListeners } from "node:events";
import type { Health } from "../../admin/common-schemas.js";
import type { AdminContext } from "../../admin/context.js";
import { Guard } from "../../admin/guard.js";
import { version } from "../../base/files/version.js";
import type { Service } from "../../sandbox/api/service.js";
import { monotonicNow } from "../../sandbox/clock.js";
import type { Configuration } from "../../sandbox/config/configuration.js";
import { addressInUrl, isLoopback, reachableAddress } from "../../sandbox/connection/addresses.js";
import { defectUrlsFrom } from "../../sandbox/connection/server-defect.js";
import { certificateFacts } from "../../sandbox/pki/certificate-facts.js";
import type { Identity } from "../../sandbox/pki/certs.js";
import { canonicalHostname } from "../../sandbox/pki/hostnames.js";
import { sendToOwnApi } from "../../sandbox/tls/own-request.js";
import { type ApiUrls, environmentFor } from "./certificates.js";
import type { Foundation, Records } from "./foundation.js";

/**
 * The base URLs that clients use.
 * @param defectPorts in the order of `serverDefects`; empty for none
 */
export function apiUrls(configuration: Configuration, port: number, defectPorts: readonly number[]): ApiUrls {
  const url = publicUrl(configuration, port);
  const defectUrls = defectUrlsFrom((_, index) => {
    const each = defectPorts[index];
    if (each === undefined) return undefined;
    const other = new URL(url);
    other.port = String(each);
    return other.origin + configuration.basePath;
  });
  return { url, defectUrls };
}

/** The base URL of the API that clients use. */
function publicUrl({ publicUrl: given, hosts, basePath }: Configuration, port: number): string {
  return (given ?? `https://${urlHost(hosts[0])}:${port}`) + basePath;
}

/** The base URL of the admin API. */
export function adminUrl({ adminHosts }: Configuration, port: number): string {
  return `http://${urlHost(adminHosts[0])}:${port}`;
}

/** How a URL names a bound address: `localhost` for loopback and for all addresses. */
function urlHost(host = "127.0.0.1"): string {
  const address = reachableAddress(host);
  return isLoopback(address) ? "localhost" : addressInUrl(address);
}

/** The token that the admin API demands. A configured one is never printed. */
export interface AdminToken {
  readonly value: string;
  /** Whether it was made by this start, because none was given. */
  readonly made: boolean;
}

/** The token of the admin API; undefined if it demands none. */
export function adminToken({ adminAuth, adminHosts, adminToken: given }: Configuration): AdminToken | undefined {
  const local = adminHosts.every((host) => isLoopback(host) || host === "localhost");
  if (adminAuth === "none" || (adminAuth === "auto" && local)) return undefined;
  return given === undefined
    ? { value: randomBytes(24).toString("base64url"), made: true }
    : { value: given, made: false };
}

/** The guard of the admin API. It knows the host names as browsers and clients write them in `Host`. */
function createGuard({ hostnames, adminHosts }: Configuration, token: AdminToken | undefined): Guard {
  return new Guard({ hostnames: hostnames.map(canonicalHostname), adminHosts, token: token?.value });
}

/** What the admin API needs besides the other parts of the sandbox. */
interface AdminParts {
  readonly token: AdminToken | undefined;
  /** Aborted when the sandbox stops. */
  readonly closing: AbortSignal;
  readonly identities: Promise<readonly Identity[]>;
  readonly urls: ApiUrls;
  /** That of the admin API is 0 until it listens. */
  readonly ports: { readonly api: number; readonly admin: number };
}

/** What the routes of the admin API work with. */
export function createAdminContext(
  {
    configuration,
    machineClock,
    operations,
    shared,
    clock,
    clients,
    identities,
    scenarios,
    serverCertificates,
  }: Foundation,
  { journal, explanations, exam, metrics, keeper }: Records,
  { basePath, assumptions, store }: Service,
  parts: AdminParts,
): AdminContext {
  const { closing, urls, ports } = parts;
  const { url } = urls;
  const [apiHost = "127.0.0.1"] = configuration.hosts;
  const ownApi = { host: reachableAddress(apiHost), port: ports.api };
  // Each stream of the admin API listens to it: more than ten listeners are not a leak.
  setMaxListeners(0, closing);
  return {
    guard: createGuard(configuration, parts.token),
    closing,
    streams: new Set(),
    health: healthOf(parts.identities, ports, configuration, () => store.unavailable()),
    serverCertificates,
    url: () => url,
    sendToApi: (identity, text, signal) =>
      sendToOwnApi({ ...ownApi, ca: serverCertificates.caPem }, identity, text, signal),
    clock,
    machineClock,
    clients,
    identities: identities.store,
    readCertificate: certificateFacts,
    filesOf: identities.filesOf,
    finishFiles: identities.finishFiles,
    environmentOf: (identity, admin) =>
      environmentFor(identity, { ...urls, certsPath: configuration.hostCerts }, admin),
    scenarios,
    initialScenario: configuration.scenario,
    journal,
    removeEntries: (chosen) => (shared ?? journal).remove(chosen),
    explanations,
    exam: exam && (shared?.exam ?? keeper?.following(exam) ?? exam),
    metrics,
    assumptions,
    store,
    ...describing({ operations, assumptions, basePath, url }),
  };
}

/** What follows from the configuration alone: paths, documents and pages. What they need is loaded when it is asked for. */
export function describing({
  operations,
  assumptions,
  basePath,
  url,
}: Pick<Foundation, "operations"> & Pick<Service, "assumptions" | "basePath"> & { readonly url: string }) {
  return {
    pathOf(name, list) {
      const operation = operations.find((one) => one.name === name && one.list === list);
      return operation && basePath + operation.path.text;
    },
    checkPages: async (shipped) => (await import("../../exam/check-page.js")).checkPages(shipped),
    openApi: async () => (await import("../../sandbox/api/openapi.js")).openApi({ operations, assumptions, url }),
    adminOpenApi: async () => (await import("../../admin/openapi.js")).adminOpenApi(version),
  } satisfies Partial<AdminContext>;
}

/**
 * Reports the health of a sandbox. It is `ok` once all identities exist.
 * @param unavailable why the state that it shares with others cannot be reached; undefined if it can, or if it shares
 *   no state
 */
function healthOf(
  identities: Promise<unknown>,
  ports: Health["ports"],
  { tlsMinVersion, tlsMaxVersion }: Pick<Configuration, "tlsMinVersion" | "tlsMaxVersion">,
  unavailable: () => string | undefined,
): () => Health {
  const startedAt = monotonicNow();
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
  return () => {
    const reason = unavailable();
    return {
      status: reason === undefined || state !== "ready" ? status[state] : "unavailable",
      ...(reason !== undefined && { reason }),
      identities: state,
      version,
      uptime: Math.round((monotonicNow() - startedAt) / 1000),
      ports,
      tls: { minVersion: tlsMinVersion, maxVersion: tlsMaxVersion },
    };
  };
}
