import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { quote } from "../../base/text/printable.js";
import { CertsError } from "./certs.js";

/** Names and addresses that the server always has: on this machine, under compose, and from other containers. */
const standingHostnames: readonly string[] = ["localhost", "sandbox", "host.docker.internal", "127.0.0.1", "::1"];

/** RFC 1123 §2.1, with the underscore: host names may not have it, but names of compose services may. */
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * The names of the server's certificate: those that it always has, then the configured ones, each once, in canonical
 * form.
 * @throws CertsError when one is neither a host name nor an IP address
 */
export function serverHostnames(configured: readonly string[]): string[] {
  return [...new Set([...standingHostnames, ...configured.map(canonicalHostname)])];
}

/**
 * The canonical form of a host name (lower case, RFC 5890 A-labels) or an IP address (RFC 5952, without brackets).
 * @throws CertsError when it is neither
 */
export function canonicalHostname(text: string): string {
  const bare = text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text;
  const version = bare.includes("%") ? 0 : isIP(bare);
  if (version === 4) return bare;
  if (version === 6) return new URL(`http://[${bare}]`).hostname.slice(1, -1);

  if (text.includes("*")) throw invalid(text, "wildcards are not supported: give each name");
  if (/[/:@?#[\]\s]/.test(text))
    throw invalid(text, "give only a host name or an IP address, without scheme, port or path");
  const name = domainToASCII(text).replace(/\.$/, "");
  const labels = name.split(".");
  if (name === "" || name.length > 253 || !labels.every((part) => label.test(part))) {
    throw invalid(text, "it is neither a host name nor an IP address");
  }
  // RFC 1123 §2.1: the last label of a host name is never all digits; `127.1` is a mistake.
  if (/^\d+$/.test(labels.at(-1) ?? "")) throw invalid(text, "it is not a complete IP address");
  return name;
}

/** The bytes of a canonical IP address: 4 or 16. Undefined for a host name. */
export function addressBytes(hostname: string): Buffer | undefined {
  const version = isIP(hostname);
  if (version === 4) return Buffer.from(hostname.split(".").map(Number));
  if (version !== 6) return undefined;
  const [before = [], after = []] = hostname.split("::").map((half) => half.split(":").filter(Boolean));
  const zeros = Array<string>(8 - before.length - after.length).fill("0");
  return Buffer.from([...before, ...zeros, ...after].map((group) => group.padStart(4, "0")).join(""), "hex");
}

function invalid(text: string, reason: string): CertsError {
  return new CertsError("HOSTNAME_INVALID", `${quote(text, 300)} cannot be a name of the server: ${reason}.`);
}
