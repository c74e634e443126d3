import type { X509Certificate } from "node:crypto";
import { request } from "node:https";
import { isIP } from "node:net";
import { text } from "node:stream/consumers";
import { connect } from "node:tls";
import { systemClock } from "../../clock.js";
import { second } from "../../text/duration.js";
import type { KeyMaterial } from "./identity.js";
import { basePathOf, portOf } from "./sandbox-view.js";

/** How long an answer may take, in milliseconds. */
const timeoutMs = 15 * second;

/** An answer of the API. */
export interface Answer {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The machine's time in the middle of the exchange, in milliseconds since the epoch. */
  readonly at: number;
}

/** With what requests are sent. */
export interface Channel {
  readonly url: URL;
  /** CAs to trust, PEM; those of the system when undefined. */
  readonly ca: readonly string[] | undefined;
  readonly tls: KeyMaterial | undefined;
}

/** Sends a request with full verification, on a connection of its own. @throws what Node's HTTPS client throws */
export function send(
  { url, ca, tls }: Channel,
  path: string,
  { method = "GET", headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  const begun = systemClock.now();
  return new Promise((resolve, reject) => {
    const outgoing = request({
      ...place(url),
      path: basePathOf(url) + path,
      method,
      headers,
      agent: false,
      timeout: timeoutMs,
      ...(ca && { ca: [...ca] }),
      ...tls,
    });
    outgoing.on("timeout", () => outgoing.destroy(timeOut()));
    outgoing.on("error", reject);
    outgoing.on("response", (incoming) => {
      const at = (begun + systemClock.now()) / 2;
      // Node joins repeated headers, but for Set-Cookie.
      const answerHeaders = incoming.headers as Record<string, string | undefined>;
      text(incoming).then(
        (answer) => resolve({ status: incoming.statusCode ?? 0, headers: answerHeaders, text: answer, at }),
        reject,
      );
    });
    outgoing.end(body);
  });
}

function timeOut(): Error {
  return Object.assign(new Error(`no answer within ${timeoutMs / 1000} s`), { code: "ETIMEDOUT" });
}

/** A certificate that a server shows. */
interface ShownCertificate {
  readonly certificate: X509Certificate | undefined;
  /** Node's code for what is wrong with the chain. */
  readonly problem: string | undefined;
}

/** Looks at a certificate that was not trusted. The only place without verification: nothing is sent over the connection. */
export function lookAtServer({ url, ca, tls }: Channel): Promise<ShownCertificate | undefined> {
  return new Promise((resolve) => {
    const { host, port, servername } = place(url);
    const options = { host, port, ...(servername && { servername }), ...(ca && { ca: [...ca] }), ...tls };
    const socket = connect({ ...options, rejectUnauthorized: false, checkServerIdentity: () => undefined }, () => {
      const problem = socket.authorized ? undefined : String(socket.authorizationError);
      resolve({ certificate: socket.getPeerX509Certificate(), problem });
      socket.destroy();
    });
    socket.setTimeout(timeoutMs, () => socket.destroy(timeOut()));
    socket.on("error", () => resolve(undefined));
  });
}

/** What answers plain HTTP at a port: the admin API of a sandbox, with the port of its API; something else; nothing. */
export async function askPlainly(url: URL): Promise<{ readonly api: number } | "http" | undefined> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(`http://${url.hostname}:${portOf(url)}/health`, { redirect: "manual", signal });
    const health = (await response.json().catch(() => null)) as { ports?: { api?: unknown } } | null;
    const api = health?.ports?.api;
    return typeof api === "number" ? { api } : "http";
  } catch {
    return undefined;
  }
}

/** Host, port and, where the host is a name, the name for SNI. */
export function place(url: URL) {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return { host, port: Number(portOf(url)), ...(isIP(host) === 0 && { servername: host }) };
}
