import type { Clock } from "../clock.js";
import type { CertificateSet } from "../pki/certs.js";
import type { ServerDefect } from "../scenarios/definition.js";
import type { ServerCertificate } from "../tls/tls-options.js";

/** Host names under which the server shows a certificate with a defect: a client that connects has a security bug. */
const defectNames: Readonly<Record<string, ServerDefect>> = {
  "expired.localhost": "expired",
  "wrong-host.localhost": "wrong-host",
  "untrusted.localhost": "untrusted",
};

/** Tells which defect a connection meets, and which certificate it is shown. */
export interface ServerDefects {
  /** The defect that a client meets under a host name, or without one; undefined for none. */
  defectFor(serverName: string | undefined): ServerDefect | undefined;
  /** The certificate to show; undefined for the usual one. It is issued when it is first asked for. */
  certificateFor(serverName: string | undefined): Promise<ServerCertificate> | undefined;
}

/**
 * Chooses the server's certificate where a defect is asked for, by host name or by the scenario for all.
 * @param hostnames configured names of the server
 * @param clock the machine's: clients judge by it
 * @param activeDefect what the scenario that is active for all asks for
 */
export function serverDefects(
  certs: CertificateSet,
  hostnames: readonly string[],
  clock: Clock,
  activeDefect: () => ServerDefect | undefined,
): ServerDefects {
  const issued = new Map<ServerDefect, Promise<ServerCertificate>>();
  const issue = async (defect: ServerDefect): Promise<ServerCertificate> => {
    const { issueDefectiveServer } = await import("../pki/issue.js");
    const { certPem, keyPem } = await issueDefectiveServer(await certs.authority(), defect, {
      hostnames: [...hostnames, ...Object.keys(defectNames)],
      now: clock.now(),
    });
    return { certificate: certPem, key: keyPem };
  };
  const defectFor = (serverName: string | undefined) =>
    (serverName === undefined ? undefined : defectNames[serverName.toLowerCase()]) ?? activeDefect();
  return {
    defectFor,
    certificateFor: (serverName) => {
      const defect = defectFor(serverName);
      if (defect === undefined) return undefined;
      let certificate = issued.get(defect);
      if (!certificate) {
        certificate = issue(defect);
        issued.set(defect, certificate);
        // Without the key of the CA nothing is issued. The next connection may find the key there.
        certificate.catch(() => issued.delete(defect));
      }
      return certificate;
    },
  };
}
