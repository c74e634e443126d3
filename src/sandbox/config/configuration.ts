import type * as z from "zod";
import type { Frozen } from "../../base/frozen.js";
import type { AssumptionSettings } from "../assumptions.js";
import type { JournalLimits } from "../journal/journal.js";
import type { ListSettings } from "../lists/settings.js";
import type { clientSchema, FileShape } from "./schema.js";
import type { CompleteSettings, GivenSettings, SettingName } from "./settings.js";

type WrittenClient = Frozen<z.output<typeof clientSchema>>;

/** With a value for each key. */
type Whole<T> = { readonly [Key in keyof T]-?: NonNullable<T[Key]> };

/** A client that the user registers in `sandbox.yaml`. */
interface ConfiguredClient extends Pick<WrittenClient, "clientId" | "scopes" | "grantTypes"> {
  /** The certificates themselves, PEM. Empty if the sandbox makes one. */
  readonly certificates: readonly string[];
  /** How the sandbox makes its certificate, if there is none; `validFor` in milliseconds. */
  readonly made: Whole<Pick<WrittenClient, "keyType" | "issuer">> & { readonly validFor: number | undefined };
}

/** The Redis in which sandboxes share their state, and how they connect to it. */
export interface SharedSettings {
  /** `redis://HOST:PORT/DATABASE`, or `rediss://` for TLS. */
  readonly url: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** The CA that verifies the server's certificate, PEM; undefined: those that Node trusts. */
  readonly ca: string | undefined;
  /** The certificate that is presented, PEM, and its key. */
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

/** The settings that the configuration has in another form. */
type ReplacedSetting =
  | "defectPorts"
  | "host"
  | "adminHost"
  | "config"
  | `shared${"" | "Ca" | "Cert" | "Key"}`
  | `server${"Certificate" | "Key" | "Chain"}`;

/** The full configuration of a sandbox, merged from all sources. A setting without a default may be undefined. */
export interface Configuration extends Omit<CompleteSettings, ReplacedSetting> {
  /** The ports with defective server certificates, in the order of `serverDefects`; 0 for a free one. */
  readonly defectPorts: readonly number[];
  /** Addresses that the API binds to. */
  readonly hosts: readonly string[];
  /** Addresses that the admin API binds to. */
  readonly adminHosts: readonly string[];
  /** Absolute path; undefined for certificates that are only in memory. */
  readonly certs: string | undefined;
  /** Undefined: the type of the existing CA; RSA in a new folder. */
  readonly keyType: "rsa" | "ec" | undefined;
  /** Undefined: those of the existing CA; `names` for a new one. */
  readonly nameConstraints: "names" | "strict" | undefined;
  /** The configuration file that was read, if any. */
  readonly file: string | undefined;
  /** The flags and variables that settings are from, by their names: `--port`, `SANDBOX_PORT`. */
  readonly given: Readonly<Partial<Record<SettingName, string>>>;
  /** The server's certificate, if it is from a CA of the user. */
  readonly server: ServerFiles | undefined;
  /** Undefined for a sandbox that does not share its state. */
  readonly shared: SharedSettings | undefined;
  readonly journal: JournalLimits;
  /** With the certificates of `clientCa` themselves, PEM. */
  readonly tls: Whole<Pick<Frozen<NonNullable<FileShape["tls"]>>, "clientCertificate" | "clientCa">>;
  readonly clients: readonly ConfiguredClient[];
  readonly lists: Readonly<Record<string, ListSettings>>;
  readonly assumptions: AssumptionSettings;
}

/** A certificate for the server from a CA of the user. PEM. */
export interface ServerFiles {
  /** The server's certificate first, then its intermediate CAs. */
  readonly certPem: string;
  readonly keyPem: string;
  readonly rootPem: string;
}

/** The content of a configuration file. Paths are resolved, and files are read. */
export interface FileConfiguration
  extends Pick<Configuration, "tls" | "journal" | "clients" | "lists" | "assumptions"> {
  readonly settings: GivenSettings;
}
