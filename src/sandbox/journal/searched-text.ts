import { claimedClients } from "./claimed-clients.js";
import { type AnyEntry, type HandshakeRecord, isRequest } from "./entry.js";
import type { Exchange } from "./exchange.js";
import { redactForm, redactHeaders, redactTarget, redactText } from "./redact.js";

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

/**
 * Whether a header or body has a text, without secrets. It takes longer than the rest, and is asked last.
 * @param contains gets a text in lower case
 */
export function contentHas(exchange: Exchange, contains: (text: string) => boolean): boolean {
  return headersHave(exchange, contains) || bodyHas(exchange, contains);
}

function headersHave({ rawHeaders, headersOfAnswer }: Exchange, contains: (text: string) => boolean): boolean {
  // Redacting takes longer than searching: only what has the text is redacted.
  const chosen = [...rawHeaders, ...headersOfAnswer].flatMap((name, index, all) => {
    const value = all[index + 1] ?? "";
    return index % 2 === 0 && contains(`${name}: ${value}`.toLowerCase()) ? [name, value] : [];
  });
  return (
    chosen.length > 0 && redactHeaders(chosen).some(([name, value]) => contains(`${name}: ${value}`.toLowerCase()))
  );
}

/** Whether the form that was sent, or the body of the answer, has a text, without secrets. */
export function bodyHas({ form, answerBody }: Exchange, contains: (text: string) => boolean): boolean {
  const sent = form && redactForm(form).map(({ name, values }) => `${name}=${values.join("\n")}`);
  if (sent?.some((text) => contains(text.toLowerCase()))) return true;
  if (answerBody === undefined || !contains(answerBody.toLowerCase())) return false;
  return contains(redactText(answerBody).toLowerCase());
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
