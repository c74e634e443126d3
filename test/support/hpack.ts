/** A name and a value. Each character is one byte (latin1). */
export type Field = readonly [name: string, value: string];

/**
 * Encodes fields as literals that are never indexed, without Huffman codes (RFC 7541 §6.2.3). Nothing is checked, so
 * that tests can send forbidden fields.
 */
export function encodeFields(fields: readonly Field[]): Buffer {
  return Buffer.concat(fields.flatMap(([name, value]) => [Buffer.of(0x10), encodeText(name), encodeText(value)]));
}

/** RFC 7541 §5.2, without Huffman codes. */
export function encodeText(text: string): Buffer {
  const bytes = Buffer.from(text, "latin1");
  return Buffer.concat([encodeNumber(bytes.length, 7, 0), bytes]);
}

/**
 * RFC 7541 §5.1.
 * @param bits how many bits of the first byte are for the number
 * @param first the other bits of that byte
 */
export function encodeNumber(value: number, bits: number, first: number): Buffer {
  const most = 2 ** bits - 1;
  if (value < most) return Buffer.of(first | value);
  const bytes = [first | most];
  let rest = value - most;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push(128 + (rest % 128));
  return Buffer.from([...bytes, rest]);
}

/**
 * Decodes a header block. There is no dynamic table: the receiver must have announced `SETTINGS_HEADER_TABLE_SIZE` 0.
 * @throws Error if it is not such a block
 */
export function decodeFields(block: Buffer): Field[] {
  const reader = new BlockReader(block);
  const fields: Field[] = [];
  while (reader.hasMore) {
    const first = reader.peek();
    if (first >= 0x80) fields.push(entry(reader.number(7)));
    else if (first >= 0x40) fields.push(reader.literal(6));
    else if (first < 0x20) fields.push(reader.literal(4));
    // An update of the size of the dynamic table.
    else reader.number(5);
  }
  return fields;
}

class BlockReader {
  #at = 0;
  readonly #block: Buffer;

  constructor(block: Buffer) {
    this.#block = block;
  }

  get hasMore(): boolean {
    return this.#at < this.#block.length;
  }

  peek(): number {
    return this.#block.readUInt8(this.#at);
  }

  number(bits: number): number {
    const most = 2 ** bits - 1;
    let value = this.#byte() & most;
    if (value < most) return value;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  literal(bits: number): Field {
    const index = this.number(bits);
    const name = index === 0 ? this.#text() : entry(index)[0];
    return [name, this.#text()];
  }

  #text(): string {
    const isHuffman = this.peek() >= 128;
    const end = this.number(7) + this.#at;
    if (end > this.#block.length) throw new Error("The header block ends too early.");
    const bytes = this.#block.subarray(this.#at, end);
    this.#at = end;
    return isHuffman ? decodeHuffman(bytes) : bytes.toString("latin1");
  }

  #byte(): number {
    return this.#block.readUInt8(this.#at++);
  }
}

function entry(index: number): Field {
  const [name, value = ""] = (staticTable[index - 1] ?? "").split("=");
  if (name === undefined || name === "") throw new Error(`The static table has no entry ${index}.`);
  return [name, value];
}

/** RFC 7541 Appendix A. */
const staticTable = [
  ":authority :method=GET :method=POST :path=/ :path=/index.html :scheme=http :scheme=https :status=200 :status=204 :status=206",
  ":status=304 :status=400 :status=404 :status=500 accept-charset accept-encoding accept-language accept-ranges accept",
  "access-control-allow-origin age allow authorization cache-control content-disposition content-encoding content-language",
  "content-length content-location content-range content-type cookie date etag expect expires from host if-match",
  "if-modified-since if-none-match if-range if-unmodified-since last-modified link location max-forwards proxy-authenticate",
  "proxy-authorization range referer refresh retry-after server set-cookie strict-transport-security transfer-encoding",
  "user-agent vary via www-authenticate",
]
  .join(" ")
  .split(" ");
staticTable[15] = "accept-encoding=gzip, deflate";

/**
 * The characters of printable ASCII by the length of their codes in bits (RFC 7541 Appendix B), in the order of their
 * codes. The code is canonical: each code is the previous one plus one, followed by zeros if it is longer. No other
 * character is in an answer.
 */
const huffmanCharacters: Readonly<Record<number, string>> = {
  5: "012aceiost",
  6: " %-./3456789=A_bdfghlmnpru",
  7: ":BCDEFGHIJKLMNOPQRSTUVWYjkqvwxyz",
  8: "&*,;XZ",
  10: '!"()?',
  11: "'+|",
  12: "#>",
  13: "\0$@[]~",
  14: "^}",
  15: "<`{",
  19: "\\",
};

/** Characters by the bits of their codes. */
const huffmanCodes = new Map<string, string>();
let code = 0;
let before = 5;
for (const [length, characters] of Object.entries(huffmanCharacters)) {
  const bits = Number(length);
  code *= 2 ** (bits - before);
  before = bits;
  for (const character of characters) huffmanCodes.set((code++).toString(2).padStart(bits, "0"), character);
}

function decodeHuffman(bytes: Buffer): string {
  let text = "";
  let bits = "";
  for (const byte of bytes) {
    for (const bit of byte.toString(2).padStart(8, "0")) {
      bits += bit;
      const character = huffmanCodes.get(bits);
      if (character === undefined) continue;
      text += character;
      bits = "";
    }
  }
  // The remaining bits are the beginning of a code that is all ones.
  if (!/^1{0,7}$/.test(bits)) throw new Error("A Huffman code is not known.");
  return text;
}
