import type { ConnectionFacts } from "../connection-facts.js";

/** The headers of the newest request of each connection. */
const newest = new WeakMap<ConnectionFacts, readonly string[]>();

/**
 * The headers of a request, in the strings of the request before it on the same connection where the text is the same.
 *
 * Clients repeat their headers, tokens of 700 characters among them, and the journal keeps ten thousand requests: shared, the
 * repetitions are gone before the garbage collector has to copy them. That, and comparing one string with itself, is a tenth of a ping.
 */
export function shareHeaders(connection: ConnectionFacts, rawHeaders: string[]): readonly string[] {
  const before = newest.get(connection);
  let same = before?.length === rawHeaders.length;
  if (before) {
    for (let index = 0; index < rawHeaders.length; index++) {
      const text = before[index];
      if (text !== undefined && text === rawHeaders[index]) rawHeaders[index] = text;
      else same = false;
    }
  }
  if (before && same) return before;
  newest.set(connection, rawHeaders);
  return rawHeaders;
}
