import { X509Certificate } from "node:crypto";
import { isIPv6 } from "node:net";
import { checkServerIdentity, connect, type PeerCertificate } from "node:tls";
import { second } from "../../base/text/duration.js";
import { jsonObject } from "../../base/text/json-object.js";
import { placeOf, portOf } from "../../library/base-url.js";
import { alpnProtocols } from "../../sandbox/connection/alpn.js";
import { getPlainly } from "../plain-http.js";
import type { KeyMaterial } from "./identity.js";

/** How long an answer may take, in milliseconds. */
export const timeoutMs = 15 * second;

/**
 * Marks the doctor's connections in the list of ALPN, for the journal. Servers ignore names that they do not know (RFC
 * 7301 §3.2).
 */
export const doctorName = "payments-sandbox-doctor";

/** Longest answer over plain HTTP that is read, in bytes. */
const longestHealth = 10_000;

/** The address and the TLS files for requests. */
export interface Channel {
  readonly url: URL;
  /** CAs to trust, PEM; those of the system when undefined. */
  readonly ca: readonly string[] | undefined;
  readonly tls: KeyMaterial | undefined;
}

/**
 * The options of `connect` to reach the server.
 * @param offers the versions of HTTP that are offered by ALPN
 */
export function tlsTo({ url, ca, tls }: Channel, offers: readonly string[] = alpnProtocols) {
  const place = placeOf(url);
  return {
    ...place,
    ...(isIPv6(place.host) && { checkServerIdentity: checkAddress }),
    ...(ca && { ca: [...ca] }),
    ...tls,
    ALPNProtocols: [...offers],
  };
}

/** Node 22.23 itself compares an IPv6 address with the names of a certificate, and not with its addresses. */
function checkAddress(address: string, certificate: PeerCertificate): Error | undefined {
  return new X509Certificate(certificate.raw).checkIP(address) === undefined
    ? checkServerIdentity(address, certificate)
    : undefined;
}

/** The error of a connection without an answer in time. */
export function timeOut(): Error {
  return Object.assign(new Error(`no answer within ${timeoutMs / 1000} s`), { code: "ETIMEDOUT" });
}

/** A certificate that a server shows. */
export interface ShownCertificate {
  readonly certificate: X509Certificate;
  /** Node's code for the problem of the chain. */
  readonly problem: string | undefined;
}

/**
 * Reads a certificate that was not trusted. This is the only place without verification: nothing is sent over the
 * connection.
 */
export function lookAtServer(channel: Channel): Promise<ShownCertificate | undefined> {
  return new Promise((resolve) => {
    const options = tlsTo(channel);
    const socket = connect({ ...options, rejectUnauthorized: false, checkServerIdentity: () => undefined }, () => {
      const problem = socket.authorized ? undefined : String(socket.authorizationError);
      const certificate = socket.getPeerX509Certificate();
      resolve(certificate && { certificate, problem });
      socket.destroy();
    });
    socket.setTimeout(timeoutMs, () => socket.destroy(timeOut()));
    socket.on("error", () => resolve(undefined));
  });
}

/**
 * What answers plain HTTP at a port: the admin API of a sandbox, with the port of its API; something else; or nothing.
 */
export async function askPlainly(url: URL): Promise<{ readonly api: number } | "http" | undefined> {
  try {
    const { body } = await getPlainly(`http://${url.hostname}:${portOf(url)}/health`, {
      timeoutMs,
      longest: longestHealth,
    });
    const { ports } = jsonObject(body?.toString() ?? "");
    const { api } = (ports ?? {}) as { api?: unknown };
    return typeof api === "number" ? { api } : "http";
  } catch {
    return undefined;
  }
}
