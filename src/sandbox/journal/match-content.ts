import { TextPattern } from "../scenarios/text-pattern.js";
import type { Exchange } from "./exchange.js";
import { redactForm, redactHeaders, redactText } from "./redact.js";

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, b: 1, kb: 1000, mb: 1_000_000 };

/**
 * Compares a number, as `>100ms` or `<=2kb` say.
 * @param text with a comparison, a number and a unit
 * @returns whether a number of milliseconds, or of bytes, satisfies it
 */
export function comparison(text: string): (value: number) => boolean {
  const [, sign, number, unit = ""] = /^([<>]=?)([\d.]+)([a-z]+)$/i.exec(text) ?? [];
  const bound = Number(number) * (units[unit.toLowerCase()] ?? Number.NaN);
  if (sign === ">") return (value) => value > bound;
  if (sign === ">=") return (value) => value >= bound;
  return sign === "<" ? (value) => value < bound : (value) => value <= bound;
}

/** Tests whether a text has a part, in lower case; `*` stands for any characters unless it was quoted. */
function containing(part: string, isQuoted: boolean): (text: string) => boolean {
  if (isQuoted || !part.includes("*")) return (text) => text.includes(part);
  const pattern = new TextPattern(`*${part}*`);
  return (text) => pattern.matches(text);
}

/**
 * Tests the headers of a request and its answer, without secrets.
 * @param value a name, or name and value with `=`; in lower case
 */
export function headerTest(value: string, isQuoted: boolean): (exchange: Exchange) => boolean {
  const equals = value.indexOf("=");
  const name = equals < 0 ? value : value.slice(0, equals);
  const wanted = equals < 0 ? "*" : value.slice(equals + 1);
  const pattern = equals >= 0 && isQuoted ? undefined : new TextPattern(wanted);
  const matches = (text: string) => (pattern ? pattern.matches(text) : text === wanted);
  return ({ rawHeaders, headersOfAnswer }) => {
    const all = [...rawHeaders, ...headersOfAnswer];
    // Redacting takes longer than all the rest.
    const chosen = all.flatMap((text, index) => {
      const isName = index % 2 === 0 && text.toLowerCase() === name;
      return isName ? [text, all[index + 1] ?? ""] : [];
    });
    return redactHeaders(chosen).some(([, text]) => matches(text.toLowerCase()));
  };
}

/**
 * Tests the form that was sent, and the body of the answer, without secrets.
 * @param part in lower case
 */
export function bodyTest(part: string, isQuoted: boolean): (exchange: Exchange) => boolean {
  const contains = containing(part, isQuoted);
  return ({ form, answerBody }) => {
    const sent = form && redactForm(form).map(({ name, values }) => `${name}=${values.join("\n")}`);
    if (sent?.some((text) => contains(text.toLowerCase()))) return true;
    // Redacting takes longer than searching.
    if (answerBody === undefined || !contains(answerBody.toLowerCase())) return false;
    return contains(redactText(answerBody).toLowerCase());
  };
}
