import { assumptionBehind } from "../../sandbox/api/mark.js";
import { type AssumptionId, decidesRefusal } from "../../sandbox/assumptions.js";
import type { EndedPassage } from "../../sandbox/connection/passage.js";
import { readHeader } from "../../sandbox/connection/raw-headers.js";
import type { Exchange } from "../../sandbox/journal/exchange.js";
import type { ExchangeObservation, ObservedRefusal } from "../observation.js";

const longestHost = 256;

/** Grace of `Retry-After`, in milliseconds: timers are not exact, and a date has no fractions of a second. */
const secondsGrace = 50;
const dateGrace = 1000;

/**
 * Over HTTP/1.1 the same faults close or reset the connection. Over HTTP/2, GOAWAY leaves out other streams as well:
 * all above its last one, even if the sandbox had begun to answer.
 */
export function http2FaultOf(
  { stream, delivered, connection }: Exchange,
  passage: EndedPassage,
): ExchangeObservation["http2Fault"] {
  const last = connection?.goaway?.lastStream;
  const isAbove = stream !== undefined && last !== undefined && stream > last && delivered !== true;
  if (passage.isUnprocessed === true || isAbove) return "goaway-before";
  return stream === undefined ? undefined : passage.http2Fault;
}

/** A stream can be broken by a fault of another stream of its connection. */
export function endingOf({ delivered, injected }: Exchange, passage: EndedPassage): ExchangeObservation["ending"] {
  if (delivered === true) return "delivered";
  return injected === undefined && !passage.isBroken ? "abandoned" : "broken";
}

/**
 * The sandbox itself causes the refusals that a scenario injects, and those for a shared state that it cannot reach.
 */
export function ownRefusal(exchange: Exchange): ObservedRefusal | undefined {
  const { refusal } = exchange;
  if (refusal === undefined || refusal.reason.kind === "injected" || refusal.reason.kind === "unavailable")
    return undefined;
  const { kind } = refusal.reason;
  const basis = assumptionBehind(refusal);
  const decided = basis !== undefined && decidesRefusal(basis) ? basis : undefined;
  const assumption = kind === "method" ? behindMethod(exchange) : decided;
  return { code: refusal.code, kind, ...(assumption && { assumption }) };
}

/** §4 names the methods of token and ping. It does not say what else lists answer to, nor anything of HEAD and OPTIONS. */
function behindMethod({ method, list }: Exchange): AssumptionId | undefined {
  if (method === "HEAD") return "http.head";
  if (method === "OPTIONS") return "http.method-not-allowed";
  return list === undefined ? undefined : "list.endpoints";
}

/** Whether the challenge says `invalid_token` (RFC 6750 §3.1). */
export function saysInvalidToken(exchange: Exchange): boolean {
  return (
    exchange.status === 401 && /error\s*=\s*"?invalid_token/i.test(answerHeader(exchange, "www-authenticate") ?? "")
  );
}

/**
 * RFC 9110 §10.2.3: seconds, or a date.
 * @param took milliseconds from the arrival of the request to the release of its answer
 */
export function retryAfter(
  exchange: Pick<Exchange, "answerHeaders" | "now" | "receivedAt">,
  took: number,
): ExchangeObservation["retryAfter"] {
  const text = answerHeader(exchange, "retry-after")?.trim();
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return { wait: Number(text) * 1000, grace: secondsGrace };
  // JavaScript reads other texts as a date as well, such as "-5".
  const date = text.endsWith(" GMT") ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(date)) return undefined;
  // A client compares it with its own clock, or with the header Date. The later of the two asks for the shorter wait.
  const answeredAt = Math.max(exchange.receivedAt, exchange.now) + took;
  return { wait: date - answeredAt, grace: dateGrace };
}

/** The host and port that a request was sent to, as it says. */
export function hostOf({ rawHeaders }: Exchange): string {
  const host = readHeader(rawHeaders, "host") ?? readHeader(rawHeaders, ":authority");
  return typeof host === "string" ? host.toLowerCase().slice(0, longestHost) : "";
}

/** The host and port that an answer redirects to, if they are not those of the request (RFC 9110 §15.4). */
export function redirectOf(exchange: Exchange): string | undefined {
  if (exchange.status < 301 || exchange.status > 308) return undefined;
  const base = `https://${hostOf(exchange)}`;
  const location = answerHeader(exchange, "location");
  if (location === undefined || !URL.canParse(location, base)) return undefined;
  const { host } = new URL(location, base);
  return host === hostOf(exchange) ? undefined : host.slice(0, longestHost);
}

/** @param name in lower case */
export function answerHeader(
  { answerHeaders = {} }: Pick<Exchange, "answerHeaders">,
  name: string,
): string | undefined {
  const found = Object.entries(answerHeaders).find(([candidate]) => candidate.toLowerCase() === name)?.[1];
  // RFC 9110 §5.3
  return typeof found === "object" ? found.join(", ") : found;
}
