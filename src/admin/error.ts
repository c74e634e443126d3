import type { Context } from "hono";
import { openFilesProblem } from "../base/files/open-files.js";
import { type ErrorCode, errorFacts } from "../sandbox/errors.js";
import { redactText } from "../sandbox/journal/redact.js";
import { StoreError } from "../sandbox/store.js";
import { type AdminErrorCode, adminErrorStatus } from "./error-codes.js";
import { jsonAnswer } from "./json-answer.js";

/** A problem that is reported to the caller of the admin API. */
export class AdminError extends Error {
  override readonly name = "AdminError";
  constructor(
    readonly code: AdminErrorCode,
    message: string,
  ) {
    super(message);
  }

  get status(): (typeof adminErrorStatus)[AdminErrorCode] {
    return adminErrorStatus[this.code];
  }
}

/**
 * Answers with an `AdminError`. Any other error is a bug or a limit of the system: 500, and a report on standard error.
 */
export function answerError(error: Error, http: Context): Response {
  if (error instanceof StoreError) return answerError(new AdminError("SHARED_STATE_UNAVAILABLE", error.message), http);
  if (!(error instanceof AdminError)) {
    const limit = openFilesProblem(error);
    const report = limit ?? `this is a bug in the admin API, please report it:\n${error.stack ?? error.message}`;
    process.stderr.write(`payments-sandbox: ${report}\n`);
    const message = limit ?? "The sandbox failed; this is a bug in it.";
    return answerError(new AdminError("INTERNAL_SERVER_ERROR", message), http);
  }
  const { status, code } = error;
  // It may quote what the caller sent.
  const message = redactText(error.message);
  if (status === 401) http.header("WWW-Authenticate", 'Bearer realm="admin"');
  // The rest of the body is not read, so the connection cannot carry another request (RFC 9112 §9.6).
  if (status === 413) http.header("Connection", "close");
  return jsonAnswer(http, { message, code }, status);
}

/** Status and body of an error that the server answers before a request reaches the routes. */
export function errorBody(code: ErrorCode): { readonly status: number; readonly body: string } {
  const { status, message } = errorFacts(code);
  return { status, body: `${JSON.stringify({ message, code })}\n` };
}
