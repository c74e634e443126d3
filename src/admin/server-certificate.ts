import type { ServerIssuer } from "../sandbox/connection/server-certificate.js";
import { announcedElsewhere, type KeyedCertificate } from "../sandbox/pki/certs.js";
import type { StateFiles, Stored } from "../sandbox/store.js";

/** The certificate that new connections get. */
export interface ShownCertificate<Issuer = ServerIssuer> extends KeyedCertificate {
  readonly issuer: Issuer;
}

/** What was changed since the start, as plain data. */
export interface ServerCertificateState {
  readonly nextCa: KeyedCertificate | undefined;
  readonly shown: ShownCertificate | undefined;
}

/** The server's certificate and the next CA, as far as the admin API changes them. */
export interface ServerCertificateControl extends Stored<ServerCertificateState> {
  /** What clients trust: the CA, and the next one from its announcement on. PEM. */
  readonly caPem: string;
  /** The next CA alone; undefined before it is announced. */
  readonly nextCaPem: string | undefined;
  /** Its issuer is `file` if the certificate of the start is from a CA of the user. */
  readonly shown: ShownCertificate<ServerIssuer | "file">;
  /** Makes the next CA, or returns the one that is announced, here or in the folder. Rejects with a `CertsError`. */
  makeNextCa(): Promise<KeyedCertificate>;
  /** The files that announce it; undefined for certificates that are in memory only. */
  nextCaFiles(nextCa: KeyedCertificate): StateFiles | undefined;
  announce(nextCa: KeyedCertificate): void;
  /**
   * Makes a certificate with a new key. Rejects with a `CertsError`.
   * @param nextCa for the issuer `next-ca`, if it is not announced yet
   */
  issue(issuer: ServerIssuer, nextCa?: KeyedCertificate): Promise<KeyedCertificate>;
  /** New connections get this certificate from now on. */
  show(certificate: KeyedCertificate, issuer: ServerIssuer): void;
}

/**
 * Announces the next CA in a change of the state.
 * @param write as `Store.change` says
 * @throws CertsError when another sandbox has announced another one meanwhile
 */
export function announceNextCa(nextCa: KeyedCertificate, control: ServerCertificateControl, write: () => void): void {
  if (control.nextCaPem !== undefined && control.nextCaPem !== nextCa.certPem) throw announcedElsewhere();
  write();
  control.announce(nextCa);
}
