import { X509Certificate } from "node:crypto";
import { readEnvironment } from "../../base/text/environment.js";
import { printable } from "../../base/text/printable.js";
import { splitPem } from "../../base/x509/certificate.js";
import { AdminClient } from "../../library/admin-client.js";
import type { ClientInfo, ClockState } from "../../library/answers.js";
import { basePathOf, portOf } from "../../library/base-url.js";
import { SandboxError } from "../../library/error.js";
import { defectVariable, serverDefects } from "../../sandbox/connection/server-defect.js";
import type { TlsVersionRange } from "../../sandbox/connection/tls-version.js";
import { certificateFacts } from "../../sandbox/pki/certificate-facts.js";
import type { MovedClock, Patient, SandboxView } from "./patient.js";
import { type Finding, good, skipped, unusual } from "./report.js";

/** The default of the admin port. */
const usualPort = 8090;

/** Asks the admin API, unless it does not answer or belongs to another sandbox. */
export async function lookAtSandbox(patient: Patient): Promise<Finding> {
  const { url, adminUrl, adminToken } = patient.inputs;
  const admin = new AdminClient(adminUrl ?? `http://${url.hostname}:${usualPort}`, adminToken);
  // Nobody has named it: then it may be another program.
  const other = (text: string, hint: string, fix: string) =>
    adminUrl === undefined ? skipped(`${text} ${hint}`) : unusual(text, fix);
  try {
    const authorities = splitPem(await admin.text("/ca.pem")).map((pem) => new X509Certificate(pem));
    const port = portOf(url);
    const { own, defective, ...known } = await apiPorts(admin);
    if (!own.includes(port) && !defective.includes(port)) {
      admin.close();
      return other(
        `The admin API at ${admin.shown} belongs to another sandbox, whose API is on port ${own.join(" or ")}.`,
        "It is not used; name the right one with --admin-url.",
        "Give --url and --admin-url of the same sandbox.",
      );
    }
    const usualApiPort = defective.includes(port) ? own[0] : undefined;
    patient.sandbox = await viewOf(admin, { authorities, usualApiPort, ...known }, patient.leaf);
    return good(`The sandbox's admin API answers at ${admin.shown}.`);
  } catch (error) {
    admin.close();
    const code = error instanceof SandboxError ? error.code : undefined;
    if (code === "ADMIN_TOKEN_REQUIRED")
      return unusual(
        `The admin API at ${admin.shown} requires its token, so it is not used.`,
        "Give it with --admin-token.",
      );
    return other(
      code === "UNREACHABLE"
        ? `No admin API answers at ${admin.shown}.`
        : `What listens at ${admin.shown} is not the admin API of a sandbox (${printable((error as Error).message, 200)}).`,
      "Name it with --admin-url: the sandbox can explain more.",
      "Give its URL with --admin-url; it is printed at the start.",
    );
  }
}

async function viewOf(
  admin: AdminClient,
  known: Pick<SandboxView, "authorities" | "basePath" | "usualApiPort" | "versions">,
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
    movedClocks: movedClocks(admin.shown, holder, clock),
    scenario: { name, end: `curl -X DELETE ${admin.shown}${source === "client" ? path : ""}/scenario` },
  };
}

function movedClocks(adminUrl: string, holder: ClientInfo | undefined, clock: ClockState): MovedClock[] {
  const own = holder ? `clock of the client "${holder.clientId}"` : "";
  const of = (title: string, name: string, { mode, now }: ClockState, path: string) => {
    const fix = `Return it to real time: curl -X DELETE ${adminUrl}${path}/clock`;
    return mode === "real" ? [] : [{ title, name, mode, now, fix }];
  };
  return [
    ...of("The sandbox's own clock", "the sandbox's clock", clock, ""),
    ...(holder ? of(`The ${own}`, `the ${own}`, holder.clock, `/clients/${encodeURIComponent(holder.clientId)}`) : []),
  ];
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
