import { CannotIssueError } from "../../admin/identities.js";
import type {
  ServerCertificateControl,
  ServerCertificateState,
  ShownCertificate,
} from "../../admin/server-certificate.js";
import type { Clock } from "../../sandbox/clock.js";
import type { ServerIssuer, ServerRenewal } from "../../sandbox/connection/server-certificate.js";
import { certificateFacts, thumbprintOfPem } from "../../sandbox/pki/certificate-facts.js";
import { type Authority, CertsError, type KeyedCertificate } from "../../sandbox/pki/certs.js";
import type { ServerCertificate } from "../../sandbox/tls/tls-options.js";
import type { OpenCertificates } from "./certificates.js";

/** The issuer of the certificate that a scenario shows. */
const issuerOf: Readonly<Record<ServerRenewal, ServerIssuer>> = { renewed: "root", "next-ca": "next-ca" };

/**
 * The server's good certificate: the one of the start, and those that replace it; and the next CA. All of this lasts as
 * long as the sandbox; only `ca.pem` and `ca-next.pem` are written.
 */
export class ServerCertificates implements ServerCertificateControl {
  readonly #certs: OpenCertificates;
  readonly #hostnames: readonly string[];
  readonly #clock: Clock;
  #nextCa: KeyedCertificate | undefined;
  /** What the listeners know. */
  readonly #announced = new Set<string>();
  #shown: ShownCertificate | undefined;
  #identity: Promise<ServerCertificate> | undefined;
  readonly #ofScenarios = new Map<ServerRenewal, Promise<ServerCertificate>>();
  /** The next CA with what it needs to issue. */
  #nextAuthority: Promise<Authority> | undefined;
  readonly #listeners: ((caPem: string) => void)[] = [];

  /**
   * @param hostnames configured names of the server
   * @param clock the machine's: clients judge by it
   */
  constructor(certs: OpenCertificates, hostnames: readonly string[], clock: Clock) {
    this.#certs = certs;
    this.#hostnames = hostnames;
    this.#clock = clock;
  }

  get caPem(): string {
    const { caPem } = this.#certs;
    const next = this.#nextCa?.certPem.trim();
    // Another replica may have written the file from which this one read its CA.
    return next === undefined || caPem.includes(next) ? caPem : joined(caPem, next);
  }

  get nextCaPem(): string | undefined {
    return this.#nextCa?.certPem;
  }

  get shown(): ShownCertificate {
    const { certPem, keyPem } = this.#certs.server;
    return this.#shown ?? { certPem, keyPem, issuer: "root" };
  }

  /** The certificate for new connections; undefined for the one of the start. */
  identity(): Promise<ServerCertificate> | undefined {
    return this.#identity;
  }

  /** The certificate of a scenario. It is made when a client first meets it. */
  identityOf(renewal: ServerRenewal): Promise<ServerCertificate> {
    let made = this.#ofScenarios.get(renewal);
    if (made === undefined) {
      made = this.#make(renewal);
      this.#ofScenarios.set(renewal, made);
      made.catch(() => this.#ofScenarios.delete(renewal));
    }
    return made;
  }

  /** The CA that issues certificates of clients: that of the certificate that the server shows. */
  authority(): Promise<Authority> {
    return this.shown.issuer === "next-ca" ? this.#next() : this.#certs.authority();
  }

  /** Calls a listener with each further CA, which may issue for clients, too. */
  onNextCa(listener: (caPem: string) => void): void {
    this.#listeners.push(listener);
  }

  async makeNextCa(): Promise<KeyedCertificate> {
    if (this.#nextCa) return this.#nextCa;
    const [{ newAuthority }, { generateKeys }, { serverHostnames }] = await Promise.all([
      import("../../sandbox/pki/authority.js"),
      import("../../sandbox/pki/keys.js"),
      import("../../sandbox/pki/hostnames.js"),
    ]);
    const hostnames = serverHostnames(this.#hostnames);
    const { certPem, keyPem } = newAuthority({ keys: await generateKeys("ec"), hostnames, now: this.#clock.now() });
    return { certPem, keyPem };
  }

  announce(nextCa: KeyedCertificate): void {
    // A second call may have made another one at the same time: the first one is announced.
    if (this.#nextCa) return;
    this.#nextCa = nextCa;
    if (this.#announced.has(nextCa.certPem)) return;
    this.#announced.add(nextCa.certPem);
    for (const listener of this.#listeners) listener(nextCa.certPem);
  }

  async writeAuthorities(): Promise<void> {
    if (this.#nextCa === undefined) return;
    await this.#certs.writeAuthorities?.(this.caPem, this.#nextCa.certPem).catch(asCannotIssue);
  }

  /** Makes the next CA if there is none, and announces it. */
  async announceNext(): Promise<void> {
    this.announce(await this.makeNextCa());
    await this.writeAuthorities();
  }

  async issue(issuer: ServerIssuer, nextCa?: KeyedCertificate): Promise<KeyedCertificate> {
    const [{ intermediateOf, issueServer }, { generateKeys, privateKeyPem }, { serverHostnames }] = await Promise.all([
      import("../../sandbox/pki/issue.js"),
      import("../../sandbox/pki/keys.js"),
      import("../../sandbox/pki/hostnames.js"),
    ]);
    try {
      const now = this.#clock.now();
      const root = await (issuer === "next-ca" ? this.#next(nextCa) : this.#certs.authority());
      const authority = issuer === "intermediate" ? await intermediateOf(root, now) : root;
      const keys = await generateKeys("ec");
      const certPem = issueServer(authority, keys, serverHostnames(this.#hostnames), now);
      return { certPem, keyPem: privateKeyPem(keys.privateKey) };
    } catch (error) {
      return asCannotIssue(error);
    }
  }

  show(certificate: KeyedCertificate, issuer: ServerIssuer): void {
    this.#shown = { ...certificate, issuer };
    this.#identity = Promise.resolve(identityFrom(certificate, issuer, "admin"));
  }

  memory(): ServerCertificateState {
    return { nextCa: this.#nextCa, shown: this.#shown };
  }

  restore({ nextCa, shown }: ServerCertificateState): void {
    if (nextCa) this.announce(nextCa);
    else {
      this.#nextCa = undefined;
      this.#nextAuthority = undefined;
    }
    if (shown === undefined) {
      this.#shown = undefined;
      this.#identity = undefined;
    } else if (shown.certPem !== this.#shown?.certPem) this.show(shown, shown.issuer);
  }

  async #make(renewal: ServerRenewal): Promise<ServerCertificate> {
    if (renewal === "next-ca") await this.announceNext();
    const issuer = issuerOf[renewal];
    return identityFrom(await this.issue(issuer), issuer, "scenario");
  }

  #next(given = this.#nextCa): Promise<Authority> {
    if (given === undefined) throw new CannotIssueError("There is no next CA yet.");
    this.#nextAuthority ??= import("../../sandbox/pki/authority.js").then(({ loadAuthority }) => loadAuthority(given));
    return this.#nextAuthority;
  }
}

/** The certificate of the start. */
export function firstIdentity({ server: { certPem, keyPem } }: OpenCertificates): ServerCertificate {
  return { certificate: certPem, key: keyPem, presented: { thumbprint: thumbprintOfPem(certPem) } };
}

function identityFrom(
  { certPem, keyPem }: KeyedCertificate,
  issuer: ServerIssuer,
  chosenBy: "admin" | "scenario",
): ServerCertificate {
  const { thumbprint } = certificateFacts(certPem);
  return { certificate: certPem, key: keyPem, presented: { thumbprint, renewal: { issuer, chosenBy } } };
}

const joined = (...pems: readonly string[]) => pems.map((pem) => (pem.endsWith("\n") ? pem : `${pem}\n`)).join("");

function asCannotIssue(error: unknown): never {
  throw error instanceof CertsError ? new CannotIssueError(error.message) : error;
}
