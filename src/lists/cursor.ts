import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from "node:crypto";
import { CursorMemory } from "./cursor-memory.js";

/** What a cursor holds. */
export interface CursorPayload {
  readonly list: string;
  readonly clientId: string;
  /** Values of the path's parameters, in order. */
  readonly pathParameters: readonly string[];
  /** Ordinal of the first row of the page that the cursor leads to. */
  readonly position: number;
  /** Number, from 1, of the page that the cursor leads to; 2 in the cursor of a first page. */
  readonly page: number;
  /** Filters and date bounds exactly as the request sent them. */
  readonly filters: SentFilters;
  /** Instant of row 0, in milliseconds since the epoch. */
  readonly anchor: number;
  /** When the cursor was issued, in milliseconds since the epoch. */
  readonly issuedAt: number;
}

/** Parameter and text, in the list's order of parameters. */
export type SentFilters = readonly (readonly [parameter: string, text: string])[];

/** Whether two requests sent the same filters and bounds, in the same words. */
export function sameFilters(some: SentFilters, others: SentFilters): boolean {
  if (some.length !== others.length) return false;
  for (let place = 0; place < some.length; place++) {
    if (some[place]?.[0] !== others[place]?.[0] || some[place]?.[1] !== others[place]?.[1]) return false;
  }
  return true;
}

/** Why a text is no cursor of this sandbox. A `wrong-key` may also be an alteration of the first few characters. */
export type CursorTextFault = "empty" | "too-long" | "not-canonical" | "altered" | "wrong-key";

export type OpenedCursor =
  | { readonly ok: true; readonly payload: CursorPayload }
  | { readonly ok: false; readonly fault: CursorTextFault };

/** The keys of a folder of certificates. Every process made from the same secret opens the others' cursors. */
export interface CursorKeys {
  readonly key: KeyObject;
  /** Version and key, openly: what tells "another sandbox's" from "altered". Authenticated with the rest. */
  readonly header: Buffer;
  /** A nonce that no other cursor of this key has. */
  nextNonce(): Buffer;
  /** The cursors of these keys that were issued or opened lately. */
  readonly memory: CursorMemory;
}

const version = 1;
const headerLength = 5;
const nonceLength = 12;
const tagLength = 16;
const secretLength = 32;

/** Longest text that is looked at. A request line that holds more is refused by the HTTP parser anyway. */
export const maximumCursorLength = 16_384;

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
    memory: new CursorMemory(),
  };
}

/**
 * GCM breaks when a nonce comes twice under a key. Random nonces alone would be safe for 2^32 cursors over all restarts; a random
 * prefix for each 2^32 cursors of a process, with a counter, lasts for ever in practice and asks for randomness once.
 */
function nonces(): () => Buffer {
  let prefix = randomBytes(nonceLength - 4);
  let counter = 0;
  return () => {
    if (counter === 0x1_0000_0000) {
      prefix = randomBytes(nonceLength - 4);
      counter = 0;
    }
    const nonce = Buffer.allocUnsafe(nonceLength);
    prefix.copy(nonce);
    nonce.writeUInt32BE(counter, nonceLength - 4);
    counter += 1;
    return nonce;
  };
}

/** The text of a cursor: base64url of header, nonce, ciphertext and tag (AES-256-GCM). */
export function sealCursor(keys: CursorKeys, payload: CursorPayload): string {
  const nonce = keys.nextNonce();
  const cipher = createCipheriv("aes-256-gcm", keys.key, nonce, { authTagLength: tagLength });
  cipher.setAAD(keys.header);
  const body = cipher.update(encode(payload), "utf8");
  cipher.final();
  const text = Buffer.concat([keys.header, nonce, body, cipher.getAuthTag()]).toString("base64url");
  keys.memory.remember(text, payload);
  return text;
}

/**
 * Reads the text of a cursor. Whether the cursor fits the request (list, client, path, time, filters; interface.md §7, rule 1) is
 * judged by `parseListQuery`; this function serves whoever needs to know the page first.
 */
export function openCursor(keys: CursorKeys, text: string): OpenedCursor {
  if (text === "") return { ok: false, fault: "empty" };
  if (text.length > maximumCursorLength) return { ok: false, fault: "too-long" };
  const known = keys.memory.payloadOf(text);
  if (known !== undefined) return { ok: true, payload: known };
  const bytes = Buffer.from(text, "base64url");
  // Buffer skips what is no base64url and accepts padding, '+', '/' and stray last bits: one cursor would have many texts.
  const canonical = bytes.toString("base64url");
  if (canonical !== text) return { ok: false, fault: "not-canonical" };
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
  // The text may be a part of a request's target, which is not to be kept with it.
  keys.memory.remember(canonical, payload);
  return { ok: true, payload };
}

/** The payload as it is written: what holds the key wrote it, and the version stands for this shape. */
type Encoded = [
  list: string,
  clientId: string,
  pathParameters: readonly string[],
  position: number,
  page: number,
  filters: SentFilters,
  anchor: number,
  issuedAt: number,
];

function encode(payload: CursorPayload): string {
  const { list, clientId, pathParameters, position, page, filters, anchor, issuedAt } = payload;
  const encoded: Encoded = [list, clientId, pathParameters, position, page, filters, anchor, issuedAt];
  return JSON.stringify(encoded);
}

function decode(text: string): CursorPayload {
  const [list, clientId, pathParameters, position, page, filters, anchor, issuedAt] = JSON.parse(text) as Encoded;
  return { list, clientId, pathParameters, position, page, filters, anchor, issuedAt };
}
