/** What stands in the place of a secret. */
export const redacted = "[redacted]";

const secretHeaders = new Set(["authorization", "proxy-authorization", "cookie", "set-cookie"]);

const secretParameters = "access_token|client_secret|client_assertion|refresh_token|password";

/** Headers as pairs, credentials taken out. The scheme stays, because it is what an explanation may be about. */
export function redactHeaders(rawHeaders: readonly string[]): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    const value = rawHeaders[index + 1] as string;
    pairs.push([name, secretHeaders.has(name.toLowerCase()) ? redactCredentials(value) : value]);
  }
  return pairs;
}

function redactCredentials(value: string): string {
  const scheme = /^(bearer|basic|digest|dpop) /i.exec(value)?.[1];
  return scheme ? `${scheme} ${redacted}` : redacted;
}

/** A request target without tokens and secrets in its query, however their names are encoded. */
export function redactTarget(target: string): string {
  const question = target.indexOf("?");
  if (question < 0) return target;
  const pairs = target.slice(question + 1).split("&");
  return `${target.slice(0, question)}?${pairs.map(redactPair).join("&")}`;
}

function redactPair(pair: string): string {
  const equals = pair.indexOf("=");
  if (equals < 0) return pair;
  const name = pair.slice(0, equals);
  return new RegExp(`^(${secretParameters})$`, "i").test(decoded(name)) ? `${name}=${redacted}` : pair;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/** The body of an answer without the token in it. */
export function redactBody(body: string): string {
  return body.replace(/("access_token":")[^"]*"/, `$1${redacted}"`);
}

/** A decoded form without secrets. */
export function redactForm(
  form: ReadonlyMap<string, readonly (string | null)[]>,
): { name: string; values: (string | null)[] }[] {
  const secret = new RegExp(`^(${secretParameters})$`, "i");
  return [...form].map(([name, values]) => ({
    name,
    values: values.map((value) => (secret.test(name) ? redacted : value)),
  }));
}
