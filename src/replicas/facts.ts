import { jsonObject } from "../base/text/json-object.js";
import { keys } from "./keys.js";
import { foundScript } from "./log-scripts.js";
import { ForeignStateError, type RedisConnection } from "./redis.js";

/** Facts that all replicas of one set share, decided by the first replica. */
export interface Facts {
  /** A different one for each log. */
  readonly log: string;
  /** The seed of the draws of scenarios. */
  readonly seed: string;
  /** Thumbprint of the CA. */
  readonly ca: string;
}

/**
 * Begins a log if the log or its facts are missing.
 * @returns the facts of the log
 * @throws SharedStateError
 */
export async function found(redis: RedisConnection, own: Facts): Promise<Facts> {
  const text = await redis.run(foundScript, [keys.log, keys.facts, keys.snapshot], [JSON.stringify(own)]);
  const { log, seed, ca } = jsonObject(String(text));
  if (typeof log !== "string" || typeof seed !== "string" || typeof ca !== "string")
    throw new ForeignStateError(redis.where, keys.facts);
  return { log, seed, ca };
}
