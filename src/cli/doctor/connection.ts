import type { X509Certificate } from "node:crypto";
import { request as plainRequest } from "node:http";
import { request } from "node:https";
import { isIP } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import type { KeyMaterial } from "./identity.js";
import { portOf } from "./sandbox-view.js";

/** How long an answer may take, in milliseconds. */
const timeoutMs = 15_000;

/** What the API answered, and how the connection was. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The server's certificate. */
  readonly server: X509Certificate | undefined;
  /** The machine's time in the middle of the exchange, in milliseconds since the epoch. */
  readonly at: number;
}

/** With what requests are sent. */
export interface Channel {
  readonly url: URL;
  /** CAs to trust, PEM; those of the system when undefined. */
  readonly ca: readonly string[] | undefined;
  readonly tls: KeyMaterial | undefined;
  readonly now: () => number;
}

/** Sends a request with full verification, on a connection of its own. @throws what Node's HTTPS client throws */
export function send(
  { url, ca, tls, now }: Channel,
  path: string,
  { method = "GET", headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  const begun = now();
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        ...place(url),
        path: url.pathname.replace(/\/$/, "") + path,
        method,
        headers,
        agent: false,
        timeout: timeoutMs,
        ...(ca && { ca: [...ca] }),
        ...tls,
      },
      (incoming) => {
        const at = (begun + now()) / 2;
        const server = (incoming.socket as TLSSocket).getPeerX509Certificate();
        let text = "";
        incoming.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        incoming.on("error", reject);
        incoming.on("end", () =>
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, server, at }),
        );
      },
    );
    outgoing.on("timeout", () => outgoing.destroy(timeOut()));
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

function timeOut(): Error {
  return Object.assign(new Error(`no answer within ${timeoutMs / 1000} s`), { code: "ETIMEDOUT" });
}

/** A certificate that a server shows, and why it is not to be trusted, if it is not. */
export interface Shown {
  readonly certificate: X509Certificate | undefined;
  /** Node's code for what is wrong with the chain; undefined where nothing is. */
  readonly problem: string | undefined;
}

/**
 * Looks at the certificate of a server that was found not to be trusted. This is the one place without verification: nothing is sent
 * over the connection, which is closed once the certificate was seen.
 */
export function lookAtServer({ url, ca, tls }: Channel): Promise<Shown | undefined> {
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
export function askPlainly(url: URL): Promise<{ readonly api: number } | "http" | undefined> {
  return new Promise((resolve) => {
    const { host, port } = place(url);
    const outgoing = plainRequest({ host, port, path: "/health", agent: false, timeout: timeoutMs }, (incoming) => {
      let text = "";
      incoming.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      incoming.on("end", () => resolve(adminPorts(text) ?? "http"));
    });
    outgoing.on("timeout", () => outgoing.destroy());
    outgoing.on("error", () => resolve(undefined));
    outgoing.end();
  });
}

function adminPorts(text: string): { api: number } | undefined {
  try {
    const { ports } = JSON.parse(text) as { ports?: { api?: unknown } };
    return typeof ports?.api === "number" ? { api: ports.api } : undefined;
  } catch {
    return undefined;
  }
}

/** Host, port and, where the host is a name, the name for SNI. */
export function place(url: URL) {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return { host, port: Number(portOf(url)), ...(isIP(host) === 0 && { servername: host }) };
}
