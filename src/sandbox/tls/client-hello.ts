import type { OfferedVersions } from "../connection/tls-version.js";

/** RFC 8446 §5.1: the content type of a handshake record. */
const HANDSHAKE = 0x16;
/** Content type, version and length come before the content of a record. */
const RECORD_HEADER_BYTES = 5;
/** RFC 8446 §5.2: the content of a record, and what its encryption may add. */
const MAX_RECORD_BYTES = 2 ** 14 + 256;
/** RFC 8446 §4: the type of the message that opens a handshake. */
const CLIENT_HELLO = 0x01;
/** RFC 6066 §3: the extension, and the only type of name that it defines. */
const SERVER_NAME_EXTENSION = 0;
const HOST_NAME = 0;
/** RFC 8446 §4.2.1. */
const SUPPORTED_VERSIONS_EXTENSION = 43;
/** The versions by their numbers (RFC 8446 §4.1.2 and before), with the names of OpenSSL. */
const VERSIONS = new Map([
  [0x0300, "SSLv3"],
  [0x0301, "TLSv1"],
  [0x0302, "TLSv1.1"],
  [0x0303, "TLSv1.2"],
  [0x0304, "TLSv1.3"],
]);
/** RFC 7301 §3.1. */
const ALPN_EXTENSION = 16;

/**
 * Whether the first TLS record (RFC 8446 §5.1) is complete, or is not a handshake record: OpenSSL refuses that by its
 * first bytes.
 */
export function hasFirstRecord(bytes: Buffer): boolean {
  if (bytes[0] !== HANDSHAKE) return true;
  if (bytes.length < RECORD_HEADER_BYTES) return false;
  const length = bytes.readUInt16BE(3);
  return length > MAX_RECORD_BYTES || bytes.length >= RECORD_HEADER_BYTES + length;
}

/** What a client requests in its ClientHello. */
export interface ClientHello {
  /** The host name (RFC 6066 §3); undefined if it requests none. */
  readonly serverName: string | undefined;
  /** The protocols that it offers by ALPN (RFC 7301 §3.1), the preferred one first; empty if it offers none. */
  readonly alpn: readonly string[];
}

/**
 * Reads a ClientHello (RFC 8446 §4.1.2). Anything after the first record is missing. Never throws: OpenSSL reports a
 * malformed message.
 *
 * Node gives these facts only after a successful handshake, and the report of a failed one needs them.
 */
export function readHello(bytes: Buffer): ClientHello {
  let serverName: string | undefined;
  let alpn: string[] = [];
  try {
    for (const [type, content] of extensionsIn(new Reader(bytes.subarray(RECORD_HEADER_BYTES)))) {
      if (type === SERVER_NAME_EXTENSION) serverName ??= readServerName(content);
      else if (type === ALPN_EXTENSION) alpn = readProtocols(content);
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return { serverName, alpn };
}

/**
 * Reads the versions of TLS that a ClientHello offers: those of the extension, or up to its own. Never throws.
 * @returns undefined if it names none that is known
 */
export function readVersions(bytes: Buffer): OfferedVersions | undefined {
  let highest = "";
  try {
    const message = new Reader(bytes.subarray(RECORD_HEADER_BYTES));
    if (message.number(1) !== CLIENT_HELLO) return undefined;
    highest = VERSIONS.get(message.vector(3).number(2)) ?? "";
    for (const [type, content] of extensionsIn(new Reader(bytes.subarray(RECORD_HEADER_BYTES)))) {
      if (type !== SUPPORTED_VERSIONS_EXTENSION) continue;
      const versions = content.vector(1);
      const numbers: number[] = [];
      // Others are unknown ones, which clients send so that servers ignore them (RFC 8701).
      while (versions.hasMore) numbers.push(versions.number(2));
      const known = numbers.sort((one, other) => one - other).flatMap((number) => VERSIONS.get(number) ?? []);
      return known[0] === undefined ? undefined : { lowest: known[0], highest: known.at(-1) ?? known[0] };
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return highest === "" ? undefined : { lowest: undefined, highest };
}

function* extensionsIn(message: Reader): Generator<[type: number, content: Reader]> {
  if (message.number(1) !== CLIENT_HELLO) return;
  const hello = message.vector(3);
  hello.take(2 + 32); // version and random
  hello.vector(1); // session id
  hello.vector(2); // cipher suites
  hello.vector(1); // compression methods
  const extensions = hello.vector(2);
  while (extensions.hasMore) yield [extensions.number(2), extensions.vector(2)];
}

function readServerName(extension: Reader): string | undefined {
  const names = extension.vector(2);
  return names.number(1) === HOST_NAME ? names.take(names.number(2)).toString("latin1") : undefined;
}

function readProtocols(extension: Reader): string[] {
  const names = extension.vector(2);
  const protocols: string[] = [];
  while (names.hasMore) protocols.push(names.take(names.number(1)).toString("latin1"));
  return protocols;
}

/** Reads the numbers and vectors of TLS (RFC 8446 §3) in turn. Throws a RangeError if the bytes end too early. */
class Reader {
  #offset = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get hasMore(): boolean {
    return this.#offset < this.#bytes.length;
  }

  number(bytes: 1 | 2 | 3): number {
    return this.take(bytes).readUIntBE(0, bytes);
  }

  vector(lengthBytes: 1 | 2 | 3): Reader {
    return new Reader(this.take(this.number(lengthBytes)));
  }

  take(bytes: number): Buffer {
    const end = this.#offset + bytes;
    if (end > this.#bytes.length) throw new RangeError("The message ends too early.");
    const taken = this.#bytes.subarray(this.#offset, end);
    this.#offset = end;
    return taken;
  }
}
