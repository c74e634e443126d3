import type { AdminErrorCode } from "../admin/error-codes.js";

/** Every {@link SandboxError.code}. */
export type SandboxErrorCode =
  | AdminErrorCode
  /** The message names the option, and says which values are valid. */
  | "INVALID_OPTION"
  /** A port is in use, or this machine does not have the address. */
  | "CANNOT_LISTEN"
  /** The process may open too few files for a sandbox. */
  | "OPEN_FILES_LIMIT"
  /** The certificates folder cannot be used. */
  | "CERTIFICATES_UNUSABLE"
  /** Nothing answers at the admin URL. */
  | "UNREACHABLE"
  /** The server at the admin URL is not a sandbox. */
  | "NO_SANDBOX"
  /** The sandbox refused to issue a token. */
  | "TOKEN_REFUSED"
  /** There are no ports with a defective certificate. */
  | "NO_DEFECT_PORTS"
  /** The handle was closed. */
  | "CLOSED";

/**
 * What went wrong, and how to fix it (`message`).
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
  /** Of the answer of the admin API or of the token endpoint, if there was one. */
  readonly status: number | undefined;

  constructor(code: SandboxErrorCode, message: string, options: { status?: number | undefined; cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
    this.status = options.status;
  }
}
