import { X509Certificate } from "node:crypto";
import { connect as startHttp2 } from "node:http2";
import { request } from "node:https";
import { isIPv6 } from "node:net";
import type { Readable } from "node:stream";
import { checkServerIdentity, connect, type PeerCertificate, type TLSSocket } from "node:tls";
import { second } from "../../base/text/duration.js";
import { jsonObject } from "../../base/text/json-object.js";
import { thousands } from "../../base/text/numbers.js";
import { basePathOf, placeOf, portOf } from "../../library/base-url.js";
import { systemClock } from "../../sandbox/clock.js";
import { alpnProtocols } from "../../sandbox/connection/alpn.js";
import { readBody } from "../../sandbox/connection/bounded-body.js";
import { getPlainly } from "../plain-http.js";
import type { Answer, Patient } from "./patient.js";

/** The content of a request, and the versions of HTTP that are offered by ALPN. */
export interface Content {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly offers?: readonly string[];
}

/** An answer whose body was not read yet. */
interface Head {
  readonly status: number;
  readonly headers: Answer["headers"];
  readonly body: Readable;
}

/** Longest answer, in bytes. */
const longestAnswer = 4 * 1024 * 1024;

/**
 * Sends a request with full verification, on a connection of its own, over the version of HTTP that the server chooses.
 * @throws what Node's clients throw
 */
export async function send(patient: Patient, path: string, content: Content = {}): Promise<Answer> {
  const begun = systemClock.now();
  const { url } = patient.inputs;
  const socket = await connected(patient, content.offers);
  try {
    const target = basePathOf(url) + path;
    const chosen = alpnProtocols.find((protocol) => protocol === socket.alpnProtocol);
    const exchange = chosen === "h2" ? overHttp2 : overHttp1;
    const { status, headers, body } = await exchange(socket, url, target, content);
    const at = (begun + systemClock.now()) / 2;
    const bytes = await readBody(body, longestAnswer);
    if (bytes === undefined) throw new Error(`the answer is longer than ${thousands(longestAnswer)} bytes`);
    return { status, headers, text: bytes.toString(), at, chosen };
  } catch (error) {
    throw socket.errored ?? error;
  } finally {
    socket.destroy();
  }
}

function connected(patient: Patient, offers: Content["offers"]): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect(tlsTo(patient, offers), () => resolve(socket));
    // The limit is for the whole exchange: a server that sends single bytes would restart an idle timer again and
    // again.
    const timer = setTimeout(() => socket.destroy(timeOut()), timeoutMs);
    socket.on("close", () => clearTimeout(timer));
    socket.on("error", reject);
  });
}

function overHttp1(socket: TLSSocket, url: URL, path: string, { method, headers, body }: Content): Promise<Head> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { path, method, headers, createConnection: () => socket });
    outgoing.on("error", reject);
    outgoing.on("upgrade", () => reject(new Error("the server answered 101 Switching Protocols")));
    outgoing.on("response", (incoming) => {
      // Node joins repeated headers, except Set-Cookie.
      const received = incoming.headers as Answer["headers"];
      resolve({ status: incoming.statusCode ?? 0, headers: received, body: incoming });
    });
    outgoing.end(body);
  });
}

function overHttp2(
  socket: TLSSocket,
  url: URL,
  path: string,
  { method = "GET", headers, body }: Content,
): Promise<Head> {
  return new Promise((resolve, reject) => {
    const session = startHttp2(url.origin, { createConnection: () => socket });
    session.on("error", reject);
    // Node 20 itself gives an IPv6 address without its brackets (RFC 9113 §8.3.1, RFC 3986 §3.2.2).
    const stream = session.request({ ":method": method, ":authority": url.host, ":path": path, ...headers });
    stream.on("error", reject);
    stream.on("close", () => reject(Object.assign(new Error("the stream ended early"), { code: "ECONNRESET" })));
    stream.on("response", ({ ":status": status = 0, ...received }) =>
      resolve({ status, headers: received as Answer["headers"], body: stream }),
    );
    stream.end(body);
  });
}

/** How long an answer may take, in milliseconds. */
const timeoutMs = 15 * second;

/**
 * Marks the doctor's connections in the list of ALPN, for the journal. Servers ignore names that they do not know (RFC
 * 7301 §3.2).
 */
export const doctorName = "payments-sandbox-doctor";

/** Longest answer over plain HTTP that is read, in bytes. */
const longestHealth = 10_000;

/**
 * The options of `connect` to reach the server.
 * @param offers the versions of HTTP that are offered by ALPN
 */
function tlsTo({ inputs, authorities, tls }: Patient, offers: readonly string[] = alpnProtocols) {
  const place = placeOf(inputs.url);
  return {
    ...place,
    ...(isIPv6(place.host) && { checkServerIdentity: checkAddress }),
    ...(authorities && { ca: authorities.map(String) }),
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
function timeOut(): Error {
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
export function lookAtServer(patient: Patient): Promise<ShownCertificate | undefined> {
  return new Promise((resolve) => {
    const options = tlsTo(patient);
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
