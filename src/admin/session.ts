import { createHmac } from "node:crypto";

// A browser cannot add a bearer token to a page, a download or an EventSource. It gets a cookie for it, which holds something
// that is derived from the token: cookies of `localhost` go to every port there, and the token is nobody else's business.

/**
 * The name of the cookie: cookies know no ports, so that each sandbox of a machine needs one of its own.
 * @param host the `Host` of the request
 */
export function sessionCookieName(host: string | undefined): string {
  return `sandbox-session-${/:(\d{1,5})$/.exec(host ?? "")?.[1] ?? "80"}`;
}

/** What the cookie holds for whoever has shown the token. It is good as long as the token is. */
export function sessionValue(token: Uint8Array): string {
  return createHmac("sha256", token).update("payments-sandbox dashboard session").digest("base64url");
}

/** The value of a cookie in a `Cookie` header (RFC 6265 §5.4); undefined where it is not there, or there twice. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const values = (header ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? values[0] : undefined;
}

/**
 * The `Set-Cookie` of a session, without a value to end one. Scripts cannot read it, and other sites' pages cannot send it;
 * those of the same site, at other ports, are kept out by the guard. Plain HTTP: `Secure` would keep the browser from sending it.
 */
export function sessionCookie(name: string, value: string | undefined): string {
  const end = value === undefined ? "; Max-Age=0" : "";
  return `${name}=${value ?? ""}; Path=/; HttpOnly; SameSite=Strict${end}`;
}
