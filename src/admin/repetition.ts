import { undecodableName } from "../sandbox/api/parameters.js";
import { readHeader } from "../sandbox/connection/raw-headers.js";
import type { Exchange } from "../sandbox/journal/exchange.js";
import { redactHeaders, redactTarget } from "../sandbox/journal/redact.js";

/** Headers that belong to one connection, or that are computed from the body (RFC 9110 §7.6.1). */
const notRepeated = new Set([
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** A clock that differs by less than this, in milliseconds, has not been moved. */
const sameClock = 1000;

type Pair = readonly [name: string, value: string];

/** What is sent in place of the parts of a request. What is left out is sent as it was. */
export interface Changes {
  readonly method?: string | undefined;
  readonly target?: string | undefined;
  /** All headers, except those of one connection. One that is as the journal shows it is sent with its secrets. */
  readonly headers?: readonly Pair[] | undefined;
  readonly body?: string | undefined;
}

/** Why an exchange cannot be sent again; undefined if it can. */
export function obstacleTo(exchange: Exchange, { body }: Changes): string | undefined {
  const { target, form } = exchange;
  if (target === "-") return "It was not an HTTP request.";
  if (body !== undefined) return undefined;
  if (hasBody(exchange) && form === undefined) return "Its body was not kept: the journal keeps forms only.";
  if (mayHaveBody(exchange) && form === undefined)
    return "Over HTTP/2 a request does not say whether it has a body, and the journal keeps forms only.";
  if (form && [...form].some(([name, values]) => name === undecodableName || values.includes(null)))
    return "Its form was not validly encoded, and its bytes were not kept.";
  return undefined;
}

/** How an exchange is repeated. */
interface RepetitionOptions {
  /** A fresh access token, which replaces the one that was sent; undefined if that was not issued by the sandbox. */
  readonly token: string | undefined;
  /** Whether a fault that acted is requested again. */
  readonly replay: boolean;
  /** Whether it is sent without any token. */
  readonly isWithoutToken: boolean;
  readonly changes: Changes;
  /** The machine's clock, in milliseconds since the epoch. */
  readonly machineNow: number;
}

/**
 * The request of an exchange, to send on its own connection.
 * @returns its text, head and body, and how it differs from the first one, for the user
 */
export function repetitionOf(
  exchange: Exchange,
  { token, isWithoutToken, replay, changes, machineNow }: RepetitionOptions,
) {
  const { form, injected } = exchange;
  const notes = ["It was sent on its own connection, without the requests that came before it on the first one."];
  const target =
    changes.target === redactTarget(exchange.target) ? exchange.target : (changes.target ?? exchange.target);
  const lines = [`${changes.method ?? exchange.method} ${target} HTTP/1.1`];
  let hasToken = false;
  for (const [name, value] of headersOf(exchange, changes)) {
    const lower = name.toLowerCase();
    if (notRepeated.has(lower) || (isWithoutToken && lower === "authorization")) continue;
    if (injected !== undefined && (lower === "sandbox-replay" || lower === "sandbox-scenario")) continue;
    const isToken = token !== undefined && lower === "authorization";
    hasToken ||= isToken;
    lines.push(`${name}: ${isToken ? `Bearer ${token}` : value}`);
  }
  if (token !== undefined && !hasToken) lines.push(`Authorization: Bearer ${token}`);
  if (token !== undefined) notes.push("A fresh token replaced the one that was sent.");
  if (injected !== undefined && replay) {
    lines.push(`Sandbox-Replay: ${injected}`);
    notes.push("The fault was requested by Sandbox-Replay: the counters of its scenario did not change.");
  }
  if (injected !== undefined && !replay) notes.push("The fault was not requested again.");
  if (hasMovedClock(exchange, machineNow)) notes.push("The client's clock has been moved since.");
  // In the text of a request, each character is one byte.
  const body = Buffer.from(changes.body ?? (form ? encoded(form) : "")).toString("latin1");
  const isSent = changes.body === undefined ? form !== undefined || hasBody(exchange) : body !== "";
  if (isSent) lines.push(`Content-Length: ${body.length}`);
  return { text: `${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n${body}`, notes };
}

/** The headers to send. */
function headersOf({ rawHeaders }: Exchange, { headers }: Changes): readonly Pair[] {
  const sent = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ""] as const] : [],
  );
  if (headers === undefined) return sent;
  const shown = redactHeaders(rawHeaders);
  // Two headers with different secrets look the same.
  const used = new Set<number>();
  return headers.map(([name, value]) => {
    const same = shown.findIndex(
      ([known, text], index) => !used.has(index) && known.toLowerCase() === name.toLowerCase() && text === value,
    );
    used.add(same);
    return sent[same] ?? ([name, value] as const);
  });
}

function hasBody({ rawHeaders }: Exchange): boolean {
  const length = readHeader(rawHeaders, "content-length");
  return readHeader(rawHeaders, "transfer-encoding") !== undefined || (length !== undefined && length !== "0");
}

function mayHaveBody({ stream, method }: Exchange): boolean {
  return stream !== undefined && !["GET", "HEAD", "OPTIONS", "DELETE"].includes(method);
}

function encoded(form: NonNullable<Exchange["form"]>): string {
  const pairs = [...form].flatMap(([name, values]) => values.map((value) => [name, value ?? ""] as [string, string]));
  return new URLSearchParams(pairs).toString();
}

/** An unmoved clock shows the same instant as then (frozen) or has the same offset to the machine's clock (running). */
function hasMovedClock({ client, now, receivedAt }: Exchange, machineNow: number): boolean {
  if (!client) return false;
  const present = client.clock.now();
  return Math.abs(present - now) > sameClock && Math.abs(present - machineNow - (now - receivedAt)) > sameClock;
}
