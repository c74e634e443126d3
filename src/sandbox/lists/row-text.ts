import { mix } from "./random.js";

/** The values of generated rows as text, from one pseudo-random word each. */

/** The low 16 bits as four hexadecimal digits. */
function hex(bits: number): string {
  return (bits & 0xffff).toString(16).padStart(4, "0");
}

/** A version 4 UUID (RFC 9562 §5.4) whose first 32 bits are the word. */
export function uuid(word: number): string {
  const x = mix((word + 1) | 0);
  const y = mix((x + 2) | 0);
  const z = mix((y + 3) | 0);
  const version = hex((x & 0x0fff) | 0x4000);
  const variant = hex(((y >>> 16) & 0x3fff) | 0x8000);
  return `${hex(word >>> 16)}${hex(word)}-${hex(x >>> 16)}-${version}-${variant}-${hex(y)}${hex(z >>> 16)}${hex(z)}`;
}

const base32Digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** `length` (at least 7) characters of Crockford's base32. The first seven hold the whole word. */
export function base32(word: number, length: number): string {
  let next = mix((word + 1) | 0);
  let text = "";
  for (let shift = 27; shift > 0; shift -= 5) text += base32Digits[(word >>> shift) & 31];
  text += base32Digits[((word & 3) << 3) | (next >>> 29)];
  for (let shift = 20; text.length < length; shift -= 5) {
    if (shift < 0) {
      next = mix((next + 2) | 0);
      shift = 20;
    }
    text += base32Digits[(next >>> shift) & 31];
  }
  return text;
}

/** A safe integer divided by 10^`decimals`, exactly, with that many digits after the point. */
export function decimal(scaled: number, decimals: number): string {
  if (decimals === 0) return String(scaled);
  const digits = String(Math.abs(scaled)).padStart(decimals + 1, "0");
  return `${scaled < 0 ? "-" : ""}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
