import type { KeyObject } from "node:crypto";
import type { Clock } from "../clock.js";
import type { DefectUrls } from "../connection/server-defect.js";
import type { HeldFile } from "../scenarios/defaults.js";
import type { StateFiles } from "../store.js";
import type { FileOperations } from "./file-operations.js";
import type { KeyType } from "./keys.js";

/**
 * The name constraints of a new CA. `names`: DNS names alone, in an extension that is not critical. RFC 5280 §4.2.1.10
 * requires a critical one, but mbedTLS cannot read such a CA. BoringSSL refuses constraints of addresses where a
 * certificate has an address. `strict`: critical, and with addresses.
 */
export type ConstraintsForm = "names" | "strict";

export interface CertsOptions {
  /** Created if it is missing. */
  readonly directory: string;
  /** Names and addresses of the server in addition to those that it always has (`hostnames.ts`). */
  readonly hostnames: readonly string[];
  /**
   * The type of new keys. Default: that of the CA in the folder, or RSA in a new folder. A folder of the other type is
   * an error.
   */
  readonly keyType?: KeyType | undefined;
  /** The name constraints of the CA. Default: those of the CA in the folder, or `names` in a new folder. */
  readonly constraints?: ConstraintsForm | undefined;
  /**
   * Replace all existing files by new ones. Files that the sandbox did not make are an error even then. When several
   * processes do this at the same time, one of them makes the files for all.
   */
  readonly fresh: boolean;
  /**
   * With `fresh`: a CA that was written after this instant, in milliseconds since the epoch, was made by a sandbox that
   * started at the same time, and is used. Default: every CA that is there is replaced.
   */
  readonly startedAt?: number | undefined;
  /** The machine's clock: other programs judge certificates by it. */
  readonly clock: Clock;
  /** Default: those of the system. */
  readonly files?: FileOperations | undefined;
}

/** What a client's environment file depends on, apart from the identity. */
export interface EnvironmentSettings {
  /** Base URL of the API, such as `https://localhost:8443`. */
  readonly url: string;
  /** Where the API is served with a defective certificate. */
  readonly defectUrls?: DefectUrls | undefined;
  /**
   * Absolute path of the certificates folder on the client's machine. It differs from `directory` when the sandbox runs
   * in a container.
   */
  readonly certsPath: string;
}

/** A private key and the certificate issued for it. */
export interface KeyedCertificate {
  /** PEM. If an intermediate CA issued it, that of the intermediate follows. */
  readonly certPem: string;
  /** PKCS#8, not encrypted. */
  readonly keyPem: string;
}

/** An identity that a client presents: that of a registered client, or a misfit, which the server must refuse. */
export interface Identity extends KeyedCertificate {
  readonly name: string;
  readonly kind: "client" | "misfit";
  /** What it is for, in one line. */
  readonly purpose: string;
  /** Its folder below the certificates folder, such as `clients/demo`. */
  readonly folder: string;
  /** The `client_id` that it sends. A misfit sends that of the client that it imitates. */
  readonly clientId: string;
  /** Whether its certificate is registered for that client; a misfit is then refused for its own defect only. */
  readonly registered: boolean;
}

/** A CA as its files: without the key it can be trusted, but cannot issue. */
export interface CaFiles {
  readonly certPem: string;
  /** Next CAs that were announced, which have issued for clients. Their keys are not kept. PEM. */
  readonly announcedPem?: string;
  readonly keyPem: string | undefined;
}

/** A certification authority that can issue (`issue.ts`). */
export interface Authority extends KeyedCertificate {
  readonly privateKey: KeyObject;
  /** Its name in DER: the issuer of its certificates. */
  readonly subject: Buffer;
  /** What is sent behind a certificate that it issued: its own for an intermediate CA, nothing for a root. PEM. */
  readonly chainPem: string;
  /** RFC 5280 §4.2.1.2; verifiers find the issuer of a certificate by it. */
  readonly keyIdentifier: Buffer;
  /** End of its validity, in milliseconds since the epoch. No certificate that it issues is valid for longer. */
  readonly notAfter: number;
}

/** The certificates and keys of a sandbox. */
export interface CertificateSet {
  /** The CA, and the next ones that were announced before this start. PEM. */
  readonly caPem: string;
  readonly server: KeyedCertificate;
  /** `demo`, `other` and, if the CA permits an intermediate one, `chained`. */
  readonly clients: readonly Identity[];
  /** P-256, PKCS#8: signs access tokens. Tokens stay valid after a restart. */
  readonly tokenSigningKeyPem: string;
  /** 32 random bytes: encrypts cursors. Cursors stay valid after a restart. */
  readonly cursorKey: Buffer;
  /**
   * All identities, including misfits, which a first start makes in the background. Rejects with a `CertsError`; the
   * rejection may be ignored.
   */
  readonly complete: Promise<readonly Identity[]>;
  /** The CA with its key, to issue more certificates. Rejects with a `CertsError` when the CA's key is missing. */
  authority(): Promise<Authority>;
}

export interface Certs extends CertificateSet {
  /** The URLs that the environment files of clients name now. */
  environmentUrls(): ReadonlySet<string>;
  /**
   * Writes `client.env` of every identity that exists. Files with the same text are not touched.
   * @returns an error with the names of the files that could not be written, as in a read-only folder; the sandbox
   *   works without them
   */
  writeEnvironment(settings: EnvironmentSettings): Promise<CertsError | undefined>;
  /** Whether the folder of an identity has this certificate and key. */
  hasIdentity(identity: Pick<Identity, "folder" | keyof KeyedCertificate>): boolean;
  /**
   * The files of an identity, to be replaced by those of its new certificate, each by a rename. `identity.pem` always
   * has a fitting pair; `cert.pem` and `key.pem` follow each other.
   * @param writing.isInForce as `StateFiles` says
   * @param writing.held the file of the pair that stays old until `finish`; `identity.pem` and `client.p12` do, too
   * @param writing.onWritten called once it is decided
   */
  identityFiles(
    identity: Pick<Identity, "name" | "folder" | keyof KeyedCertificate>,
    writing: {
      readonly isInForce: () => boolean;
      readonly held?: HeldFile | undefined;
      readonly onWritten?: (() => void) | undefined;
    },
  ): Promise<StateFiles>;
  /**
   * Puts all files that are held back into their places.
   * @throws as `StateFiles.finish`
   */
  finish(): void;
  /**
   * The next CA that the folder has: this sandbox, one before it or another one has announced it.
   * @throws CertsError when it cannot be read
   */
  nextCa(): KeyedCertificate | undefined;
  /**
   * `ca.pem` with one more CA, and with a key `ca-next.pem` and `ca-next.key.pem`: it is the next CA then. Each is
   * replaced by a rename. Writing them fails if the folder has another next CA, unless this one is in force.
   * @param isInForce as `StateFiles` says
   */
  authorityFiles(added: CaFiles, isInForce: () => boolean): StateFiles;
}

/** The certificates of a sandbox; those of a folder come with files for clients. */
export type OpenCertificates = CertificateSet & Partial<Omit<Certs, keyof CertificateSet>>;

type CertsErrorCode =
  /** The folder cannot be read or written, or is not a folder. */
  | "FOLDER_UNUSABLE"
  /** The folder has a file that the sandbox did not make. */
  | "FOREIGN_FILE"
  /** A file is truncated, unreadable or missing. */
  | "BROKEN_FILE"
  /** A key belongs to another certificate, or a certificate to another CA. */
  | "MISMATCH"
  /** The CA expired, expires within a day, or is not valid yet. */
  | "CA_NOT_VALID"
  /** A certificate must be issued, and the CA's key is missing. */
  | "CA_KEY_MISSING"
  /** The CA may not issue an intermediate CA. */
  | "INTERMEDIATE_NOT_PERMITTED"
  /** A name of the server that the CA's name constraints do not permit. */
  | "HOSTNAME_NOT_PERMITTED"
  /** A name of the server that is not a host name or an IP address. */
  | "HOSTNAME_INVALID"
  /** The folder's keys are not of the configured type. */
  | "KEY_TYPE"
  /** The CA's name constraints have another form than the configured one. */
  | "NAME_CONSTRAINTS"
  /** Other processes published something first. */
  | "CONTENDED"
  /** The sandbox is being closed. */
  | "CLOSED";

/** What is wrong with the certificates, which file it is about, and what to do. Nothing was overwritten. */
export class CertsError extends Error {
  override readonly name = "CertsError";
  constructor(
    readonly code: CertsErrorCode,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** The error for a next CA, when there is another one. */
export function announcedElsewhere(): CertsError {
  return new CertsError("CONTENDED", "Another sandbox has announced its next CA at the same time. Repeat the call.");
}

/** Does something again, once, if another process was first: then it uses what that has published. */
export async function unlessContended<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CertsError && error.code === "CONTENDED") return work();
    throw error;
  }
}
