import type { Clock } from "../../sandbox/clock.js";
import { type PresentedDefect, type ServerDefect, serverDefects } from "../../sandbox/connection/server-defect.js";
import { thumbprintOfPem } from "../../sandbox/pki/certificate-facts.js";
import type { CertificateSet } from "../../sandbox/pki/certs.js";
import type { FurtherPort } from "../../sandbox/tls/server.js";
import type { ServerCertificate } from "../../sandbox/tls/tls-options.js";
import { madeOnce } from "./made-once.js";

/** Host names under which the server shows a certificate with a defect: a client that connects has a security bug. */
const defectNames: ReadonlyMap<string, ServerDefect> = new Map(
  serverDefects.map((defect) => [`${defect}.localhost`, defect]),
);

/**
 * The server's certificates with a defect, and which connections meet one: by port, by host name or by the scenario for
 * all.
 */
export class ServerDefects {
  readonly #certs: CertificateSet;
  readonly #hostnames: readonly string[];
  readonly #clock: Clock;
  readonly #activeDefect: () => ServerDefect | undefined;
  readonly #issued = new Map<string, Promise<ServerCertificate>>();

  /**
   * @param hostnames configured names of the server
   * @param clock the machine's: clients judge by it
   * @param activeDefect the defect of the scenario that is active for all
   */
  constructor(
    certs: CertificateSet,
    hostnames: readonly string[],
    clock: Clock,
    activeDefect: () => ServerDefect | undefined,
  ) {
    this.#certs = certs;
    this.#hostnames = [...hostnames, ...defectNames.keys()];
    this.#clock = clock;
    this.#activeDefect = activeDefect;
  }

  /** The certificate to show to a client that requests a host name, or none; undefined for the usual one. */
  identityFor(serverName: string | undefined): Promise<ServerCertificate> | undefined {
    const named = defectNames.get(serverName?.toLowerCase() ?? "");
    if (named !== undefined) return this.#identity({ defect: named, chosenBy: "host-name" });
    const active = this.#activeDefect();
    return active && this.#identity({ defect: active, chosenBy: "scenario" });
  }

  /** A port for each of the first defects. */
  ports(numbers: readonly number[]): FurtherPort[] {
    return serverDefects.slice(0, numbers.length).map((defect, index) => ({
      port: numbers[index] ?? 0,
      identity: () => this.#identity({ defect, chosenBy: "port" }),
    }));
  }

  /** Issued when it is first needed. */
  #identity(presented: PresentedDefect): Promise<ServerCertificate> {
    const key = `${presented.defect} ${presented.chosenBy}`;
    // Without the CA's key there is no certificate. The key may exist at the next connection.
    return madeOnce(this.#issued, key, () => this.#issue(presented));
  }

  async #issue(presented: PresentedDefect): Promise<ServerCertificate> {
    const { defect, chosenBy } = presented;
    const { issueDefectiveServer } = await import("../../sandbox/pki/defective-server.js");
    const { certPem, keyPem } = await issueDefectiveServer(await this.#certs.authority(), defect, {
      hostnames: this.#hostnames,
      hostname: chosenBy === "host-name" ? `${defect}.localhost` : "localhost",
      now: this.#clock.now(),
    });
    return {
      certificate: certPem,
      key: keyPem,
      defect: presented,
      presented: { thumbprint: thumbprintOfPem(certPem) },
    };
  }
}
