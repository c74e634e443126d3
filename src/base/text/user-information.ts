/** Replaces a secret. */
export const redacted = "[redacted]";

/**
 * The user information of a URL, with or without a scheme (RFC 3986 §3.2.1 and §4.2). Some put a token there instead of
 * a user and a password. A URL that was taken for a path has lost a slash.
 */
const userInformation = /(\/\/|:\/)[^\s/?#"'<>\\]*@/g;

/** A text without the user and the password of every URL in it. */
export function withoutUserInformation(text: string): string {
  return text.replaceAll(userInformation, `$1${redacted}@`);
}

/**
 * One URL without its user and password. It need not be valid: people forget to encode the `/`, `?`, `#` or `@` of a
 * password, so everything up to the last `@` is left out.
 */
export function shownUrl(text: string): string {
  return text.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, `$1${redacted}@`);
}
