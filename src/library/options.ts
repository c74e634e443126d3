import type { Duration } from "../base/text/duration.js";
import type {
  AssumptionSettings,
  ErrorAssumptionId,
  ErrorOverride,
  ValueAssumptionId,
} from "../sandbox/assumptions.js";
import type { ListSettings } from "../sandbox/lists/settings.js";
import type { SettingOptions } from "./setting-options.js";

/** A client of your own, registered by the exact certificate, from any issuer; or one that the sandbox makes. */
export interface ClientOptions {
  readonly clientId: string;
  /** Certificates: PEM, or paths of PEM files. When left out, the sandbox makes a key and a certificate. */
  readonly certificates?: readonly string[] | undefined;
  /** The key that the sandbox makes: `ec` (P-256) when left out, or `rsa` (RSA-2048). */
  readonly keyType?: "ec" | "rsa" | undefined;
  /** How long the certificate that the sandbox makes is valid, up to `398d`; about a year when left out. */
  readonly validFor?: Duration | undefined;
  /** Who issues it: the CA (`root`) when left out, or an `intermediate` CA, whose certificate is part of the chain. */
  readonly issuer?: "root" | "intermediate" | undefined;
  /** The scopes that it may request; `["read"]` when left out. */
  readonly scopes?: readonly string[] | undefined;
  /** The grants that it may use; `["client_credentials"]` when left out. */
  readonly grantTypes?: readonly string[] | undefined;
}

type ValueOf<Id extends ValueAssumptionId> = AssumptionSettings["values"][Id];

/** What the interface leaves open, by id: see `assumptions()` and docs/reference/assumptions.md. */
export type AssumptionOptions = {
  readonly [Id in ErrorAssumptionId]?: ErrorOverride | undefined;
} & {
  readonly [Id in ValueAssumptionId]?: (ValueOf<Id> extends object ? Partial<ValueOf<Id>> : ValueOf<Id>) | undefined;
};

/** One entry under `lists`, as it is written: durations are texts, and items may be in a file. */
interface ListOptions extends Omit<ListSettings, "items" | "spacing" | "cursorLifetime"> {
  /**
   * Items of your own, each an object; or the path of a YAML or JSON file. Excludes `count`, `fields`, `spacing`,
   * `anchor` and `seed`.
   */
  readonly items?: readonly unknown[] | string | undefined;
  /** Between the creation of two neighbouring rows. Default `15m`. */
  readonly spacing?: Duration | undefined;
  /** How long a cursor is accepted after it was issued. Default `24h`. */
  readonly cursorLifetime?: Duration | undefined;
}

/**
 * Every key of `sandbox.yaml` is an option. Unlike the command, the library reads no environment variables, and only the
 * files that are named.
 */
export interface StartOptions extends SettingOptions {
  /** A `sandbox.yaml`, which the other options override. */
  readonly config?: string | undefined;
  /** Default: a free one. */
  readonly port?: number | undefined;
  /** Default: a free one. */
  readonly adminPort?: number | undefined;
  /**
   * Three ports with a defective server certificate (see `defectUrls`), from this one on. `true`: from 8444 on. `false`:
   * none. A range such as `8444-8448`: as many. `all`: a free port for every defect. Default: three free ports.
   */
  readonly defectPorts?: boolean | number | "all" | `${number}-${number}` | undefined;
  /** Folder of the CA, the identities and the keys. Default: in memory only. */
  readonly certs?: string | undefined;
  /** Further names and addresses in the server certificate. */
  readonly hostnames?: readonly string[] | undefined;
  /** Keys of the CA and the identities. Default: P-256 in memory, the CA's type in a folder, RSA-2048 in a new one. */
  readonly keyType?: "rsa" | "ec" | undefined;
  /** Folder of your own scenarios. Default: none. */
  readonly scenarios?: string | undefined;
  /** What is written to the console. Default: `none`. */
  readonly log?: "none" | "refusals" | "requests" | undefined;
  /** How much the journal keeps. */
  readonly journal?:
    | {
        /** Number of exchanges. */
        readonly requests?: number | undefined;
        /** How many are reserved for refusals and injected answers: a quarter when left out, half at most. */
        readonly refusals?: number | undefined;
        /** The memory that they may use, in bytes. */
        readonly bytes?: number | undefined;
        /** Number of failed handshakes. */
        readonly handshakes?: number | undefined;
      }
    | undefined;
  readonly tls?:
    | {
        /** `require` refuses a connection without a good certificate in the handshake. */
        readonly clientCertificate?: "request" | "require" | undefined;
        /** The versions of HTTP that are offered, the preferred one first. Both, `h2` first, when left out. */
        readonly alpn?: readonly ("h2" | "http/1.1")[] | undefined;
        /** The lowest version of TLS that is accepted. `1.2` when left out. */
        readonly minVersion?: "1.2" | "1.3" | undefined;
        /** The highest one. `1.3` when left out. */
        readonly maxVersion?: "1.2" | "1.3" | undefined;
        /** Whether the handshake names the CAs of client certificates although it requires none. `off` when left out. */
        readonly caNames?: "on" | "off" | undefined;
        /** What a new CA may issue for. `strict` is critical and has addresses: BoringSSL and mbedTLS refuse it. */
        readonly nameConstraints?: "names" | "strict" | undefined;
        /** Further issuers of client certificates: PEM, or paths of PEM files. */
        readonly clientCa?: readonly string[] | undefined;
      }
    | undefined;
  /** Clients of your own. */
  readonly clients?: readonly ClientOptions[] | undefined;
  /** Lists, by name. `payments` and `payouts` exist by default, and can be changed. */
  readonly lists?: Readonly<Record<string, ListOptions>> | undefined;
  /** What the interface leaves open, and the sandbox has to choose. */
  readonly assumptions?: AssumptionOptions | undefined;
  /** Whether answers name the assumptions that they are based on, in `Sandbox-Assumed`. True when left out. */
  readonly assumedHeader?: boolean | undefined;
}

/** How to reach a running sandbox. */
export interface ConnectOptions {
  /** Default: `SANDBOX_ADMIN_URL`, or `http://localhost:8090`. */
  readonly adminUrl?: string | undefined;
  /** Default: `SANDBOX_ADMIN_TOKEN`. */
  readonly adminToken?: string | undefined;
}
