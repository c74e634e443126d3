import type { AdminErrorCode } from "../admin/error-codes.js";

/** Every {@link SandboxError.code}. */
export type SandboxErrorCode =
  | AdminErrorCode
  /** An option that cannot be used. The message names it, and says which values are valid. */
  | "INVALID_OPTION"
  /** A port is in use, or this machine does not have the address. */
  | "CANNOT_LISTEN"
  /** The process may open too few files for a sandbox. */
  | "OPEN_FILES_LIMIT"
  /** A certificates folder that cannot be used. */
  | "CERTIFICATES_UNUSABLE"
  /** Nothing answers at the admin URL. */
  | "UNREACHABLE"
  /** The server at the admin URL is not a sandbox. */
  | "NO_SANDBOX"
  /** The sandbox refused to issue a token. */
  | "TOKEN_REFUSED"
  /** The sandbox has no ports with a defective certificate. */
  | "NO_DEFECT_PORTS"
  /** The handle was closed. */
  | "CLOSED";

/**
 * What went wrong, for a program ({@link code}) and for people (the message, which says how to fix it).
 *
 * @example
 * ```ts
 * try {
 *   await client.useScenario("no-such-scenario");
 * } catch (error) {
 *   if (error instanceof SandboxError && error.code === "UNKNOWN_SCENARIO") console.error(error.message);
 * }
 * ```
 */
export class SandboxError extends Error {
  override readonly name = "SandboxError";
  readonly code: SandboxErrorCode;
  /** The status of the admin API's answer, or of the token endpoint's; undefined if there was no answer. */
  readonly status: number | undefined;

  constructor(code: SandboxErrorCode, message: string, options: { status?: number | undefined; cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
    this.status = options.status;
  }
}
