/** Replaces a secret. */
const redacted = "[redacted]";

const secretHeaders = new Set(["authorization", "proxy-authorization", "cookie", "set-cookie"]);

const secretParameter = /^(access_token|client_secret|client_assertion|refresh_token|password)$/i;

/** Consecutive letters of base64url and dots, perhaps percent-encoded, at least as many as in the shortest token. */
const tokenLetters = /[\w.%-]{20,}/g;
/** The beginning of a JWT header: it is a JSON object. */
const tokenStart = "eyJ";
const shortestHeader = 11;
const shortestPayload = 8;

/** The value of `access_token` in a JSON body, in case it is not a JWT: scenarios can send any answer. */
const tokenMember = /("access_token"\s*:\s*")[^"]*/g;

/** A private key in PEM form, percent-encoded or not; also a truncated one. */
const privateKey =
  /-----BEGIN(?:[ +]|%20)(?:[A-Z]+(?:[ +]|%20))?PRIVATE(?:[ +]|%20)KEY-----[\s\S]*?(?:-----END[A-Z +%20]{1,40}KEY-----|$)/g;

/** A text without tokens and private keys, wherever it comes from. Takes time in proportion to the text. */
export function redactText(text: string): string {
  return text
    .replaceAll(tokenLetters, redactEncoded)
    .replaceAll(tokenMember, `$1${redacted}`)
    .replaceAll(privateKey, redacted);
}

/** Returns letters without a token unchanged, and others decoded and redacted. */
function redactEncoded(letters: string): string {
  const plain = letters.replaceAll(/%([0-9a-f]{2})/gi, (_whole, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const kept = redactTokens(plain);
  return kept === plain ? letters : kept;
}

/** Removes the sandbox's tokens and any other JWT (RFC 7519), with or without signature, also between other letters. */
function redactTokens(letters: string): string {
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
    const value = rawHeaders[index + 1] as string;
    // A client that confuses name and value sends its token as a name.
    pairs.push([
      redactText(name),
      secretHeaders.has(name.toLowerCase()) ? redactCredentials(value) : redactText(value),
    ]);
  }
  return pairs;
}

function redactCredentials(value: string): string {
  const scheme = /^(bearer|basic|digest|dpop) /i.exec(value)?.[1];
  return scheme ? `${scheme} ${redacted}` : redacted;
}

/** A request target without tokens and secrets in its query, whatever the encoding of their names is. */
export function redactTarget(target: string): string {
  const question = target.indexOf("?");
  if (question < 0) return redactText(target);
  const pairs = target.slice(question + 1).split("&");
  return redactText(`${target.slice(0, question)}?${pairs.map(redactPair).join("&")}`);
}

function redactPair(pair: string): string {
  const equals = pair.indexOf("=");
  if (equals < 0) return pair;
  const name = pair.slice(0, equals);
  return secretParameter.test(decoded(name)) ? `${name}=${redacted}` : pair;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/** A decoded form without secrets. */
export function redactForm(
  form: ReadonlyMap<string, readonly (string | null)[]>,
): { name: string; values: (string | null)[] }[] {
  return [...form].map(([name, values]) => ({
    name: redactText(name),
    values: values.map((value) => (secretParameter.test(name) ? redacted : value === null ? null : redactText(value))),
  }));
}
