import { X509Certificate } from "node:crypto";
import type { Item } from "../../admin/call-types.js";
import { readEnvironment } from "../../base/text/environment.js";
import { printable } from "../../base/text/printable.js";
import { splitPem } from "../../base/x509/certificate.js";
import { AdminClient } from "../../library/admin-client.js";
import type { ClientInfo, ClockState } from "../../library/answers.js";
import { basePathOf, portOf } from "../../library/base-url.js";
import { SandboxError } from "../../library/error.js";
import { defectVariable, serverDefects } from "../../sandbox/connection/server-defect.js";
import { describeVersions, type TlsVersionRange } from "../../sandbox/connection/tls-version.js";
import { certificateFacts } from "../../sandbox/pki/certificate-facts.js";
import type { Inputs } from "./inputs.js";
import type { DoctorReport } from "./report.js";

/** What the sandbox itself knows, from its admin API. */
export interface SandboxView {
  readonly admin: AdminClient;
  /** Its CA, and the next one when that is announced. */
  readonly authorities: readonly X509Certificate[];
  /** The port of the API, if the port that was given has a defective certificate on purpose. */
  readonly usualApiPort: string | undefined;
  /** Before every path of the API: `/business/api`, or nothing. */
  readonly basePath: string;
  readonly clients: readonly ClientInfo[];
  /** The client for which the certificate is registered. */
  readonly holder: ClientInfo | undefined;
  /** Where the certificate is in the certs folder, and what it is for; undefined for any other certificate. */
  readonly standing: StandingIdentity | undefined;
  /** The clock that the client sees, if it was moved. */
  readonly movedClock: { readonly now: string; readonly mode: string; readonly fix: string } | undefined;
  /** The scenario that is active for the client, and what ends it. */
  readonly scenario: { readonly name: string | null; readonly end: string };
}

/** What the checks share after the request to the admin API. */
export interface Examination {
  readonly report: DoctorReport;
  /** Undefined if the admin API does not answer. */
  readonly sandbox: SandboxView | undefined;
}

type StandingIdentity = Item<"GET /identities">;

/** The default of the admin port. */
const usualPort = 8090;

/** Asks the admin API; undefined, after a report, if it does not answer or belongs to another sandbox. */
export async function lookAtSandbox(
  { url, adminUrl, adminToken }: Inputs,
  leaf: X509Certificate | undefined,
  report: DoctorReport,
): Promise<SandboxView | undefined> {
  const admin = new AdminClient(adminUrl ?? `http://${url.hostname}:${usualPort}`, adminToken);
  try {
    const authorities = splitPem(await admin.text("/ca.pem")).map((pem) => new X509Certificate(pem));
    const port = portOf(url);
    const { own, defective, basePath, versions } = await apiPorts(admin);
    if (!own.includes(port) && !defective.includes(port)) {
      const text = `The admin API at ${admin.shown} belongs to another sandbox, whose API is on port ${own.join(" or ")}.`;
      if (adminUrl === undefined) report.skip(`${text} It is not used; name the right one with --admin-url.`);
      else report.warn(text, "Give --url and --admin-url of the same sandbox.");
      admin.close();
      return undefined;
    }
    const view = await viewOf(
      admin,
      { authorities, basePath, usualApiPort: defective.includes(port) ? own[0] : undefined },
      leaf,
    );
    report.pass(`The sandbox's admin API answers at ${admin.shown}.`);
    report.pass(`The API accepts ${describeVersions(versions)} (tls.minVersion, tls.maxVersion).`);
    return view;
  } catch (error) {
    admin.close();
    if (error instanceof SandboxError && error.code === "ADMIN_TOKEN_REQUIRED")
      report.warn(
        `The admin API at ${admin.shown} requires its token, so it is not used.`,
        "Give it with --admin-token.",
      );
    else {
      // Another program on this port may answer in any form.
      const text =
        error instanceof SandboxError && error.code === "UNREACHABLE"
          ? `No admin API answers at ${admin.shown}.`
          : `What listens at ${admin.shown} is not the admin API of a sandbox (${printable((error as Error).message, 200)}).`;
      if (adminUrl === undefined) report.skip(`${text} Name it with --admin-url: the sandbox can explain more.`);
      else report.warn(text, "Give its URL with --admin-url; it is printed at the start.");
    }
    return undefined;
  }
}

async function viewOf(
  admin: AdminClient,
  known: Pick<SandboxView, "authorities" | "basePath" | "usualApiPort">,
  leaf: X509Certificate | undefined,
): Promise<SandboxView> {
  const thumbprint = leaf && certificateFacts(leaf.toString()).thumbprint;
  const [clients, identities, clock] = await Promise.all([
    admin.all("GET /clients"),
    admin.call("GET /identities", {}),
    admin.call("GET /clock", {}),
  ]);
  const holder = clients.find(({ certificates }) => certificates.some((held) => held.thumbprint === thumbprint));
  const found = identities.items.find((identity) => identity.thumbprint === thumbprint);
  const path = holder ? `/clients/${encodeURIComponent(holder.clientId)}` : "";
  const { name, source } = await admin.call("GET /scenario", { client: holder?.clientId });
  return {
    ...known,
    admin,
    clients,
    holder,
    standing: found?.folder ? found : undefined,
    movedClock: movedClock(admin.shown, holder, clock),
    scenario: { name, end: `curl -X DELETE ${admin.shown}${source === "client" ? path : ""}/scenario` },
  };
}

/** A client's own clock takes precedence over the sandbox's. */
function movedClock(adminUrl: string, holder: ClientInfo | undefined, clock: ClockState): SandboxView["movedClock"] {
  const own = holder !== undefined && holder.clock.mode !== "real";
  const { mode } = own ? holder.clock : clock;
  if (mode === "real") return undefined;
  const path = own ? `/clients/${holder.clientId}/clock` : "/clock";
  return {
    mode,
    now: holder?.clock.now ?? clock.now,
    fix: `Return it to real time: curl -X DELETE ${adminUrl}${path}`,
  };
}

/**
 * The ports of the API: the one that it listens on, and the one in `client.env`, which differs with a container's port
 * mapping. Also the ports with a defective certificate, the base path, and the versions of TLS.
 */
async function apiPorts(
  admin: AdminClient,
): Promise<{ own: string[]; defective: string[]; basePath: string; versions: TlsVersionRange }> {
  const environment = readEnvironment(await admin.text("/identities/demo/client.env").catch(() => ""));
  const urls = (...names: string[]) =>
    names.flatMap((name) => environment.get(name) ?? []).map((text) => new URL(text));
  const usual = urls("SANDBOX_URL");
  const { ports, tls } = await admin.call("GET /health", { accept: 503 });
  return {
    own: [...new Set([...usual.map(portOf), String(ports.api)])],
    defective: urls(...serverDefects.map(defectVariable)).map(portOf),
    basePath: usual[0] === undefined ? "" : basePathOf(usual[0]),
    versions: { min: tls.minVersion, max: tls.maxVersion },
  };
}
