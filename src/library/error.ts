/** What the admin API refuses a request with. The list is closed; a test keeps it equal to the admin API's own. */
export type AdminErrorCode =
  | "INVALID_REQUEST"
  | "INVALID_SCENARIO"
  | "UNKNOWN_CLIENT"
  | "UNKNOWN_SCENARIO"
  | "UNKNOWN_CERTIFICATE"
  | "UNKNOWN_IDENTITY"
  | "CLIENT_EXISTS"
  | "CERTIFICATE_IN_USE"
  | "TOO_MANY_CLIENTS"
  | "NO_KEY"
  | "CANNOT_ISSUE"
  | "REPORT_OFF"
  | "NOT_FOUND"
  | "METHOD_NOT_ALLOWED"
  | "PAYLOAD_TOO_LARGE"
  | "UNSUPPORTED_MEDIA_TYPE"
  | "HOST_NOT_ALLOWED"
  | "ORIGIN_NOT_ALLOWED"
  | "ADMIN_TOKEN_REQUIRED"
  | "INTERNAL_SERVER_ERROR";

/** Every {@link SandboxError.code}. */
export type SandboxErrorCode =
  | AdminErrorCode
  /** An option that cannot be used. The message names it, and what would do. */
  | "INVALID_OPTION"
  /** A port that is taken, or an address that this machine does not have. */
  | "CANNOT_LISTEN"
  /** A certificates folder that cannot be used. */
  | "CERTIFICATES_UNUSABLE"
  /** Nothing answers at the admin URL. */
  | "UNREACHABLE"
  /** What answers at the admin URL is no sandbox. */
  | "NO_SANDBOX"
  /** The sandbox refused to issue a token. */
  | "TOKEN_REFUSED"
  /** The handle was closed. */
  | "CLOSED";

/**
 * What went wrong, for a program ({@link code}) and for people (the message, which says what mends it).
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
  /** The status of the admin API's answer, or of the token endpoint's; undefined where there was none. */
  readonly status: number | undefined;

  constructor(code: SandboxErrorCode, message: string, options: { status?: number | undefined; cause?: unknown } = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.status = options.status;
  }
}
