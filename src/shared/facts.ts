import { keys } from "./keys.js";
import { foundScript } from "./log-scripts.js";
import type { RedisConnection } from "./redis.js";

/** What every replica of one set has in common, decided by the first. */
export interface Facts {
  /** Another one for each log. */
  readonly log: string;
  /** What scenarios draw from. */
  readonly seed: string;
  /** Thumbprint of the CA. */
  readonly ca: string;
}

/** Begins a log where there is none. @returns what holds for it @throws SharedStateError */
export async function found(redis: RedisConnection, own: Facts): Promise<Facts> {
  const text = await redis.run(foundScript, [keys.log, keys.facts, keys.snapshot], [JSON.stringify(own)]);
  return JSON.parse(text as string) as Facts;
}
