import { claimedClients } from "./claimed-clients.js";
import type { Exchange } from "./exchange.js";
import type { HandshakeRecord } from "./journal.js";
import { redactTarget, redactText } from "./redact.js";

/**
 * The text of an exchange in which a query looks for words: what a person sees of it in a list, and the facts that its explanation rests
 * on; in lower case. It holds no secret: a search must not find what an answer does not show.
 */
export function requestText(exchange: Exchange): string {
  const { method, status, code, operation, list, correlationId, injected, connection, refusal } = exchange;
  const parts: (string | number | undefined)[] = [method, status, code, operation, list, correlationId, injected];
  parts.push(...claimedClients(exchange), ...exchange.unknownParameters, connection?.serverDefect?.defect);
  if (refusal) addFacts(refusal.reason, parts, mostDepth);
  return joined(redactTarget(exchange.target), parts);
}

/** The same for a handshake. */
export function handshakeText(record: HandshakeRecord): string {
  const { cause, code, alert, reason, remoteAddress, serverName, protocol, serverDefect, certificate } = record;
  const parts = [code, alert, reason, remoteAddress, serverName, protocol, serverDefect?.defect, certificate?.subject];
  return joined(cause, parts);
}

function joined(first: string, parts: readonly (string | number | undefined)[]): string {
  let text = first;
  for (const part of parts) if (part !== undefined) text += `\n${part}`;
  return redactText(text).toLowerCase();
}

const mostDepth = 3;

/** The paths and methods that there are: the same for every request. */
const notOfTheRequest = new Set(["known", "allowed"]);

/** Texts of a cause, whatever its kind. */
function addFacts(value: unknown, parts: (string | number | undefined)[], depth: number): void {
  if (typeof value === "string") parts.push(value);
  else if (value instanceof Error) parts.push(value.message);
  else if (typeof value === "object" && value !== null && depth > 0) {
    for (const [name, member] of Object.entries(value))
      if (!notOfTheRequest.has(name)) addFacts(member, parts, depth - 1);
  }
}
