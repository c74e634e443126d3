import { claimedClients } from "./claimed-clients.js";
import type { Exchange } from "./exchange.js";
import { type AnyEntry, type HandshakeRecord, isRequest } from "./journal.js";
import { redactTarget, redactText } from "./redact.js";

/**
 * The text of an entry in which words are searched: made once for all words of a query. One for all queries: a hundred
 * streams of events may read the same entry, one after the other.
 */
export const textOf = textOnce();

function textOnce(): (entry: AnyEntry) => string {
  let of: AnyEntry | undefined;
  let text = "";
  return (entry) => {
    if (of !== entry) {
      text = isRequest(entry) ? requestText(entry.item) : handshakeText(entry.item);
      of = entry;
    }
    return text;
  };
}

/**
 * The text of an exchange in which a query looks for words: what a list shows of it, and the facts of its explanation;
 * in lower case. It has no secrets: a search must not find what an answer does not show.
 */
function requestText(exchange: Exchange): string {
  const { target, method, status, code, operation, list, correlationId, injected, connection, refusal, peer } =
    exchange;
  const seen = [method, String(status), correlationId, code, operation, list, injected];
  const thumbprint = peer.kind === "none" ? undefined : peer.certificate.thumbprint;
  const found = [
    thumbprint,
    connection?.serverDefect?.defect,
    ...claimedClients(exchange),
    ...exchange.unknownParameters,
  ];
  const text = lines([...seen, ...found, ...textsOf(refusal?.reason, mostDepth)]);
  return redactText(`${redactTarget(target)}\n${text}`).toLowerCase();
}

/** The same for a handshake. */
function handshakeText(record: HandshakeRecord): string {
  const { cause, code, alert, reason, remoteAddress, serverName, protocol, serverDefect, certificate } = record;
  const peer = [remoteAddress, serverName, protocol, serverDefect?.defect, certificate?.subject];
  return redactText(lines([cause, code, alert, reason, ...peer])).toLowerCase();
}

function lines(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join("\n");
}

const mostDepth = 3;

/** The texts of a cause, whatever its kind. */
function textsOf(value: unknown, depth: number): string[] {
  if (typeof value === "string") return [value];
  if (value instanceof Error) return [value.message];
  if (typeof value !== "object" || value === null || depth === 0) return [];
  // The existing paths and methods are the same for every request.
  const facts = Object.entries(value).filter(([name]) => name !== "known" && name !== "allowed");
  return facts.flatMap(([, fact]) => textsOf(fact, depth - 1));
}
