import { jsonObject } from "../text/json-object.js";
import { keys } from "./keys.js";
import { foundScript } from "./log-scripts.js";
import { ForeignStateError, type RedisConnection } from "./redis.js";

/** What every replica of one set has in common, decided by the first. */
export interface Facts {
  /** Another one for each log. */
  readonly log: string;
  /** What scenarios draw from. */
  readonly seed: string;
  /** Thumbprint of the CA. */
  readonly ca: string;
}

/** Begins a log where it or what holds for it is not there. @returns what holds for it @throws SharedStateError */
export async function found(redis: RedisConnection, own: Facts): Promise<Facts> {
  const text = await redis.run(foundScript, [keys.log, keys.facts, keys.snapshot], [JSON.stringify(own)]);
  const { log, seed, ca } = jsonObject(String(text));
  if (typeof log !== "string" || typeof seed !== "string" || typeof ca !== "string")
    throw new ForeignStateError(redis.where, keys.facts);
  return { log, seed, ca };
}
