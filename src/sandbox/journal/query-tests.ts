import { TextPattern } from "../scenarios/text-pattern.js";
import { type AnyEntry, type HandshakeRecord, isRequest } from "./entry.js";
import type { Exchange } from "./exchange.js";
import type { Outcome } from "./outcome.js";

/**
 * What is read of an entry with more than its own members. The keys of a query get it, and do not import it: the
 * dashboard has the keys as well, and compares no entries.
 */
export interface EntryReader {
  outcomeOf(entry: AnyEntry): Outcome;
  /** The client for which a certificate is registered. */
  holderOf(thumbprint: string): string | undefined;
  claimedClients(exchange: Exchange): readonly (string | undefined)[];
  tokenIdOf(exchange: Exchange): string | undefined;
  traceIdOf(exchange: Exchange): string | undefined;
  redactText(text: string): string;
  redactHeaders(rawHeaders: readonly string[]): readonly (readonly [name: string, value: string])[];
  /** Whether the form that was sent, or the body of the answer, has a text, without secrets. */
  bodyHas(exchange: Exchange, contains: (text: string) => boolean): boolean;
}

/** Whether an entry satisfies a term. */
export type EntryTest = (entry: AnyEntry, read: EntryReader) => boolean;

/**
 * Makes the test of a term.
 * @param value in lower case
 * @param isQuoted whether `*` is a `*`
 */
export type TestOf = (value: string, isQuoted: boolean) => EntryTest;

type Texts = readonly (string | undefined)[];

/**
 * Compares texts of an entry with a value, ignoring case, with `*` for any characters.
 * @param request of an exchange
 * @param handshake of a handshake; without it, none matches
 */
export function like(
  request: ((exchange: Exchange, read: EntryReader) => Texts) | undefined,
  handshake?: (record: HandshakeRecord, read: EntryReader) => Texts,
): TestOf {
  return (value, isQuoted) => {
    const isLike = likeness(value, isQuoted);
    return (entry, read) => {
      const texts = isRequest(entry) ? request?.(entry.item, read) : handshake?.(entry.item, read);
      return texts?.some((text) => text !== undefined && isLike(text.toLowerCase())) === true;
    };
  };
}

/** The same for a text of which the beginning is enough. */
export function beginning(request: (exchange: Exchange) => string | undefined): TestOf {
  return (value, isQuoted) => {
    const isLike =
      !isQuoted && value.includes("*") ? likeness(`${value}*`, false) : (text: string) => text.startsWith(value);
    return ofRequest((exchange) => {
      const text = request(exchange);
      return text !== undefined && isLike(text.toLowerCase());
    });
  };
}

/** Compares a number of an exchange, as `>100ms` or `<=2kb` say. */
export function compare(read: (exchange: Exchange) => number): TestOf {
  return (value) => {
    const holds = comparison(value);
    return ofRequest((exchange) => holds(read(exchange)));
  };
}

/** A test of exchanges alone. */
export function ofRequest(test: (exchange: Exchange, read: EntryReader) => boolean): EntryTest {
  return (entry, read) => isRequest(entry) && test(entry.item, read);
}

/** Tests whether a text has a part, in lower case; `*` stands for any characters unless it was quoted. */
export function containing(part: string, isQuoted: boolean): (text: string) => boolean {
  if (isQuoted || !part.includes("*")) return (text) => text.includes(part);
  const pattern = new TextPattern(`*${part}*`);
  return (text) => pattern.matches(text);
}

/** Tests whether a whole text is a value, in lower case. */
export function likeness(value: string, isQuoted: boolean): (text: string) => boolean {
  if (isQuoted || !value.includes("*")) return (text) => text === value;
  const pattern = new TextPattern(value);
  return (text) => pattern.matches(text);
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, b: 1, kb: 1000, mb: 1_000_000 };

/** @param text with a comparison, a number and a unit of time or size */
function comparison(text: string): (value: number) => boolean {
  const [, sign, number, unit = ""] = /^([<>]=?)([\d.]+)([a-z]+)$/i.exec(text) ?? [];
  const bound = Number(number) * (units[unit.toLowerCase()] ?? Number.NaN);
  if (sign === ">") return (value) => value > bound;
  if (sign === ">=") return (value) => value >= bound;
  return sign === "<" ? (value) => value < bound : (value) => value <= bound;
}
