import type {
  AssumptionSettings,
  ErrorAssumptionId,
  ErrorOverride,
  ValueAssumptionId,
} from "../sandbox/assumptions.js";
import type { FileOptions } from "./file-options.js";

type ValueOf<Id extends ValueAssumptionId> = AssumptionSettings["values"][Id];

/** What the interface leaves open, by id: see `assumptions()` and docs/reference/assumptions.md. */
export type AssumptionOptions = {
  readonly [Id in ErrorAssumptionId]?: ErrorOverride | undefined;
} & {
  readonly [Id in ValueAssumptionId]?: (ValueOf<Id> extends object ? Partial<ValueOf<Id>> : ValueOf<Id>) | undefined;
};

/**
 * Every key of `sandbox.yaml` is an option. Unlike the command, the library reads no environment variables, and only the
 * files that are named. A certificate is PEM, or the path of a PEM file.
 */
export interface StartOptions extends FileOptions {
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
  /** Keys of the CA and the identities. Default: P-256 in memory, the CA's type in a folder, RSA-2048 in a new one. */
  readonly keyType?: "rsa" | "ec" | undefined;
  /** Folder of your own scenarios. Default: none. */
  readonly scenarios?: string | undefined;
  /** What is written to the console. Default: `none`. */
  readonly log?: "none" | "refusals" | "requests" | undefined;
  /** What the interface leaves open, and the sandbox has to choose. */
  readonly assumptions?: AssumptionOptions | undefined;
}

/** How to reach a running sandbox. */
export interface ConnectOptions {
  /** Default: `SANDBOX_ADMIN_URL`, or `http://localhost:8090`. */
  readonly adminUrl?: string | undefined;
  /** Default: `SANDBOX_ADMIN_TOKEN`. */
  readonly adminToken?: string | undefined;
}
