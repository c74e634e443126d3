import { claimedClients } from "./claimed-clients.js";
import type { Exchange } from "./exchange.js";
import type { HandshakeRecord } from "./journal.js";
import { redactTarget, redactText } from "./redact.js";

/**
 * The text of an exchange in which a query looks for words: what a list shows of it, and the facts of its explanation;
 * in lower case. It has no secrets: a search must not find what an answer does not show.
 */
export function requestText(exchange: Exchange): string {
  const { target, method, status, code, operation, list, correlationId, injected, connection, refusal } = exchange;
  let text = `\n${method}\n${status}\n${correlationId}`;
  for (const part of [code, operation, list, injected, connection?.serverDefect?.defect]) text = added(text, part);
  for (const client of claimedClients(exchange)) text = added(text, client);
  for (const name of exchange.unknownParameters) text = added(text, name);
  if (refusal) text = withFacts(text, refusal.reason, mostDepth);
  const whole = target + text;
  const isSafe = !secretMark.test(whole) && !encodedName.test(target);
  return (isSafe ? whole : redactText(redactTarget(target) + text)).toLowerCase();
}

/** The same for a handshake. */
export function handshakeText(record: HandshakeRecord): string {
  const { cause, code, alert, reason, remoteAddress, serverName, protocol, serverDefect, certificate } = record;
  let text: string = cause;
  const parts = [code, alert, reason, remoteAddress, serverName, protocol, serverDefect?.defect, certificate?.subject];
  for (const part of parts) text = added(text, part);
  return redactText(text).toLowerCase();
}

/** Texts that are redacted contain one of these. Searching for them takes a tenth of the time of the redaction. */
const secretMark = /eyJ|PRIVATE|_token|client_secret|client_assertion|password/i;

/** The name of a parameter that may be a different one after decoding. */
const encodedName = /[?&][^?&=]*%/;

function added(text: string, part: string | undefined): string {
  return part === undefined ? text : `${text}\n${part}`;
}

const mostDepth = 3;

/** Adds the texts of a cause, whatever its kind. */
function withFacts(text: string, value: unknown, depth: number): string {
  if (typeof value === "string") return added(text, value);
  if (value instanceof Error) return added(text, value.message);
  if (typeof value !== "object" || value === null || depth === 0) return text;
  let whole = text;
  for (const name in value) {
    // The existing paths and methods: the same for every request.
    if (name === "known" || name === "allowed") continue;
    whole = withFacts(whole, (value as Record<string, unknown>)[name], depth - 1);
  }
  return whole;
}
