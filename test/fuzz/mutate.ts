import type { Random } from "./random.js";

/** Bytes that parsers treat in a special way. */
const marks = [
  "\r\n",
  "\n",
  "\r",
  "\0",
  " ",
  "\t",
  ":",
  ",",
  ";",
  "=",
  "&",
  "%",
  "%00",
  '"',
  "\\",
  "\x7f",
  "\xff",
  "\xc3\xa9",
  "\x16\x03\x01",
];

/** Numbers at which parsers go wrong. */
export const numbers = [
  "0",
  "-1",
  "-0",
  "+1",
  "01",
  "1.5",
  "1e3",
  "1e999",
  "0x10",
  "100",
  "101",
  "2147483648",
  "4294967296",
  "9007199254740993",
  "18446744073709551616",
  "99999999999999999999999999",
  "NaN",
  "Infinity",
  "١٢",
] as const;

/** Changes bytes in up to `most` places: flipped, removed, doubled, moved, or with a special character inserted. */
export function mutateBytes(random: Random, bytes: Buffer, most = 4): Buffer {
  let changed: Buffer = Buffer.from(bytes);
  for (let left = random.between(1, most); left > 0; left--) changed = mutateOnce(random, changed);
  return changed;
}

function mutateOnce(random: Random, bytes: Buffer): Buffer {
  const at = random.below(bytes.length + 1);
  const until = Math.min(bytes.length, at + random.between(1, random.chance(0.2) ? 200 : 8));
  const [before, piece, after] = [bytes.subarray(0, at), bytes.subarray(at, until), bytes.subarray(until)];
  switch (random.below(6)) {
    case 0: {
      const flipped = Buffer.from(bytes);
      if (at < flipped.length) flipped[at] = (flipped[at] as number) ^ (1 << random.below(8));
      return flipped;
    }
    case 1:
      return Buffer.concat([before, after]);
    case 2:
      return Buffer.concat([before, piece, piece, after]);
    case 3:
      return Buffer.concat([before, random.bytes(random.between(1, 8)), after]);
    case 4:
      return Buffer.concat([before, after, piece]);
    default:
      return Buffer.concat([before, Buffer.from(random.pick(marks), "latin1"), after]);
  }
}

export function mutateText(random: Random, text: string, most = 4): string {
  return mutateBytes(random, Buffer.from(text, "latin1"), most).toString("latin1");
}

/** Another text for a text of base64url, in the same alphabet; never the same one. */
export function alterBase64(random: Random, text: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const at = random.below(text.length);
  const others = [...alphabet].filter((character) => character !== text[at]);
  switch (random.below(5)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text + random.text(random.between(1, 8), alphabet);
    case 2:
      return `${text.slice(0, at)}${random.pick(others)}${text.slice(at)}`;
    case 3:
      // Only the last character can have unused bits, which are zero in one form.
      return `${text.slice(0, -1)}${random.pick([...alphabet].filter((character) => character !== text.at(-1)))}`;
    default:
      return `${text.slice(0, at)}${random.pick(others)}${text.slice(at + 1)}`;
  }
}
