import { setMaxListeners } from "node:events";
import type { AdminContext } from "../admin/context.js";
import type { Operation, Service } from "../api/service.js";
import type { AdjustableClock, Clock } from "../clock.js";
import type { Configuration } from "../config/configuration.js";
import { version } from "../files/version.js";
import type { ExplanationContext } from "../journal/explanation-context.js";
import type { Journal } from "../journal/journal.js";
import type { List } from "../lists/list.js";
import { certificateFacts } from "../pki/certificate-facts.js";
import type { CertificateSet, Identity } from "../pki/certs.js";
import { sendToOwnApi } from "../tls/own-request.js";
import { type ApiUrls, ownHost } from "./addresses.js";
import { type AdminToken, createGuard } from "./admin-access.js";
import { environmentFor } from "./certificates.js";
import { healthOf } from "./health.js";
import type { Scrapes } from "./scrapes.js";

/** What the admin API is made of. */
interface AdminParts {
  readonly configuration: Configuration;
  readonly token: AdminToken | undefined;
  /** Aborted when the sandbox stops. */
  readonly closing: AbortSignal;
  readonly certs: CertificateSet;
  readonly store: AdminContext["identities"];
  readonly identities: Promise<readonly Identity[]>;
  readonly service: Service;
  readonly operations: readonly Operation[];
  readonly lists: readonly List[];
  readonly clock: AdjustableClock;
  readonly machineClock: Clock;
  readonly journal: Journal;
  readonly explanations: ExplanationContext;
  readonly exam: AdminContext["exam"];
  readonly scrapes: Scrapes;
  readonly shared: AdminContext["shared"];
  readonly urls: ApiUrls;
  /** That of the admin API is 0 until it listens. */
  readonly ports: { readonly api: number; readonly admin: number };
}

/** What the routes of the admin API work with. */
export function createAdminContext(parts: AdminParts): AdminContext {
  const { configuration, closing, certs, service, operations, lists, shared, urls, ports } = parts;
  const { basePath, clients, scenarios, assumptions } = service;
  const { url } = urls;
  // Each stream of the admin API listens to it: more than ten listeners are not a leak.
  setMaxListeners(0, closing);
  return {
    guard: createGuard(configuration, parts.token),
    closing,
    streams: new Set(),
    health: healthOf(parts.identities, ports, () => shared?.unavailable()),
    caPem: certs.caPem,
    url: () => url,
    sendToApi: (identity, text, signal) =>
      sendToOwnApi({ host: ownHost(configuration.hosts[0]), port: ports.api, ca: certs.caPem }, identity, text, signal),
    clock: parts.clock,
    machineClock: parts.machineClock,
    pathOf(name, list) {
      const operation = operations.find((one) => one.name === name && one.list === list);
      return operation && basePath + operation.path.text;
    },
    clients,
    identities: parts.store,
    readCertificate: certificateFacts,
    environmentOf: (identity, admin) =>
      environmentFor(identity, { ...urls, certsPath: configuration.hostCerts }, admin),
    scenarios,
    initialScenario: configuration.scenario,
    journal: parts.journal,
    explanations: parts.explanations,
    exam: parts.exam,
    metrics: (format) => parts.scrapes.answer(format),
    assumptions,
    shared,
    openApi: async () => (await import("../api/openapi.js")).openApi({ operations, lists, assumptions, url }),
    adminOpenApi: async () => (await import("../admin/openapi.js")).adminOpenApi(version),
  };
}
