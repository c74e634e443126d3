import type { ServerIssuer } from "../sandbox/connection/server-certificate.js";
import type { Stored } from "../sandbox/store.js";

/** A certificate and its key, PEM. */
interface Keyed {
  readonly certPem: string;
  readonly keyPem: string;
}

/** The certificate that new connections get. */
export interface ShownCertificate extends Keyed {
  readonly issuer: ServerIssuer;
}

/** What was changed since the start, as plain data. */
export interface ServerCertificateState {
  readonly nextCa: Keyed | undefined;
  readonly shown: ShownCertificate | undefined;
}

/** The server's certificate and the next CA, as far as the admin API changes them. */
export interface ServerCertificateControl extends Stored<ServerCertificateState> {
  /** What clients trust: the CA, and the next one from its announcement on. PEM. */
  readonly caPem: string;
  /** The next CA alone; undefined before it is announced. */
  readonly nextCaPem: string | undefined;
  readonly shown: ShownCertificate;
  /** Makes the next CA, or returns the one that is announced. */
  makeNextCa(): Promise<Keyed>;
  announce(nextCa: Keyed): void;
  /**
   * Makes a certificate with a new key. Rejects with a `CannotIssueError`.
   * @param nextCa for the issuer `next-ca`, if it is not announced yet
   */
  issue(issuer: ServerIssuer, nextCa?: Keyed): Promise<Keyed>;
  /** New connections get this certificate from now on. */
  show(certificate: Keyed, issuer: ServerIssuer): void;
  /**
   * Writes `ca.pem` and `ca-next.pem` into the certificates folder, if there is one. Rejects with a `CannotIssueError`.
   */
  writeAuthorities(): Promise<void>;
}
