import { createHmac } from "node:crypto";

// A browser cannot add a bearer token to a page, a download or an EventSource, so it gets a cookie. The cookie holds a value that is
// derived from the token and not the token itself, because cookies of `localhost` are sent to every port there.

/**
 * The name of the cookie. Cookies do not distinguish ports, so each sandbox of a machine needs another name.
 * @param host the `Host` of the request
 */
export function sessionCookieName(host: string | undefined): string {
  return `sandbox-session-${/:(\d{1,5})$/.exec(host ?? "")?.[1] ?? "80"}`;
}

/** What the cookie holds once the token was given. It is valid as long as the token. */
export function sessionValue(token: Uint8Array): string {
  return createHmac("sha256", token).update("payments-sandbox dashboard session").digest("base64url");
}

/** The value of a cookie in a `Cookie` header (RFC 6265 §5.4); undefined where it is missing or sent twice. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const values = (header ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? values[0] : undefined;
}

/**
 * The `Set-Cookie` of a session, without a value to end one. Scripts cannot read it, and pages of other sites cannot send it.
 * The guard refuses pages of the same site at other ports. Over plain HTTP, `Secure` would keep the browser from sending it.
 */
export function sessionCookie(name: string, value: string | undefined): string {
  const end = value === undefined ? "; Max-Age=0" : "";
  return `${name}=${value ?? ""}; Path=/; HttpOnly; SameSite=Strict${end}`;
}
