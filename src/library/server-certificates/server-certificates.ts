import { X509Certificate } from "node:crypto";
import type {
  ServerCertificateControl,
  ServerCertificateState,
  ShownCertificate,
} from "../../admin/server-certificate.js";
import { splitPem } from "../../base/x509/certificate.js";
import type { Clock } from "../../sandbox/clock.js";
import type { Configuration } from "../../sandbox/config/configuration.js";
import type { ConnectionFacts } from "../../sandbox/connection/connection-facts.js";
import type { ServerIssuer, ServerRenewal } from "../../sandbox/connection/server-certificate.js";
import { certificateFacts, thumbprintOfPem } from "../../sandbox/pki/certificate-facts.js";
import {
  type Authority,
  type ConstraintsForm,
  type KeyedCertificate,
  type OpenCertificates,
  unlessContended,
} from "../../sandbox/pki/certs.js";
import { serverHostnames } from "../../sandbox/pki/hostnames.js";
import { generateKeys, privateKeyPem } from "../../sandbox/pki/keys.js";
import { constraintsOf, refuseHostnames } from "../../sandbox/pki/name-constraints.js";
import { organization } from "../../sandbox/pki/profiles.js";
import type { ScenarioEngine } from "../../sandbox/scenarios/engine.js";
import { changeAfter, type StateFiles } from "../../sandbox/store.js";
import type { ServerCertificate } from "../../sandbox/tls/tls-options.js";
import { madeOnce } from "./made-once.js";

/** The issuer of the certificate that a scenario shows. */
const issuerOf: Readonly<Record<ServerRenewal, ServerIssuer>> = { renewed: "root", "next-ca": "next-ca" };

/**
 * The server's good certificate: the one of the start, and those that replace it; and the next CA. All of this lasts as
 * long as the sandbox; only `ca.pem` and the next CA are written.
 */
export class ServerCertificates implements ServerCertificateControl {
  readonly #certs: OpenCertificates;
  readonly #hostnames: readonly string[];
  /** Of next CAs. */
  readonly #constraints: ConstraintsForm;
  /** Whether the certificate of the start is the user's. */
  readonly #isFromFile: boolean;
  readonly #clock: Clock;
  #nextCa: KeyedCertificate | undefined;
  /** The next CA that is being made, or is made and not announced yet: all who ask meanwhile get the same. */
  #made: Promise<KeyedCertificate> | undefined;
  /** What the listeners know. */
  readonly #announced = new Set<string>();
  #shown: ShownCertificate | undefined;
  #identity: Promise<ServerCertificate> | undefined;
  readonly #ofScenarios = new Map<ServerRenewal, Promise<ServerCertificate>>();
  /** Next CAs with what they need to issue, by their certificates. */
  readonly #nextAuthorities = new Map<string, Promise<Authority>>();
  readonly #listeners: ((caPem: string) => void)[] = [];

  /**
   * @param clock the machine's: clients judge by it
   */
  constructor(
    certs: OpenCertificates,
    { hostnames, nameConstraints = "names", server }: Pick<Configuration, "hostnames" | "nameConstraints" | "server">,
    clock: Clock,
  ) {
    this.#certs = certs;
    this.#hostnames = hostnames;
    this.#constraints = nameConstraints;
    this.#isFromFile = server !== undefined;
    this.#clock = clock;
  }

  get caPem(): string {
    return this.#trusted(this.#nextCa);
  }

  /**
   * The CAs of the sandbox, which issue for clients, PEM. `ca.pem` may also have the root of a server certificate from a
   * file, of this start or of one before: it has issued no client.
   */
  get clientCas(): readonly string[] {
    const isOwn = (pem: string) => new X509Certificate(pem).subject.includes(`O=${organization}`);
    return splitPem(this.caPem).filter((pem, place) => place === 0 || isOwn(pem));
  }

  get nextCaPem(): string | undefined {
    return this.#nextCa?.certPem;
  }

  get shown(): ShownCertificate<ServerIssuer | "file"> {
    const { certPem, keyPem } = this.#certs.server;
    return this.#shown ?? { certPem, keyPem, issuer: this.#isFromFile ? "file" : "root" };
  }

  /** The certificate for new connections; undefined for the one of the start. */
  identity(): Promise<ServerCertificate> | undefined {
    return this.#identity;
  }

  /** The certificate of a scenario. It is made when a client first meets it. */
  identityOf(renewal: ServerRenewal): Promise<ServerCertificate> {
    return madeOnce(this.#ofScenarios, renewal, () => this.#make(renewal));
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
    const present = this.#nextCa ?? this.#certs.nextCa?.();
    if (present) return present;
    this.#made ??= this.#newCa();
    try {
      return await this.#made;
    } catch (error) {
      this.#made = undefined;
      throw error;
    }
  }

  nextCaFiles(nextCa: KeyedCertificate): StateFiles | undefined {
    const isInForce = () => this.#nextCa?.certPem === nextCa.certPem;
    return this.#certs.authorityFiles?.(nextCa, isInForce);
  }

  announce(nextCa: KeyedCertificate): void {
    if (this.#nextCa) return;
    this.#nextCa = nextCa;
    this.#made = undefined;
    if (this.#announced.has(nextCa.certPem)) return;
    this.#announced.add(nextCa.certPem);
    for (const listener of this.#listeners) listener(nextCa.certPem);
  }

  /**
   * Makes the next CA if there is none, and announces it.
   * @throws CertsError when its files cannot be written: then it is not announced. UnfinishedError
   */
  announceNext(): Promise<void> {
    return unlessContended(async () => {
      const nextCa = await this.makeNextCa();
      if (this.#nextCa) return;
      changeAfter(this.nextCaFiles(nextCa), (write) => {
        write();
        this.announce(nextCa);
      });
    });
  }

  async issue(issuer: ServerIssuer, nextCa?: KeyedCertificate): Promise<KeyedCertificate> {
    const { intermediateOf, issueServer } = await import("../../sandbox/pki/issue.js");
    const now = this.#clock.now();
    const root = await (issuer === "next-ca" ? this.#next(nextCa) : this.#certs.authority());
    const authority = issuer === "intermediate" ? await intermediateOf(root, now) : root;
    const keys = await generateKeys("ec");
    const hostnames = serverHostnames(this.#hostnames);
    refuseHostnames(root, hostnames);
    const certPem = issueServer(authority, keys, hostnames, now);
    return { certPem, keyPem: privateKeyPem(keys.privateKey) };
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
    else this.#nextCa = undefined;
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

  async #newCa(): Promise<KeyedCertificate> {
    const { newAuthority } = await import("../../sandbox/pki/authority.js");
    // Other sandboxes on the folder use it, too: it permits the names that the CA permits.
    const { permittedNames = [] } = constraintsOf({ certPem: this.#certs.caPem }) ?? {};
    const hostnames = [...new Set([...serverHostnames(this.#hostnames), ...permittedNames])];
    const { certPem, keyPem } = newAuthority({
      keys: await generateKeys("ec"),
      hostnames,
      constraints: this.#constraints,
      now: this.#clock.now(),
    });
    return { certPem, keyPem };
  }

  #trusted(nextCa: KeyedCertificate | undefined): string {
    const { caPem } = this.#certs;
    const next = nextCa?.certPem.trim();
    // Another replica may have written the file from which this one read its CA.
    return next === undefined || caPem.includes(next) ? caPem : joined(caPem, next);
  }

  #next(nextCa = this.#nextCa): Promise<Authority> {
    if (nextCa === undefined) throw new Error("The next CA is made before it issues.");
    return madeOnce(this.#nextAuthorities, nextCa.certPem, async () => {
      const { loadAuthority } = await import("../../sandbox/pki/authority.js");
      return loadAuthority(nextCa);
    });
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

/**
 * Which connections get the renewed certificate of the scenario for all: those that begin after its first request. So a
 * client meets first the certificate that it knows, and then the new one.
 */
export class ServerRenewals {
  readonly #certificates: ServerCertificates;
  readonly #scenarios: ScenarioEngine;
  /** The choice of the scenario under which a request has arrived. */
  #begun: number | undefined;

  constructor(certificates: ServerCertificates, scenarios: ScenarioEngine) {
    this.#certificates = certificates;
    this.#scenarios = scenarios;
  }

  /** The certificate for a new connection; undefined for the one of the start. */
  identity(): Promise<ServerCertificate> | undefined {
    const { serverRenewal, forAll } = this.#scenarios;
    const isRenewed = serverRenewal !== undefined && this.#begun === forAll.changes;
    return isRenewed ? this.#certificates.identityOf(serverRenewal) : this.#certificates.identity();
  }

  /** As `Service.endsConnection` says. */
  endsConnection({ serverCertificate }: ConnectionFacts): boolean {
    const { serverRenewal, forAll } = this.#scenarios;
    this.#begun = forAll.changes;
    const renewal = serverCertificate?.renewal;
    return renewal?.chosenBy !== "scenario" || (renewal.issuer === "next-ca") !== (serverRenewal === "next-ca");
  }
}
