/** How an answer over HTTP/1.1 is sent (RFC 9112 §6 and §9). */
export interface Framing {
  /** The length of the body, in bytes; undefined if it is not known, or not announced. */
  readonly length: number | undefined;
  /** Whether the answer can have a body. */
  readonly hasBody: boolean;
  /** Whether the client knows chunks. Otherwise a body without a length ends with the connection. */
  readonly knowsChunks: boolean;
  /** How long the connection waits for the next request, in milliseconds; undefined if it ends. */
  readonly keepAliveMs: number | undefined;
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
  { length, hasBody, knowsChunks, keepAliveMs, now }: Framing,
): string[] {
  const all: string[] = [];
  let isDated = false;
  let isForConnection = false;
  let hasLength = false;
  let isEncoded = false;
  let isTimed = false;
  for (const name in given) {
    const value = given[name];
    if (value === undefined) continue;
    const lower = name.toLowerCase();
    if (lower === "date") isDated = true;
    else if (lower === "connection") isForConnection = true;
    else if (lower === "content-length") hasLength = true;
    else if (lower === "transfer-encoding") isEncoded = true;
    else if (lower === "keep-alive") isTimed = true;
    if (Array.isArray(value)) for (const one of value) all.push(name, String(one));
    else all.push(name, String(value));
  }
  if (length !== undefined && !hasLength && !isEncoded) {
    hasLength = true;
    all.push("Content-Length", String(length));
  }
  if (!isDated) all.push("Date", dateOf(now));
  if (!isForConnection) {
    const isKept = keepAliveMs !== undefined && (hasLength || knowsChunks);
    all.push("Connection", isKept ? "keep-alive" : "close");
    if (isKept && !isTimed) all.push("Keep-Alive", `timeout=${Math.floor(keepAliveMs / 1000)}`);
  }
  if (hasBody && knowsChunks && !hasLength && !isEncoded) all.push("Transfer-Encoding", "chunked");
  return all;
}

let second = Number.NaN;
let dateOfSecond = "";

/** An instant as a date of HTTP (RFC 9110 §5.6.7): the same for all answers of a second. */
function dateOf(now: number): string {
  const wanted = Math.floor(now / 1000);
  if (wanted !== second) {
    second = wanted;
    dateOfSecond = new Date(now).toUTCString();
  }
  return dateOfSecond;
}
