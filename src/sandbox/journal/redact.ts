import { redacted, withoutUserInformation } from "../../base/text/user-information.js";
import { isSecretName, namedSecret, type SecretPlace } from "./secret-names.js";

/** Texts that are redacted match this, unless a part of them is percent-encoded. It takes a tenth of the time. */
const mark = new RegExp(`eyJ|PRIVATE|@|[%+]|${namedSecret.source}`, "i");

/** Consecutive characters that may be percent-encoded. */
const encoded = /[\w.~+*!()%-]+/g;

/**
 * A JWT (RFC 7519), with or without its signature, also behind other letters: its header is a JSON object. It is tried
 * only where letters begin, and only at the first beginning of a header, so that many beginnings take linear time.
 */
const jwt = /(?<![\w-])((?:(?!eyJ)[\w-])*)eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g;

/** A private key in PEM form; also one that is cut off. */
const privateKey = /-----BEGIN[ +](?:[A-Z]+[ +])?PRIVATE[ +]KEY-----[\s\S]*?(?:-----END[A-Z +]{1,40}KEY-----|$)/g;

/** The name of a parameter before its value, as in a query, a form or a cookie. A longer name is known by its end. */
const parameter = /([\w.$%+[\]-]{1,64})=/g;
const parameterValue = /(["']?)(?:(?<=")[^"]+"?|(?<=')[^']+'?|[^&\s"'<>\\]+)/y;

/** The name of a member of JSON, and a value that is no object and no array; also one that is cut off. */
const member = /"([\w.$[\] :/-]{1,64})"\s*:\s*/g;
const scalar = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"?|[^\s",{}[\]]+/y;

/** They say that there is no value. */
const noValue = new Set(["null", "true", "false", '""']);

/**
 * A text without secrets, wherever it comes from: tokens, private keys, passwords in URLs, and parameters and members
 * of JSON that have the name of a secret. What is percent-encoded is decoded once. Takes time in proportion to the text.
 * @param place the names that are secret in its JSON
 */
export function redactText(text: string, place: SecretPlace = "member"): string {
  const decoded = text.includes("%") ? text.replaceAll(encoded, (letters) => redactEncoded(letters, place)) : text;
  return redactPlain(decoded, place);
}

/** Returns letters without a secret unchanged, and others decoded and redacted. */
function redactEncoded(letters: string, place: SecretPlace): string {
  if (!letters.includes("%")) return letters;
  const plain = decodeLetters(letters);
  const kept = redactPlain(plain, place);
  return kept === plain ? letters : kept;
}

function redactPlain(text: string, place: SecretPlace): string {
  if (!mark.test(text)) return text;
  const known = withoutUserInformation(text.replaceAll(jwt, `$1${redacted}`).replaceAll(privateKey, redacted));
  const isSecretMember = (name: string) => isSecretName(name, place);
  return redactNamed(
    redactNamed(known, member, isSecretMember, redactMember),
    parameter,
    isSecretParameter,
    redactValueOf,
  );
}

/**
 * Redacts the values of secret names.
 * @param redactAt returns the replacement of the value that begins at a place, and where it ends; undefined for none
 */
function redactNamed(
  text: string,
  names: RegExp,
  isSecret: (name: string) => boolean,
  redactAt: (text: string, start: number) => { readonly end: number; readonly replacement: string } | undefined,
): string {
  const kept: string[] = [];
  let place = 0;
  for (const { 0: whole, 1: name = "", index } of text.matchAll(names)) {
    if (index < place || !isSecret(name)) continue;
    const start = index + whole.length;
    const found = redactAt(text, start);
    if (found === undefined) continue;
    kept.push(text.slice(place, start), found.replacement);
    place = found.end;
  }
  return kept.join("") + text.slice(place);
}

function redactValueOf(text: string, start: number) {
  parameterValue.lastIndex = start;
  const [value, quote] = parameterValue.exec(text) ?? [];
  return value === undefined ? undefined : { end: start + value.length, replacement: `${quote}${redacted}${quote}` };
}

function redactMember(text: string, start: number) {
  const end = endOfValue(text, start);
  const value = text.slice(start, end);
  return value === "" || noValue.has(value) ? undefined : { end, replacement: `"${redacted}"` };
}

/** The place behind a value of JSON; the end of everything if a bracket or a quotation mark is not closed. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  let index = start;
  while (index < text.length) {
    scalar.lastIndex = index;
    const found = scalar.exec(text)?.[0].length;
    const character = text.charAt(index);
    if (found === undefined && "}]".includes(character)) depth -= 1;
    else if (found === undefined && "{[".includes(character)) depth += 1;
    if (depth < 0) return index;
    index += found ?? 1;
    if (depth === 0) return index;
  }
  return text.length;
}

/**
 * The credentials of a header `Authorization` (RFC 9110 §11.6.2), and a token after its scheme (RFC 6750 §2.1, RFC 9449
 * §7.1).
 */
const credentials =
  /\b((?:proxy-)?authorization["']?\s*[:=]\s*["']?(?:\w+ +)?|(?:bearer|dpop) +(?=\S*\d))[\w.~+/=-]{6,}/gi;

/** A flag of a command line, and its value: `--password x`, `--token='x y'`. */
const flagAndValue = /(?<![\w-])(--?)([a-z][\w-]*)(=| +(?!-))(?:'[^']*'|"[^"]*"|[^\s'"]+)/gi;

/**
 * What a program printed, or the command line that started it, without secrets: as `redactText`, and without the
 * credentials of a header and the value of a flag that has the name of a secret.
 */
export function redactPrinted(text: string): string {
  const withoutFlags = text.replaceAll(flagAndValue, (whole: string, dashes: string, name: string, between: string) =>
    isSecretName(name, "parameter") ? `${dashes}${name}${between}${redacted}` : whole,
  );
  return redactText(withoutFlags.replaceAll(credentials, `$1${redacted}`));
}

/** Headers as pairs, without credentials. The scheme stays, because an explanation may refer to it. */
export function redactHeaders(rawHeaders: readonly string[]): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    // A client that confuses name and value sends its token as a name.
    pairs.push([redactText(name), redactHeader(name, rawHeaders[index + 1] as string)]);
  }
  return pairs;
}

function redactHeader(name: string, value: string): string {
  if (isSecretName(name, "header")) return redactCredentials(value);
  // It is the authority of a URL.
  return redactText(name.toLowerCase() === "host" ? redactAuthority(value) : value);
}

function redactCredentials(value: string): string {
  const scheme = /^(bearer|basic|digest|dpop) /i.exec(value)?.[1];
  return scheme ? `${scheme} ${redacted}` : redacted;
}

function redactAuthority(text: string): string {
  return text.replace(/^[^/?#]*@/, `${redacted}@`);
}

/** A request target without tokens and secrets in its query, also if their names are percent-encoded. */
export function redactTarget(target: string): string {
  // CONNECT has an authority only (RFC 9112 §3.2.3).
  const hasPath = target.startsWith("/") || target.includes("://");
  return redactText(hasPath ? redactNamed(target, parameter, isSecretParameter, redactPair) : redactAuthority(target));
}

/** In a target, a value ends with its pair, whatever is in it. */
function redactPair(target: string, start: number) {
  const { length = 0 } = /^[^&#;]*/.exec(target.slice(start))?.[0] ?? "";
  return length === 0 ? undefined : { end: start + length, replacement: redacted };
}

/** Whether a parameter has the name of a secret, also if it is percent-encoded, or cannot be decoded. */
function isSecretParameter(name: string): boolean {
  // A form writes a space as a plus sign.
  const decoded = decodeLetters(name)
    .replaceAll("+", " ")
    .replaceAll(/%\w{0,2}/g, "");
  return isSecretName(decoded.trim(), "parameter");
}

function decodeLetters(letters: string): string {
  return letters.replaceAll(/%([0-9a-f]{2})/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** A decoded form without secrets. What is no form although its type says so is one name. */
export function redactForm(
  form: ReadonlyMap<string, readonly (string | null)[]>,
): { name: string; values: (string | null)[] }[] {
  const [first = ""] = form.keys();
  if (/^\s*[{[]/.test(first)) return [{ name: redactText(textOf(form), "parameter"), values: [""] }];
  return [...form].map(([name, values]) => ({
    name: redactText(name, "parameter"),
    values: values.map((value) => redactValue(name, value)),
  }));
}

function redactValue(name: string, value: string | null): string | null {
  // The parser of the form gives a name that cannot be decoded as half a surrogate pair.
  if (isSecretParameter(name) || /^[\ud800-\udfff]$/.test(name)) return value === "" ? value : redacted;
  return value === null ? null : redactText(value, "parameter");
}

function textOf(form: ReadonlyMap<string, readonly (string | null)[]>): string {
  return [...form].flatMap(([name, values]) => values.map((value) => (value ? `${name}=${value}` : name))).join("&");
}
