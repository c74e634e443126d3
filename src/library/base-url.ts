import { isIP } from "node:net";

/** The path of a base URL, without a slash at its end. */
export function basePathOf({ pathname }: URL): string {
  return pathname.replace(/\/$/, "");
}

/** The port of a URL, also if it is the default of the scheme. */
export function portOf({ port, protocol }: URL): string {
  return port || (protocol === "https:" ? "443" : "80");
}

/** Host and port to connect to; if the host is a name, also the name for SNI. */
export function placeOf(url: URL) {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return { host, port: Number(portOf(url)), ...(isIP(host) === 0 && { servername: host }) };
}
