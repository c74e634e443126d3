import { namePattern, nameRule } from "../base/text/name.js";
import { AdjustableClock, type Clock } from "./clock.js";
import type { PeerCertificate } from "./connection/peer.js";
import { FormerHolders } from "./former-holders.js";
import { deriveSeed } from "./scenarios/draw.js";
import { ScenarioState } from "./scenarios/state.js";

/** A registered certificate with the facts that are shown of it. Decisions use only the thumbprint. */
export interface RegisteredCertificate extends Omit<PeerCertificate, "issuer" | "clientUsage"> {
  readonly pem: string;
}

/** The end of a certificate before its dates say so. Until then it is valid. */
export interface CertificateEnd {
  /** Milliseconds since the epoch, on the clock of its client. */
  readonly at: number;
  readonly how: "renewed" | "expired" | "revoked";
  /** When this was decided, on the same clock. */
  readonly since: number;
  /** The thumbprint of the certificate that replaces it. */
  readonly by?: string | undefined;
  /** Whether the files of that were held back: a client could not read them. */
  readonly filesHeld?: boolean | undefined;
}

/** The configuration of an OAuth client. */
export interface ClientRegistration {
  readonly id: string;
  /** SHA-256 thumbprints (RFC 8705 §3.1) of the certificates that it may use. */
  readonly thumbprints: readonly string[];
  /** Those of these certificates that are known. */
  readonly certificates?: readonly RegisteredCertificate[];
  /** Those of these certificates that end before their dates say so, by thumbprint. */
  readonly ends?: readonly (readonly [thumbprint: string, end: CertificateEnd])[];
  readonly scopes: readonly string[];
  /** The grants that it may use; default `client_credentials`. */
  readonly grantTypes?: readonly string[];
  /** Default: derived from the sandbox's seed and the id. */
  readonly seed?: string | undefined;
}

/** An OAuth client, with its own run-time state. */
export interface Client {
  readonly id: string;
  /** Distinguishes it from a removed client of the same id. */
  readonly registration: string;
  readonly thumbprints: ReadonlySet<string>;
  /** By thumbprint; a client may be registered with only a thumbprint. */
  readonly certificates: ReadonlyMap<string, RegisteredCertificate>;
  /** The certificates that ended, or will end, before their dates say so, by thumbprint. Empty for most clients. */
  readonly ends: ReadonlyMap<string, CertificateEnd>;
  readonly scopes: readonly string[];
  readonly grantTypes: readonly string[];
  /** The seed of the random decisions of scenarios. */
  readonly seed: string;
  readonly clock: AdjustableClock;
  readonly scenario: ScenarioState;
  /** Codes of errors that it is declared to provoke on purpose. */
  expected: readonly string[];
  /** Whether a token was issued to it. A reset does not change that: its tokens stay good. */
  hadToken: boolean;
}

/** A registration that contradicts another one. The message names the client. */
export class RegistrationError extends Error {
  override readonly name = "RegistrationError";
  constructor(
    readonly code: "CLIENT_EXISTS" | "CERTIFICATE_IN_USE" | "INVALID_CLIENT_ID",
    message: string,
  ) {
    super(message);
  }
}

interface MutableClient extends Client {
  thumbprints: Set<string>;
  certificates: Map<string, RegisteredCertificate>;
  ends: Map<string, CertificateEnd>;
}

/** What a store outside of this process keeps of a client, as plain data. */
export interface ClientRecord {
  /** Undefined for one that was removed. */
  readonly client: (ClientRegistration & { readonly registration: string; readonly seed: string }) | undefined;
  /** Thumbprints of certificates that it had, as far as they are remembered. */
  readonly formerly: readonly string[];
}

/** The number of the registration that made this client. The first registration of a sandbox has number 1. */
export function registrationNumber({ registration }: Pick<Client, "registration">): number {
  return Number.parseInt(registration, 10);
}

const byNumber = (one: Pick<Client, "registration">, other: Pick<Client, "registration">) =>
  registrationNumber(one) - registrationNumber(other);

/** How many certificates of a client stay after their end, so that requests with them can be explained. */
const mostEnded = 20;

/** The certificates of a client that have not ended: neither by their dates nor before. */
export function presentCertificates({ thumbprints, certificates, ends, clock }: Client): string[] {
  const now = clock.now();
  const isPresent = (thumbprint: string) =>
    now <= (certificates.get(thumbprint)?.notAfter ?? now) &&
    now < (ends.get(thumbprint)?.at ?? Number.POSITIVE_INFINITY);
  return [...thumbprints].filter(isPresent);
}

/**
 * The registered clients, found by id or by the certificate of a connection. A certificate belongs to one client only.
 */
export class ClientRegistry {
  readonly #byId = new Map<string, MutableClient>();
  readonly #byThumbprint = new Map<string, MutableClient>();
  readonly #formerly = new FormerHolders();
  /** The highest number of a client. */
  #newest = 0;
  /** How many were registered since the start. */
  registrations = 0;
  #onCertificate: ((thumbprint: string, certificate?: RegisteredCertificate) => void) | undefined;

  /**
   * @param clock the sandbox's clock: the clock behind every client's clock
   * @param seed the sandbox's seed, from which the clients' are derived
   */
  constructor(
    private readonly clock: Clock,
    private readonly seed: string,
  ) {}

  /**
   * Calls a listener with every certificate that is registered, and with each later one; and with the thumbprint alone
   * when one is removed.
   */
  onCertificate(listener: (thumbprint: string, certificate?: RegisteredCertificate) => void): void {
    this.#onCertificate = listener;
    for (const { certificates } of this.#byId.values())
      for (const [thumbprint, facts] of certificates) listener(thumbprint, facts);
  }

  /** @throws RegistrationError when the id is taken or malformed, or a certificate belongs to another client */
  register(registration: ClientRegistration): Client {
    const { id } = registration;
    if (!namePattern.test(id)) {
      throw new RegistrationError(
        "INVALID_CLIENT_ID",
        `The client id ${JSON.stringify(id.slice(0, 80))} is not valid: ${nameRule}.`,
      );
    }
    if (this.#byId.has(id)) throw new RegistrationError("CLIENT_EXISTS", `There is a client "${id}" already.`);
    for (const thumbprint of registration.thumbprints) this.#mustBeFree(thumbprint, id);
    this.registrations += 1;
    const client = this.#made(registration, `${this.registrations} ${id}`);
    this.#newest = this.registrations;
    this.#byId.set(id, client);
    for (const thumbprint of client.thumbprints) this.#byThumbprint.set(thumbprint, client);
    return client;
  }

  /** Removes a client and its certificates. Its tokens are refused from now on. */
  remove(id: string): boolean {
    const client = this.#byId.get(id);
    if (!client) return false;
    for (const thumbprint of client.thumbprints) this.#release(thumbprint, id);
    return this.#byId.delete(id);
  }

  /**
   * Registers another certificate for a client.
   * @throws RegistrationError when it belongs to another client
   */
  addCertificate(client: Client, thumbprint: string, facts?: RegisteredCertificate): void {
    this.#mustBeFree(thumbprint, client.id);
    const own = this.#own(client);
    own.thumbprints.add(thumbprint);
    if (facts) {
      own.certificates.set(thumbprint, facts);
      this.#onCertificate?.(thumbprint, facts);
    }
    this.#byThumbprint.set(thumbprint, own);
  }

  /**
   * Ends a certificate of a client at an instant. An earlier end stays. Of the certificates that have ended, the client
   * keeps the newest ones.
   * @returns the end that is in force; undefined if the client does not have the certificate
   */
  endCertificate(client: Client, thumbprint: string, end: CertificateEnd): CertificateEnd | undefined {
    const own = this.#own(client);
    if (!own.thumbprints.has(thumbprint)) return undefined;
    const before = own.ends.get(thumbprint);
    if (before && before.at <= end.at) return before;
    own.ends.set(thumbprint, { ...end, by: end.by ?? before?.by });
    const over = [...own.ends].filter(([, { at }]) => at <= client.clock.now());
    for (const [old] of over.slice(0, Math.max(0, over.length - mostEnded))) this.removeCertificate(client, old);
    return end;
  }

  /** Takes a certificate from a client. Tokens bound to it are refused from now on. */
  removeCertificate(client: Client, thumbprint: string): boolean {
    const own = this.#own(client);
    if (!own.thumbprints.delete(thumbprint)) return false;
    own.certificates.delete(thumbprint);
    own.ends.delete(thumbprint);
    this.#release(thumbprint, client.id);
    return true;
  }

  get(id: string): Client | undefined {
    return this.#byId.get(id);
  }

  /** The client for which a certificate is registered. */
  byThumbprint(thumbprint: string): Client | undefined {
    return this.#byThumbprint.get(thumbprint);
  }

  /** The former client of a removed certificate, if it is still remembered. */
  formerHolder(thumbprint: string): string | undefined {
    return this.#byThumbprint.has(thumbprint) ? undefined : this.#formerly.holderOf(thumbprint);
  }

  /** All clients, in the order of their registration. */
  all(): Client[] {
    return [...this.#byId.values()];
  }

  /** Clients with a higher number, in the order of their registration. */
  *registeredAfter(number: number): Generator<Client> {
    for (const client of this.#byId.values()) if (registrationNumber(client) > number) yield client;
  }

  get size(): number {
    return this.#byId.size;
  }

  /** A client, or what is left of it, as plain data. */
  record(id: string): ClientRecord {
    const client = this.#byId.get(id);
    const formerly = this.#formerly.certificatesOf(id).filter((thumbprint) => !this.#byThumbprint.has(thumbprint));
    if (client === undefined) return { client, formerly };
    const { registration, scopes, grantTypes, seed } = client;
    const [thumbprints, certificates, ends] = [
      [...client.thumbprints],
      [...client.certificates.values()],
      [...client.ends],
    ];
    return { client: { id, registration, thumbprints, certificates, ends, scopes, grantTypes, seed }, formerly };
  }

  /** Makes these clients what their records say. A client that is the same one as before stays the same object. */
  put(records: ReadonlyMap<string, ClientRecord>): void {
    const gone: Client[] = [];
    for (const [id, { client, formerly }] of records) {
      const before = this.#byId.get(id);
      for (const thumbprint of before?.thumbprints ?? []) this.#forget(thumbprint);
      if (before && before.registration !== client?.registration) gone.push(before);
      for (const thumbprint of formerly) this.#formerly.remember(thumbprint, id);
    }
    for (const client of gone.sort(byNumber).reverse()) {
      this.#byId.delete(client.id);
      // A store undoes what is not written: the newest ones come again, and there may be thousands of others to sort.
      if (registrationNumber(client) === this.#newest) this.#newest -= 1;
    }
    const present = [...records.values()].flatMap(({ client }) => client ?? []);
    const isBack = present.some((client) => registrationNumber(client) < this.#newest && !this.#byId.has(client.id));
    for (const record of present.sort(byNumber)) this.#putOne(record);
    if (!isBack) return;
    const inOrder = [...this.#byId.values()].sort(byNumber);
    this.#byId.clear();
    for (const client of inOrder) this.#byId.set(client.id, client);
  }

  #putOne(record: NonNullable<ClientRecord["client"]>): void {
    const known = this.#byId.get(record.id);
    const fresh = this.#made(record, record.registration);
    const { thumbprints, certificates, ends } = fresh;
    const client = known ? Object.assign(known, { thumbprints, certificates, ends }) : fresh;
    this.#newest = Math.max(this.#newest, registrationNumber(client));
    this.#byId.set(client.id, client);
    for (const thumbprint of client.thumbprints) this.#byThumbprint.set(thumbprint, client);
  }

  #made(registration: ClientRegistration, name: string): MutableClient {
    const { id, certificates = [] } = registration;
    for (const facts of certificates) this.#onCertificate?.(facts.thumbprint, facts);
    return {
      id,
      registration: name,
      thumbprints: new Set(registration.thumbprints),
      certificates: new Map(certificates.map((facts) => [facts.thumbprint, facts])),
      ends: new Map(registration.ends),
      scopes: registration.scopes,
      grantTypes: registration.grantTypes ?? ["client_credentials"],
      seed: registration.seed ?? deriveSeed(this.seed, id),
      clock: new AdjustableClock(this.clock),
      scenario: new ScenarioState(name),
      expected: [],
      hadToken: false,
    };
  }

  #release(thumbprint: string, id: string): void {
    this.#forget(thumbprint);
    this.#formerly.remember(thumbprint, id);
  }

  #forget(thumbprint: string): void {
    this.#byThumbprint.delete(thumbprint);
    this.#onCertificate?.(thumbprint);
  }

  #own(client: Client): MutableClient {
    const own = this.#byId.get(client.id);
    if (own !== client) throw new Error(`The client "${client.id}" is not registered here.`);
    return own;
  }

  #mustBeFree(thumbprint: string, id: string): void {
    const holder = this.#byThumbprint.get(thumbprint);
    if (holder && holder.id !== id) {
      throw new RegistrationError(
        "CERTIFICATE_IN_USE",
        `The certificate ${thumbprint} is registered for the client "${holder.id}" already; a certificate belongs to one client.`,
      );
    }
  }
}
