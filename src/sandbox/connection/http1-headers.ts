/** How an answer over HTTP/1.1 is sent (RFC 9112 §6 and §9). */
export interface Framing {
  /** The length of the body, in bytes; undefined if it is not known, or not announced. */
  readonly length: number | undefined;
  /** Whether the answer can have a body. */
  readonly hasBody: boolean;
  /** Whether the client knows chunks. Otherwise a body without a length ends with the connection. */
  readonly knowsChunks: boolean;
  /** Whether the connection waits for the next request. */
  readonly isKept: boolean;
  /** How long, in milliseconds, if the answer says it. */
  readonly keepAliveMs?: number | undefined;
  /** For `Date`, in milliseconds since the epoch. */
  readonly now: number;
}

/**
 * All headers of an answer. Node does not say which ones it adds, so it is given all of them.
 * @param given text, numbers and lists of them; undefined ones are left out
 * @returns names and values in turn
 */
export function wholeHeaders(
  given: Readonly<Record<string, unknown>>,
  { length, hasBody, knowsChunks, isKept: isWanted, keepAliveMs, now }: Framing,
): string[] {
  const all: string[] = [];
  const names = new Set<string>();
  for (const name in given) {
    const value = given[name];
    if (value === undefined) continue;
    names.add(name.toLowerCase());
    if (Array.isArray(value)) for (const one of value) all.push(name, String(one));
    else all.push(name, String(value));
  }
  const isEncoded = names.has("transfer-encoding");
  const addsLength = length !== undefined && !names.has("content-length") && !isEncoded;
  const hasLength = addsLength || names.has("content-length");
  if (addsLength) all.push("Content-Length", String(length));
  if (!names.has("date")) all.push("Date", dateOf(now));
  if (!names.has("connection")) {
    const isKept = isWanted && (hasLength || knowsChunks);
    all.push("Connection", isKept ? "keep-alive" : "close");
    if (isKept && keepAliveMs !== undefined && !names.has("keep-alive"))
      all.push("Keep-Alive", `timeout=${Math.floor(keepAliveMs / 1000)}`);
  }
  if (hasBody && knowsChunks && !hasLength && !isEncoded) all.push("Transfer-Encoding", "chunked");
  return all;
}

let second = Number.NaN;
let dateOfSecond = "";

/** An instant as a date of HTTP (RFC 9110 §5.6.7): the same for all answers of a second. */
export function dateOf(now: number): string {
  const wanted = Math.floor(now / 1000);
  if (wanted !== second) {
    second = wanted;
    dateOfSecond = new Date(now).toUTCString();
  }
  return dateOfSecond;
}
