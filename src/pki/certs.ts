import type { KeyObject } from "node:crypto";
import type { Clock } from "../clock.js";
import type { KeyType } from "./keys.js";

/** How the certificates folder is to be opened. */
export interface CertsOptions {
  /** Made when it is missing. */
  readonly directory: string;
  /** Names and addresses of the server beside the ones that it always has (`hostnames.ts`). */
  readonly hostnames: readonly string[];
  /** Of new keys. Left out: as the CA that is there, RSA in a new folder. Given: a folder of the other type is an error. */
  readonly keyType?: KeyType | undefined;
  /** Throw away what is there and make all anew. Files that are not the sandbox's are an error even then. */
  readonly fresh: boolean;
  /** The machine's clock: certificates are judged by programs that know no other. */
  readonly clock: Clock;
  /** What `client.env` will say, if it is known already: then the folders of identities appear with it. */
  readonly environment?: EnvironmentSettings | undefined;
}

/** What a client's environment file depends on beside the identity. */
export interface EnvironmentSettings {
  /** Base URL of the API, such as `https://localhost:8443`. */
  readonly url: string;
  /** Absolute path of the certificates folder as the client's machine sees it, which under a container is not `directory`. */
  readonly certsPath: string;
}

/** A private key and the certificate issued for it. */
export interface KeyedCertificate {
  readonly certPem: string;
  /** PKCS#8, not encrypted. */
  readonly keyPem: string;
}

/** A ready identity that a client presents: a registered client's, or a misfit that must be refused. */
export interface Identity extends KeyedCertificate {
  readonly name: string;
  readonly kind: "client" | "misfit";
  /** One line: what it is for. */
  readonly purpose: string;
  /** Its folder below the certificates folder, such as `clients/demo`. */
  readonly folder: string;
  /** The `client_id` that it sends: its own, or for a misfit that of the client it pretends to be. */
  readonly clientId: string;
  /** Whether its certificate is to be registered for that client, so that nothing but its own defect has it refused. */
  readonly registered: boolean;
}

/** A certification authority that can issue (`issue.ts`). */
export interface Authority extends KeyedCertificate {
  readonly keyType: KeyType;
  readonly privateKey: KeyObject;
  /** Its name in DER, which becomes the issuer of what it issues. */
  readonly subject: Buffer;
  /** RFC 5280 §4.2.1.2; verifiers find the issuer of a certificate by it. */
  readonly keyIdentifier: Buffer;
  /** Last instant of its validity, in milliseconds since the epoch. Nothing that it issues is valid for longer. */
  readonly notAfter: number;
}

/** Everything that the sandbox needs to prove who it is and to tell its clients apart. */
export interface CertificateSet {
  readonly caPem: string;
  readonly server: KeyedCertificate;
  /** `demo` and `other`. */
  readonly clients: readonly Identity[];
  /** P-256, PKCS#8: signs access tokens, which so survive a restart. */
  readonly tokenSigningKeyPem: string;
  /** 32 random bytes: seals cursors, which so survive a restart. */
  readonly cursorKey: Buffer;
  /**
   * All identities, misfits included. On a first start they are made in the background, and this resolves when the last
   * one is there. Rejects with a `CertsError`; nobody needs to listen.
   */
  readonly complete: Promise<readonly Identity[]>;
  /** The CA with its key, to issue more certificates. Rejects with a `CertsError` when the CA's key is not there. */
  authority(): Promise<Authority>;
}

/** The certificate set of a folder. */
export interface Certs extends CertificateSet {
  /**
   * Writes `client.env` of every identity that is there; the ones still being made get theirs before their folder appears.
   * Files that say the same already are left alone.
   * @returns what names the files that could not be written, as in a read-only folder; the sandbox needs none of them
   */
  writeEnvironment(settings: EnvironmentSettings): Promise<CertsError | undefined>;
}

export type CertsErrorCode =
  /** The folder cannot be read or written, or is no folder. */
  | "FOLDER_UNUSABLE"
  /** A file that the sandbox did not make. */
  | "FOREIGN_FILE"
  /** Truncated, unreadable or incomplete. */
  | "BROKEN_FILE"
  /** A key that is not its certificate's, or a certificate that is not this CA's. */
  | "MISMATCH"
  /** The CA has expired, is about to, or is not valid yet. */
  | "CA_NOT_VALID"
  /** A certificate must be issued, and the CA's key is not there. */
  | "CA_KEY_MISSING"
  /** A name of the server that the CA's name constraints do not permit. */
  | "HOSTNAME_NOT_PERMITTED"
  /** A name of the server that is not a host name or an IP address. */
  | "HOSTNAME_INVALID"
  /** The folder's keys are not of the type asked for. */
  | "KEY_TYPE"
  /** Another process holds the folder's lock. */
  | "LOCKED";

/** What is wrong with the certificates, which file it is about, and what to do. Never overwrites anything on its way. */
export class CertsError extends Error {
  override readonly name = "CertsError";
  constructor(
    readonly code: CertsErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
