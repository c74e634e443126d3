import type { Random } from "./random.js";

/** One action of the client on a connection, in the order of the list. */
export type Move =
  /** Bytes through TLS if there is TLS, otherwise on the TCP connection. One segment, if it is short enough. */
  | { readonly do: "send"; readonly bytes: Buffer }
  /** Bytes on the TCP connection, below TLS. */
  | { readonly do: "raw"; readonly bytes: Buffer }
  /** Nothing is read any more. */
  | { readonly do: "deaf" }
  /** The following bytes are a separate segment. */
  | { readonly do: "pause"; readonly milliseconds: number }
  /** Waits for the answer to the request before, or the end of the connection. */
  | { readonly do: "answer" }
  /** A close_notify if there is TLS, then a FIN; answers are still read. */
  | { readonly do: "end" }
  /** A FIN without a close_notify. */
  | { readonly do: "fin" }
  | { readonly do: "reset" };

/**
 * `none` presents no certificate; the others are folders below `clients/` and `misfits/` of the certificates folder.
 */
export const identities = ["demo", "other", "expired", "not-yet-valid", "unregistered", "untrusted", "none"] as const;
export type Identity = (typeof identities)[number];

/** What a client does on one connection, and what it may expect. */
export interface Input {
  /** For people who read a report. */
  readonly title: string;
  /** The API over mutual TLS, the API's port without TLS, or the admin API. */
  readonly to: "tls" | "tcp" | "admin";
  readonly identity?: Identity;
  /** SNI, `localhost` unless given. With a name that the certificate does not have, the client sends an alert. */
  readonly serverName?: string;
  readonly tls12?: boolean;
  readonly moves: readonly Move[];
  /** Requests that are sent, completely or in part. */
  readonly requests: number;
  /** Final answers that HTTP requires for the sent bytes. */
  readonly owed: number;
  /** The connection speaks HTTP/2, and these streams are owed an answer. */
  readonly streams?: readonly number[];
  /** Whether the server must close the connection after these. */
  readonly closes: boolean;
  /** How long the client stays connected when no more is owed, in milliseconds. */
  readonly linger: number;
  /** A fault may break or corrupt an answer, so the received bytes may not be HTTP. */
  readonly mayBeCorrupt: boolean;
  /** Every answer must be a refusal. */
  readonly refused: boolean;
  /** An answer to HEAD has no body. */
  readonly bodiless: boolean;
}

/** Issued tokens, cursors and more, for inputs that use or alter them. */
export interface Stock {
  readonly token: string;
  /** A token of the client `other`. */
  readonly otherToken: string;
  /** Cursors of the client `demo`, all of different walks. */
  readonly cursors: readonly string[];
  /** The private key of the client `demo`, PEM. */
  readonly privateKey: string;
  /** The certificate of the client `unregistered`, PEM. */
  readonly certificate: string;
  readonly adminToken: string;
  /** The first flight of a TLS client. */
  readonly clientHello: Buffer;
  /** The texts of the built-in scenarios. */
  readonly scenarios: readonly string[];
}

/** An input as a pure function of its random choices, its number and the stock. */
export type Generator = (random: Random, counter: number, stock: Stock) => Input;

const plain = {
  to: "tls",
  identity: "demo",
  requests: 1,
  owed: 0,
  closes: false,
  linger: 0,
  mayBeCorrupt: false,
  refused: false,
  bodiless: false,
} as const;

/** An input with the usual defaults. */
export function input(own: Partial<Input> & Pick<Input, "title" | "moves">): Input {
  return { ...plain, ...own };
}

export function send(...parts: readonly (string | Buffer)[]): Move {
  return { do: "send", bytes: Buffer.concat(parts.map(toBytes)) };
}

/** Text as latin1: one byte for each character. */
function toBytes(part: string | Buffer): Buffer {
  return typeof part === "string" ? Buffer.from(part, "latin1") : part;
}

/** A request as bytes. `Host` comes first; a body has its Content-Length unless the headers say how it is framed. */
export function request(
  method: string,
  target: string,
  headers: readonly string[] = [],
  body: string | Buffer = "",
): Buffer {
  const bytes = toBytes(body);
  const framed = headers.some((line) => /^(content-length|transfer-encoding):/i.test(line));
  const length = bytes.length > 0 && !framed ? [`Content-Length: ${bytes.length}`] : [];
  const head = [`${method} ${target} HTTP/1.1`, "Host: localhost", ...headers, ...length, "", ""].join("\r\n");
  return Buffer.concat([Buffer.from(head, "latin1"), bytes]);
}

export function bearer(token: string): string {
  return `Authorization: Bearer ${token}`;
}

/** A request that is answered by 200. */
export function ping(stock: Stock, headers: readonly string[] = []): Buffer {
  return request("GET", "/v1/ping", [bearer(stock.token), ...headers]);
}

export const formType = "Content-Type: application/x-www-form-urlencoded";

/** Bytes in several segments, cut at random places. */
export function inSegments(random: Random, bytes: Buffer, cuts: number): Move[] {
  const places = Array.from({ length: cuts }, () => random.below(bytes.length + 1)).sort((a, b) => a - b);
  const moves: Move[] = [];
  let from = 0;
  for (const to of [...places, bytes.length]) {
    if (to === from) continue;
    if (moves.length > 0) moves.push({ do: "pause", milliseconds: random.chance(0.2) ? 2 : 0 });
    moves.push({ do: "send", bytes: bytes.subarray(from, to) });
    from = to;
  }
  return moves;
}

/** Requests of which each is sent when the answer before it has come. */
export function oneByOne(requests: readonly Buffer[]): Move[] {
  return requests.flatMap((bytes, at): Move[] => (at === 0 ? [send(bytes)] : [{ do: "answer" }, send(bytes)]));
}

/** A way to leave a connection before its end. */
export function breakOff(random: Random): Move {
  return { do: random.pick(["end", "fin", "reset"] as const) };
}
