import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from "node:crypto";

/** A page in a walk: the page that a request wants, or the one that a cursor leads to. */
export interface PageOfWalk {
  readonly list: string;
  readonly clientId: string;
  /** Values of the path's parameters, in the order of the path. */
  readonly pathParameters: readonly string[];
  /** Ordinal at which the page begins, or an earlier one. */
  readonly position: number;
  /** Number of the page in its walk, from 1. */
  readonly page: number;
  /** Instant of row 0 in this walk, in milliseconds since the epoch. */
  readonly anchor: number;
  /** When the first page of the walk was requested, in milliseconds since the epoch. */
  readonly begunAt: number;
  /** The size that a request wants; in a cursor, that of the page that it was issued with. */
  readonly pageSize: number;
}

/** What a cursor holds. */
export interface CursorPayload extends PageOfWalk {
  /** Filters and date bounds exactly as the request sent them. */
  readonly filters: SentFilters;
  /** When the cursor was issued, in milliseconds since the epoch. */
  readonly issuedAt: number;
}

/** Parameter and text, in the list's order of parameters. */
export type SentFilters = readonly (readonly [parameter: string, text: string])[];

/** Whether two requests sent exactly the same texts as filters and bounds. */
export function sameFilters(some: SentFilters, others: SentFilters): boolean {
  if (some.length !== others.length) return false;
  for (let place = 0; place < some.length; place++) {
    if (some[place]?.[0] !== others[place]?.[0] || some[place]?.[1] !== others[place]?.[1]) return false;
  }
  return true;
}

/** Why a text is not a cursor of this sandbox. `wrong-key` may also mean that the first characters were altered. */
export type CursorTextFault = "empty" | "too-long" | "not-canonical" | "altered" | "wrong-key";

export type OpenedCursor =
  | { readonly ok: true; readonly payload: CursorPayload }
  | { readonly ok: false; readonly fault: CursorTextFault };

/** The keys of a `certs/` folder. All processes with the same secret can open each other's cursors. */
export interface CursorKeys {
  readonly key: KeyObject;
  /**
   * Version and key identifier, authenticated but not encrypted. They distinguish another sandbox's cursor from an
   * altered one.
   */
  readonly header: Buffer;
  /** A nonce that is unique for this key. */
  nextNonce(): Buffer;
  readonly cache: CursorCache<CursorPayload>;
}

const version = 1;
const headerLength = 5;
const nonceLength = 12;
const tagLength = 16;
const secretLength = 32;

/** Longest text that is decoded. With request line and headers, a request may have 16 KiB. */
export const maximumCursorLength = 12_288;

/** Shortest text that can be a cursor: header, nonce, tag and an empty payload. */
export const minimumCursorLength = Math.ceil(((headerLength + nonceLength + tagLength) * 4) / 3);

/**
 * Derives the keys of cursors (HKDF-SHA-256, RFC 5869) from a secret of 32 bytes.
 * @throws {RangeError} for a secret of another length
 */
export function cursorKeys(secret: Uint8Array): CursorKeys {
  if (secret.length !== secretLength)
    throw new RangeError(`a cursor secret has ${secretLength} bytes, not ${secret.length}`);
  const derived = Buffer.from(hkdfSync("sha256", secret, "", "business-payments-sandbox/cursor/1", 36));
  return {
    key: createSecretKey(derived.subarray(0, 32)),
    header: Buffer.from([version, ...derived.subarray(32, 36)]),
    nextNonce: nonces(),
    cache: new CursorCache(),
  };
}

/**
 * AES-GCM is not secure if a key uses a nonce twice. So a nonce is a random prefix for each process, then a counter of
 * 48 bits.
 */
function nonces(): () => Buffer {
  const prefix = randomBytes(nonceLength - 6);
  let counter = 0;
  return () => {
    const nonce = Buffer.concat([prefix], nonceLength);
    nonce.writeUIntBE(counter, nonceLength - 6, 6);
    counter += 1;
    return nonce;
  };
}

/**
 * A cursor may also begin with this: characters that have a meaning in a query (RFC 3986 §2.2), so that a client has to
 * encode them, and one that looks encoded, so that it must not be decoded.
 */
export const reservedPrefix = "a+b/c=%2B";

/** The text of a cursor: base64url of header, nonce, ciphertext and tag (AES-256-GCM). */
export function sealCursor(keys: CursorKeys, payload: CursorPayload): string {
  const nonce = keys.nextNonce();
  const cipher = createCipheriv("aes-256-gcm", keys.key, nonce, { authTagLength: tagLength });
  cipher.setAAD(keys.header);
  const body = cipher.update(encode(payload), "utf8");
  cipher.final();
  const text = Buffer.concat([keys.header, nonce, body, cipher.getAuthTag()]).toString("base64url");
  keys.cache.remember(text, payload);
  return text;
}

/**
 * Reads the text of a cursor. `parseListQuery` judges whether the cursor fits the request (list, client, path, time,
 * filters; §7, rule 1).
 */
export function openCursor(keys: CursorKeys, sent: string): OpenedCursor {
  const text = sent.startsWith(reservedPrefix) ? sent.slice(reservedPrefix.length) : sent;
  if (text === "") return { ok: false, fault: "empty" };
  if (text.length > maximumCursorLength) return { ok: false, fault: "too-long" };
  const known = keys.cache.payloadOf(text);
  if (known !== undefined) return { ok: true, payload: known };
  const bytes = Buffer.from(text, "base64url");
  // Buffer ignores characters outside base64url and accepts padding, '+', '/' and spare bits. Without this check, a
  // cursor would have several texts.
  if (bytes.toString("base64url") !== text) return { ok: false, fault: "not-canonical" };
  if (bytes.length < headerLength + nonceLength + tagLength || bytes[0] !== version)
    return { ok: false, fault: "altered" };
  if (!keys.header.equals(bytes.subarray(0, headerLength))) return { ok: false, fault: "wrong-key" };
  const bodyStart = headerLength + nonceLength;
  const bodyEnd = bytes.length - tagLength;
  const nonce = bytes.subarray(headerLength, bodyStart);
  const decipher = createDecipheriv("aes-256-gcm", keys.key, nonce, { authTagLength: tagLength });
  decipher.setAAD(keys.header);
  decipher.setAuthTag(bytes.subarray(bodyEnd));
  let plain: string;
  try {
    plain = decipher.update(bytes.subarray(bodyStart, bodyEnd), undefined, "utf8") + decipher.final("utf8");
  } catch {
    return { ok: false, fault: "altered" };
  }
  const payload = decode(plain);
  keys.cache.remember(text, payload);
  return { ok: true, payload };
}

/**
 * The encoded payload. It needs no validation: only a holder of the key can write it, and `version` identifies this
 * shape.
 */
type Encoded = [
  list: string,
  clientId: string,
  pathParameters: readonly string[],
  position: number,
  page: number,
  filters: SentFilters,
  anchor: number,
  issuedAt: number,
  pageSize: number,
  /** Milliseconds from the first page to the issue of the cursor; absent if 0, as in the cursor of a first page. */
  age?: number,
];

function encode(payload: CursorPayload): string {
  const { list, clientId, pathParameters, position, page, filters, anchor, issuedAt, begunAt, pageSize } = payload;
  const encoded: Encoded = [list, clientId, pathParameters, position, page, filters, anchor, issuedAt, pageSize];
  if (begunAt !== issuedAt) encoded.push(issuedAt - begunAt);
  return JSON.stringify(encoded);
}

function decode(text: string): CursorPayload {
  const [list, clientId, pathParameters, position, page, filters, anchor, issuedAt, pageSize, age = 0] = JSON.parse(
    text,
  ) as Encoded;
  const begunAt = issuedAt - age;
  return { list, clientId, pathParameters, position, page, filters, anchor, issuedAt, begunAt, pageSize };
}

/** Cursors in a generation. Two generations are kept. */
const generationSize = 1000;

/** Longer texts are not kept: they have long filters and are rare. So 2,000 cursors take about 1 MiB. */
const longestCached = 512;

/**
 * The payloads of cursors that were issued or opened recently. Decrypting a cursor costs as much as the rest of the
 * work for a page of ten rows, and most cursors come back soon after they are issued.
 */
class CursorCache<Payload> {
  #newer = new Map<string, Payload>();
  #older = new Map<string, Payload>();

  /** The payload of the cursor with exactly this text. */
  payloadOf(text: string): Payload | undefined {
    return this.#newer.get(text) ?? this.#older.get(text);
  }

  remember(text: string, payload: Payload): void {
    if (text.length > longestCached) return;
    // Dropping a generation costs less than finding the oldest cursor each time.
    if (this.#newer.size >= generationSize) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(text, payload);
  }
}
