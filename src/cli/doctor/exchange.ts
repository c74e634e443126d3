import { connect as startHttp2 } from "node:http2";
import { request } from "node:https";
import type { Readable } from "node:stream";
import { connect, type TLSSocket } from "node:tls";
import { thousands } from "../../base/text/numbers.js";
import { basePathOf } from "../../library/base-url.js";
import { systemClock } from "../../sandbox/clock.js";
import { type AlpnProtocol, alpnProtocols } from "../../sandbox/connection/alpn.js";
import { readBody } from "../../sandbox/connection/bounded-body.js";
import { type Channel, timeOut, timeoutMs, tlsTo } from "./connection.js";

/** An answer of the API. */
export interface Answer {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The machine's time in the middle of the exchange, in milliseconds since the epoch. */
  readonly at: number;
  /** What the server chose by ALPN; undefined if it chose nothing, and HTTP/1.1 was used. */
  readonly chosen: AlpnProtocol | undefined;
}

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
export async function send(channel: Channel, path: string, content: Content = {}): Promise<Answer> {
  const begun = systemClock.now();
  const socket = await connected(channel, content.offers);
  try {
    const target = basePathOf(channel.url) + path;
    const chosen = alpnProtocols.find((protocol) => protocol === socket.alpnProtocol);
    const exchange = chosen === "h2" ? overHttp2 : overHttp1;
    const { status, headers, body } = await exchange(socket, channel.url, target, content);
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

function connected(channel: Channel, offers: Content["offers"]): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect(tlsTo(channel, offers), () => resolve(socket));
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
