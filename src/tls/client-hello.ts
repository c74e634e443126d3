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

/** Whether the first TLS record (RFC 8446 §5.1) is complete, or is not a handshake record: OpenSSL refuses that by its first bytes. */
export function hasFirstRecord(bytes: Buffer): boolean {
  if (bytes[0] !== HANDSHAKE) return true;
  if (bytes.length < RECORD_HEADER_BYTES) return false;
  const length = bytes.readUInt16BE(3);
  return length > MAX_RECORD_BYTES || bytes.length >= RECORD_HEADER_BYTES + length;
}

/**
 * The host name that a client asks for in its ClientHello (RFC 8446 §4.1.2, RFC 6066 §3); undefined where it asks for none, or where
 * the message is longer than the first record. Never throws: OpenSSL reports a malformed message.
 *
 * Node gives the name only after a successful handshake, and the report of a failed one needs it.
 */
export function serverNameIn(bytes: Buffer): string | undefined {
  try {
    return readServerName(new Reader(bytes.subarray(RECORD_HEADER_BYTES)));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readServerName(message: Reader): string | undefined {
  if (message.number(1) !== CLIENT_HELLO) return undefined;
  const hello = message.vector(3);
  hello.take(2 + 32); // version and random
  hello.vector(1); // session id
  hello.vector(2); // cipher suites
  hello.vector(1); // compression methods
  const extensions = hello.vector(2);
  while (extensions.hasMore) {
    const type = extensions.number(2);
    const extension = extensions.vector(2);
    if (type !== SERVER_NAME_EXTENSION) continue;
    const names = extension.vector(2);
    return names.number(1) === HOST_NAME ? names.take(names.number(2)).toString("latin1") : undefined;
  }
  return undefined;
}

/** Reads the numbers and vectors of TLS (RFC 8446 §3) in turn. Throws a RangeError where the bytes end too early. */
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
