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

/** Chooses the server's certificate for a connection where a defect is asked for, by host name or by the scenario for all. */
export class ServerDefects {
  readonly #certs: CertificateSet;
  readonly #hostnames: readonly string[];
  readonly #clock: Clock;
  readonly #activeDefect: () => ServerDefect | undefined;
  readonly #issued = new Map<ServerDefect, Promise<ServerCertificate>>();

  /**
   * @param hostnames configured names of the server
   * @param clock the machine's: clients judge by it
   * @param activeDefect what the scenario that is active for all asks for
   */
  constructor(
    certs: CertificateSet,
    hostnames: readonly string[],
    clock: Clock,
    activeDefect: () => ServerDefect | undefined,
  ) {
    this.#certs = certs;
    this.#hostnames = [...hostnames, ...Object.keys(defectNames)];
    this.#clock = clock;
    this.#activeDefect = activeDefect;
  }

  /** The defect that a client meets under a host name, or without one; undefined for none. */
  defectFor(serverName: string | undefined): ServerDefect | undefined {
    return (serverName === undefined ? undefined : defectNames[serverName.toLowerCase()]) ?? this.#activeDefect();
  }

  /** The certificate to show; undefined for the usual one. It is issued when it is first asked for. */
  identityFor(serverName: string | undefined): Promise<ServerCertificate> | undefined {
    const defect = this.defectFor(serverName);
    if (defect === undefined) return undefined;
    let issued = this.#issued.get(defect);
    if (!issued) {
      issued = this.#issue(defect);
      this.#issued.set(defect, issued);
      // Without the CA's key there is none; the next connection may find it there.
      issued.catch(() => this.#issued.delete(defect));
    }
    return issued;
  }

  async #issue(defect: ServerDefect): Promise<ServerCertificate> {
    const { issueDefectiveServer } = await import("../pki/issue.js");
    const { certPem, keyPem } = await issueDefectiveServer(await this.#certs.authority(), defect, {
      hostnames: this.#hostnames,
      now: this.#clock.now(),
    });
    return { certificate: certPem, key: keyPem, defect };
  }
}
