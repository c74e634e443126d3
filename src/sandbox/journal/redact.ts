import { redacted, withoutUserInformation } from "../../base/text/user-information.js";
import { redactMembers } from "./redact-members.js";
import { anySecretName, isSecretName, namedSecret, type SecretPlace } from "./secret-names.js";

/** Texts that are redacted match this, unless a part of them is percent-encoded. It takes a tenth of the time. */
const mark = new RegExp(`eyJ|PRIVATE|@|<|name=|\\\\u00|${namedSecret.source}`, "i");

/** A name may be written in another way: percent-encoded, or with a plus sign for a space. */
const encodes = /[%+]/;

/** Consecutive characters that may be percent-encoded. */
const encoded = /[\w.~+*!()%-]+/g;

/** How often a text can be percent-encoded and is still understood: a URL in a parameter of a URL. */
const mostDecodings = 2;

/** Consecutive letters of base64url and dots, at least as many as in the shortest token. */
const tokenLetters = /[\w.-]{20,}/g;
/** The beginning of a JWT header: it is a JSON object. */
const tokenStart = "eyJ";
const shortestHeader = 11;
const shortestPayload = 8;

/** A private key in PEM form; also a truncated one. */
const privateKey = /-----BEGIN[ +](?:[A-Z]+[ +])?PRIVATE[ +]KEY-----[\s\S]*?(?:-----END[A-Z +]{1,40}KEY-----|$)/g;

/**
 * A name before a value, as in a query, a form, a cookie, or an attribute of XML. A longer name is known by its end.
 */
const assignedName = /([\w.$%+[\]-]{1,64})=/g;
const assignedValue = /(["']?)(?:(?<=")[^"]+"?|(?<=')[^']+'?|[^&\s"'<>\\]+)/y;

/** A field of a multipart form (RFC 7578 §4.2), also one that is cut off. */
const field =
  /(\bname="?)([^"\r\n;]{1,64})("?[^\r\n]{0,200}(?:\r?\n[^\r\n]{1,200}){0,5}\r?\n\r?\n)([\s\S]*?)(?=\r?\n--|$)/g;

/**
 * A text without secrets, wherever it comes from: tokens, private keys, passwords in URLs, and what has the name of a
 * secret. Takes time in proportion to the text.
 * @param place the names that are secret in its JSON and XML
 */
export function redactText(text: string, place: SecretPlace = "member"): string {
  return redactDecoded(text, place, mostDecodings);
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

function redactDecoded(text: string, place: SecretPlace, decodings: number): string {
  const known = decodings === 0 || !text.includes("%") ? text : redactEncoded(text, place, decodings - 1);
  const mayHide = mark.test(known) || (encodes.test(known) && known.includes("="));
  return mayHide ? redactPlain(known, place) : known;
}

/** Returns letters without a secret unchanged, and others decoded and redacted. */
function redactEncoded(text: string, place: SecretPlace, decodings: number): string {
  return text.replaceAll(encoded, (letters) => {
    if (!letters.includes("%")) return letters;
    const plain = decodeLetters(letters);
    const kept = redactDecoded(plain, place, decodings);
    return kept === plain ? letters : kept;
  });
}

function redactPlain(text: string, place: SecretPlace): string {
  const kept = redactMembers(
    text.replaceAll(tokenLetters, redactTokens).replaceAll(privateKey, redacted),
    (name) => isSecretName(name, place),
    redacted,
  );
  return redactAssigned(withoutUserInformation(kept)).replaceAll(
    field,
    (whole, before: string, name: string, between: string) =>
      isSecretParameter(name) ? `${before}${name}${between}${redacted}` : whole,
  );
}

function redactAssigned(text: string): string {
  const kept: string[] = [];
  let place = 0;
  for (const { 0: whole, 1: name = "", index } of text.matchAll(assignedName)) {
    if (index < place || !isSecretParameter(name)) continue;
    const start = index + whole.length;
    assignedValue.lastIndex = start;
    const [value, quote] = assignedValue.exec(text) ?? [];
    if (value === undefined) continue;
    kept.push(text.slice(place, start), `${quote}${redacted}${quote}`);
    place = start + value.length;
  }
  return kept.join("") + text.slice(place);
}

/** Removes the sandbox's tokens and any other JWT (RFC 7519), with or without signature, also between other letters. */
function redactTokens(letters: string): string {
  if (!letters.includes(tokenStart)) return letters;
  const parts = letters.split(".");
  const kept: string[] = [];
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] as string;
    const start = part.indexOf(tokenStart);
    const isHeader = start >= 0 && part.length - start >= shortestHeader;
    if (!isHeader || (parts[index + 1]?.length ?? 0) < shortestPayload) {
      kept.push(part);
      continue;
    }
    kept.push(part.slice(0, start) + redacted);
    // The payload and the signature.
    index += 2;
  }
  return kept.join(".");
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

/** A request target without tokens and secrets in its query, whatever the encoding of their names is. */
export function redactTarget(target: string): string {
  if (!mark.test(target) && !encodes.test(target)) return target;
  // CONNECT has an authority only (RFC 9112 §3.2.3).
  if (!target.startsWith("/") && !target.includes("://")) return redactText(redactAuthority(target));
  const question = target.indexOf("?");
  if (question < 0) return redactText(target);
  const pairs = target.slice(question + 1).split("&");
  return redactText(`${target.slice(0, question)}?${pairs.map(redactPair).join("&")}`);
}

function redactPair(pair: string): string {
  const equals = pair.indexOf("=");
  if (equals < 0 || equals === pair.length - 1) return pair;
  const name = pair.slice(0, equals);
  return isSecretParameter(name) ? `${name}=${redacted}` : pair;
}

/**
 * Whether a parameter has the name of a secret, in any encoding; also one that cannot be decoded but contains such a
 * name.
 */
function isSecretParameter(name: string): boolean {
  // A form writes a space as a plus sign.
  if (isSecretName(name.replaceAll("+", " ").trim(), "parameter")) return true;
  if (!name.includes("%")) return false;
  let decoded = name;
  try {
    for (let count = 0; count < mostDecodings; count++) {
      decoded = decodeURIComponent(decoded.replaceAll("+", " "));
      if (isSecretName(decoded.trim(), "parameter")) return true;
    }
    return false;
  } catch {
    return withinName.test(decodeLetters(decoded));
  }
}

const withinName = new RegExp(anySecretName, "i");

function decodeLetters(letters: string): string {
  return letters.replaceAll(/%([0-9a-f]{2})/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** A decoded form without secrets. What is no form although its type says so is one name. */
export function redactForm(
  form: ReadonlyMap<string, readonly (string | null)[]>,
): { name: string; values: (string | null)[] }[] {
  const [first = ""] = form.keys();
  if (/^\s*(?:[{["<]|--)/.test(first)) return [{ name: redactText(textOf(form), "parameter"), values: [""] }];
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
