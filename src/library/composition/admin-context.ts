import { setMaxListeners } from "node:events";
import type { Health } from "../../admin/common-schemas.js";
import type { AdminContext } from "../../admin/context.js";
import { version } from "../../base/files/version.js";
import type { Service } from "../../sandbox/api/service.js";
import { monotonicNow } from "../../sandbox/clock.js";
import type { Configuration } from "../../sandbox/config/configuration.js";
import { certificateFacts } from "../../sandbox/pki/certificate-facts.js";
import type { Identity } from "../../sandbox/pki/certs.js";
import { sendToOwnApi } from "../../sandbox/tls/own-request.js";
import { type ApiUrls, ownHost } from "./addresses.js";
import { type AdminToken, createGuard } from "./admin-access.js";
import { environmentFor } from "./certificates.js";
import type { Foundation } from "./foundation.js";
import type { Records } from "./records.js";

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
  { journal, explanations, exam, metrics }: Records,
  { basePath, assumptions, store }: Service,
  parts: AdminParts,
): AdminContext {
  const { closing, urls, ports } = parts;
  const { url } = urls;
  const ownApi = { host: ownHost(configuration.hosts[0]), port: ports.api };
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
    pathOf(name, list) {
      const operation = operations.find((one) => one.name === name && one.list === list);
      return operation && basePath + operation.path.text;
    },
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
    exam: exam && (shared?.exam ?? exam),
    checkPages: async (shipped) => (await import("../../exam/check-page.js")).checkPages(shipped),
    metrics,
    assumptions,
    store,
    openApi: async () => (await import("../../sandbox/api/openapi.js")).openApi({ operations, assumptions, url }),
    adminOpenApi: async () => (await import("../../admin/openapi.js")).adminOpenApi(version),
  };
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
  unavailable: () => string | undefined = () => undefined,
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
