import { second } from "../../base/text/duration.js";

/** A `Retry-After` header (RFC 9110 §10.2.3). */
export interface RetryAfter {
  /** How long the client is told to wait, in milliseconds. */
  readonly in: number;
  /** Whether the wait is sent in seconds, or as the instant at which it ends. */
  readonly format: "seconds" | "date";
}

/**
 * The value of the header. Both forms are whole seconds, rounded up, so that the client never waits too short.
 * @param now milliseconds since the epoch on the client's clock, as the header `Date`
 */
export function retryAfterValue({ in: wait, format }: RetryAfter, now: number): string {
  if (format === "seconds") return String(Math.ceil(wait / second));
  return new Date(Math.ceil((now + wait) / second) * second).toUTCString();
}
