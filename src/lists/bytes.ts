import { civilFromDays, day } from "./instant.js";
import { mix } from "./random.js";

/**
 * Row text is written as UTF-8 bytes into one buffer and becomes a string once per page: a UUID takes a quarter of the time that
 * joining strings takes. Every function writes at `at` and returns the place after what it wrote; the caller has made sure that there is room, and
 * `slack` bytes beyond.
 */

/** Constant text, kept as 32-bit words because four bytes cost as much to copy as one. */
export interface Literal {
  readonly words: Int32Array;
  readonly length: number;
}

/** Bytes that a literal may write beyond its end. The next write covers them. */
export const slack = 4;

export function literal(text: string): Literal {
  const bytes = new TextEncoder().encode(text);
  const padded = new DataView(new ArrayBuffer(Math.ceil(bytes.length / 4) * 4));
  new Uint8Array(padded.buffer).set(bytes);
  const words = new Int32Array(padded.byteLength / 4);
  for (let index = 0; index < words.length; index += 1) words[index] = padded.getInt32(index * 4, true);
  return { words, length: bytes.length };
}

export function putLiteral(out: DataView, at: number, text: Literal): number {
  const { words } = text;
  for (let index = 0; index < words.length; index += 1) out.setInt32(at + index * 4, words[index] as number, true);
  return at + text.length;
}

const hexPairs = pairs(16, 256);
const decimalPairs = pairs(10, 100);

// Two characters as one little-endian word.
function pairs(radix: number, count: number): Uint16Array {
  return Uint16Array.from({ length: count }, (_, value) => {
    const text = value.toString(radix).padStart(2, "0");
    return text.charCodeAt(0) | (text.charCodeAt(1) << 8);
  });
}

/** The low 16 bits as four hexadecimal digits. */
function putHex(out: DataView, at: number, bits: number): void {
  const digits = (hexPairs[(bits >>> 8) & 255] as number) | ((hexPairs[bits & 255] as number) << 16);
  out.setInt32(at, digits, true);
}

function putTwoDigits(out: DataView, at: number, value: number): void {
  out.setUint16(at, decimalPairs[value] as number, true);
}

const hyphen = 45;
const point = 46;
const zero = 48;
const colon = 58;
const letterT = 84;
const letterZ = 90;

/** A version 4 UUID (RFC 9562 §5.4) whose first 32 bits are the word. */
export function putUuid(out: DataView, at: number, word: number): number {
  const x = mix((word + 1) | 0);
  const y = mix((x + 2) | 0);
  const z = mix((y + 3) | 0);
  putHex(out, at, word >>> 16);
  putHex(out, at + 4, word);
  out.setUint8(at + 8, hyphen);
  putHex(out, at + 9, x >>> 16);
  out.setUint8(at + 13, hyphen);
  putHex(out, at + 14, (x & 0x0fff) | 0x4000);
  out.setUint8(at + 18, hyphen);
  putHex(out, at + 19, ((y >>> 16) & 0x3fff) | 0x8000);
  out.setUint8(at + 23, hyphen);
  putHex(out, at + 24, y);
  putHex(out, at + 28, z >>> 16);
  putHex(out, at + 32, z);
  return at + 36;
}

const base32 = Uint8Array.from("0123456789ABCDEFGHJKMNPQRSTVWXYZ", (character) => character.charCodeAt(0));

/** `length` (at least 7) characters of Crockford's base32; the first seven hold the whole word. */
export function putBase32(out: DataView, at: number, word: number, length: number): number {
  for (let index = 0; index < 6; index += 1)
    out.setUint8(at + index, base32[(word >>> (27 - 5 * index)) & 31] as number);
  let next = mix((word + 1) | 0);
  out.setUint8(at + 6, base32[((word & 3) << 3) | (next >>> 29)] as number);
  for (let index = 7, shift = 20; index < length; index += 1, shift -= 5) {
    if (shift < 0) {
      next = mix((next + 2) | 0);
      shift = 20;
    }
    out.setUint8(at + index, base32[(next >>> shift) & 31] as number);
  }
  return at + length;
}

/** A whole number of 0 or more in decimal. */
export function putInteger(out: DataView, at: number, value: number): number {
  if (value >= 1_000_000_000) {
    const high = Math.floor(value / 1_000_000_000);
    return putDigits(out, putInteger(out, at, high), value - high * 1_000_000_000, 9);
  }
  return putDigits(out, at, value, width(value));
}

function width(value: number): number {
  if (value < 10_000) return value < 100 ? (value < 10 ? 1 : 2) : value < 1000 ? 3 : 4;
  if (value < 1_000_000) return value < 100_000 ? 5 : 6;
  return value < 100_000_000 ? (value < 10_000_000 ? 7 : 8) : 9;
}

/** The low `digits` (at most 9) digits of a number below 10^9, with leading zeros. 32-bit division is several times as fast as another. */
function putDigits(out: DataView, at: number, value: number, digits: number): number {
  let rest = value | 0;
  for (let place = at + digits - 1; place >= at; place -= 1) {
    const tenth = (rest / 10) | 0;
    out.setUint8(place, zero + rest - tenth * 10);
    rest = tenth;
  }
  return at + digits;
}

/** A safe integer, divided by 10^`decimals` (0 to 9), with exactly that many digits after the point. */
export function putDecimal(out: DataView, at: number, scaled: number, decimals: number, power: number): number {
  let place = at;
  let value = scaled;
  if (value < 0) {
    out.setUint8(place, hyphen);
    place += 1;
    value = -value;
  }
  if (decimals === 0) return putInteger(out, place, value);
  const whole = Math.floor(value / power);
  place = putInteger(out, place, whole);
  out.setUint8(place, point);
  return putDigits(out, place + 1, value - whole * power, decimals);
}

/** Length of what `timestampWriter` writes. */
export const timestampLength = 24;

/** A writer of RFC 3339 timestamps in UTC with milliseconds (years 0001 to 9999). It keeps the date that it wrote last. */
export function timestampWriter(): (out: DataView, at: number, ms: number) => number {
  let knownDays = Number.NaN;
  let date = civilFromDays(0);
  return (out, at, ms) => {
    const days = Math.floor(ms / day);
    if (days !== knownDays) {
      date = civilFromDays(days);
      knownDays = days;
    }
    let rest = (ms - days * day) | 0;
    const hours = (rest / 3_600_000) | 0;
    rest = (rest - hours * 3_600_000) | 0;
    const minutes = (rest / 60_000) | 0;
    rest = (rest - minutes * 60_000) | 0;
    const seconds = (rest / 1000) | 0;
    rest = (rest - seconds * 1000) | 0;
    const century = (date.year / 100) | 0;
    putTwoDigits(out, at, century);
    putTwoDigits(out, at + 2, date.year - century * 100);
    out.setUint8(at + 4, hyphen);
    putTwoDigits(out, at + 5, date.month);
    out.setUint8(at + 7, hyphen);
    putTwoDigits(out, at + 8, date.day);
    out.setUint8(at + 10, letterT);
    putTwoDigits(out, at + 11, hours);
    out.setUint8(at + 13, colon);
    putTwoDigits(out, at + 14, minutes);
    out.setUint8(at + 16, colon);
    putTwoDigits(out, at + 17, seconds);
    out.setUint8(at + 19, point);
    putDigits(out, at + 20, rest, 3);
    out.setUint8(at + 23, letterZ);
    return at + timestampLength;
  };
}
