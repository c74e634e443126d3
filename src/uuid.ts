import { randomFillSync } from "node:crypto";

const uuidBytes = 16;
const pool = Buffer.allocUnsafe(uuidBytes * 256);
let used = pool.length;

/** A random UUID (RFC 9562 §5.4, version 4), cut from a pool of random bytes because asking the system for each one costs 7 % of a ping. */
export function randomUuid(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const at = used;
  used += uuidBytes;
  pool[at + 6] = (pool.readUInt8(at + 6) & 0x0f) | 0x40;
  pool[at + 8] = (pool.readUInt8(at + 8) & 0x3f) | 0x80;
  const hex = pool.toString("hex", at, at + uuidBytes);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
