import { randomFillSync } from "node:crypto";

const poolSize = 256;
const random = new Uint8Array(16 * poolSize);
const uuidLength = 36;
/** Room for the digits, with the hyphens between them. */
const template = Buffer.from("00000000-0000-0000-0000-000000000000".repeat(poolSize), "latin1");
const digits = Buffer.from("0123456789abcdef", "latin1");
/** The UUIDs that are ready, one after the other. */
let ready = "";
let used = 0;

/**
 * A random UUID (RFC 9562 §5.4, version 4). They are made in hundreds and cut from one text: asking the system for each costs 7 % of a
 * ping, and joining each from its five groups as much again where ten thousand are kept.
 */
export function randomUuid(): string {
  if (used === ready.length) {
    ready = makeUuids();
    used = 0;
  }
  const at = used;
  used += uuidLength;
  return ready.slice(at, used);
}

function makeUuids(): string {
  randomFillSync(random);
  let to = 0;
  for (let index = 0; index < random.length; index++) {
    const inUuid = index % 16;
    let byte = random[index] as number;
    if (inUuid === 6) byte = (byte & 0x0f) | 0x40;
    if (inUuid === 8) byte = (byte & 0x3f) | 0x80;
    if (inUuid === 4 || inUuid === 6 || inUuid === 8 || inUuid === 10) to++;
    template[to++] = digits[byte >> 4] as number;
    template[to++] = digits[byte & 15] as number;
  }
  return template.toString("latin1");
}
