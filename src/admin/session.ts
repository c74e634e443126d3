import { createHmac } from "node:crypto";

// A browser cannot send a bearer token for a page, a download or an EventSource, so it gets a cookie. Its value is
// derived from the token. It is not the token itself, because cookies of `localhost` are sent to every port there.

/**
 * The name of the cookie. Cookies do not distinguish ports, so each sandbox on a machine needs a different name.
 * @param host the `Host` of the request
 */
export function sessionCookieName(host: string | undefined): string {
  return `sandbox-session-${/:(\d{1,5})$/.exec(host ?? "")?.[1] ?? "80"}`;
}

/** The value of the cookie after sign-in. It is valid as long as the token. */
export function sessionValue(token: Uint8Array): string {
  return createHmac("sha256", token).update("payments-sandbox dashboard session").digest("base64url");
}

/** The value of a cookie in a `Cookie` header (RFC 6265 §5.4); undefined if it is missing or sent twice. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const values = (header ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? values[0] : undefined;
}

/**
 * The `Set-Cookie` of a session; without a value, it ends the session. Scripts cannot read the cookie, and pages of
 * other sites cannot send it. The guard refuses pages of the same site on other ports. `Secure` is not set: the browser
 * would not send it over plain HTTP.
 */
export function sessionCookie(name: string, value: string | undefined): string {
  const end = value === undefined ? "; Max-Age=0" : "";
  return `${name}=${value ?? ""}; Path=/; HttpOnly; SameSite=Strict${end}`;
}
