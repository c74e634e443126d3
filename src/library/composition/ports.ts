import { createAdminApp } from "../../admin/app.js";
import type { AdminContext } from "../../admin/context.js";
import { measureState } from "../../admin/metrics/traffic.js";
import { adminLimits, startAdminServer } from "../../admin/server.js";
import type { Service } from "../../sandbox/api/service.js";
import type { Identity } from "../../sandbox/pki/certs.js";
import { type ApiUrls, adminUrl, apiUrls } from "./addresses.js";
import { type AdminToken, adminToken } from "./admin-access.js";
import { createAdminContext } from "./admin-context.js";
import { startApiServer } from "./api-server.js";
import { writeEnvironment } from "./certificates.js";
import type { Close, Closers } from "./closers.js";
import type { Foundation } from "./foundation.js";
import type { Records } from "./records.js";

/** Both ports of a sandbox, and what depends on their numbers. */
interface Ports {
  readonly urls: ApiUrls;
  readonly adminUrl: string;
  readonly adminToken: AdminToken | undefined;
  readonly adminContext: AdminContext;
  /** Resolves when every identity exists and the files of the certificates folder name the ports. */
  readonly identities: Promise<readonly Identity[]>;
}

/**
 * Opens the API and the admin API, and writes their addresses into the certificates folder.
 * @param ownsProcess whether the process runs nothing but the sandbox, so that its globals may be replaced
 * @throws ListenError or CertsError. `closers` then knows what is open
 */
export async function openPorts(
  foundation: Foundation,
  records: Records,
  service: Service,
  closers: Closers,
  ownsProcess: boolean,
): Promise<Ports> {
  const { configuration, certs, shared, output } = foundation;
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
  const said = new Set<string>();
  const warn = (text: string) => {
    if (!said.has(text)) output.warn(`payments-sandbox: ${text}\n`);
    said.add(text);
  };
  const write = () => writeEnvironment(certs, configuration, urls, warn);
  const written = write();
  // Those of the misfits, which a first start makes in the background.
  const identities = Promise.all([foundation.identities.complete, written]).then(([all]) => write().then(() => all));
  open.push(() => identities.catch(() => {}));
  identities.catch(() => {});

  const token = adminToken(configuration);
  const ports = { api: api.port, admin: 0 };
  const adminContext = createAdminContext(foundation, records, service, {
    token,
    closing: closing.signal,
    identities,
    urls,
    ports,
  });
  const admin = await startAdminServer(
    createAdminApp(adminContext),
    configuration.adminHosts,
    configuration.adminPort,
    {
      ...adminLimits,
      mostConnections: foundation.connections.admin,
    },
  );
  open.push((gracePeriod) => admin.close(gracePeriod));
  ports.admin = admin.port;
  await written;
  return { urls, adminUrl: adminUrl(configuration, admin.port), adminToken: token, adminContext, identities };
}
