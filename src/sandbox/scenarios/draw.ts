import { createHash } from "node:crypto";

/** Everything that a random decision depends on: other traffic never changes which faults one client gets. */
export interface DrawKey {
  /** The client's seed. */
  readonly seed: string;
  readonly scenario: string;
  readonly rule: string;
  /** How many requests of the client have matched the rule, this one included. */
  readonly count: number;
}

/**
 * A number from 0 (inclusive) to 1 (exclusive), the same for the same key and purpose.
 * @param purpose distinguishes the draws of one fault
 */
export function draw(key: DrawKey, purpose: string): number {
  return bytes(key, purpose).readUIntBE(0, 6) / 2 ** 48;
}

/** 32 bytes, the same for the same key and purpose. */
export function bytes({ seed, scenario, rule, count }: DrawKey, purpose: string): Buffer {
  return createHash("sha256")
    .update(JSON.stringify([seed, scenario, rule, count, purpose]))
    .digest();
}

/**
 * The seed of a client without a configured one: derived, so that it is the same in every run with the same `--seed`.
 */
export function deriveSeed(sandboxSeed: string, clientId: string): string {
  return createHash("sha256")
    .update(JSON.stringify([sandboxSeed, clientId]))
    .digest("hex")
    .slice(0, 12);
}

/** The form of a seed: it is sent in a header, and people type it. */
export const seedPattern = /^[A-Za-z0-9._-]{1,64}$/;
