import { second } from "../text/duration.js";

/** A `Retry-After` header (RFC 9110 §10.2.3). */
export interface RetryAfter {
  /** How long the client is told to wait, in milliseconds. */
  readonly in: number;
  /** Whether it is told so in seconds, or by the instant at which the wait ends. */
  readonly format: "seconds" | "date";
}

/**
 * The value of the header. Both forms are whole seconds, and are rounded up: the client never waits too short.
 * @param now milliseconds since the epoch on the machine's clock, because the client reads its own
 */
export function retryAfterValue({ in: wait, format }: RetryAfter, now: number): string {
  if (format === "seconds") return String(Math.ceil(wait / second));
  return new Date(Math.ceil((now + wait) / second) * second).toUTCString();
}
