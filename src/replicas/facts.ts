import { jsonObject } from "../base/text/json-object.js";
import { keys } from "./keys.js";
import { foundScript } from "./record-scripts.js";
import { ForeignStateError, type RedisConnection, SharedStateError } from "./redis.js";

/** What must be the same at all replicas of a set. */
export interface CommonFacts {
  /** Thumbprint of the CA. */
  readonly ca: string;
  /** The version of the package. */
  readonly release: string;
  /** A digest of each setting that decides answers, by the name of the setting. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Facts that all replicas of one set share, decided by the first replica. */
export interface Facts extends CommonFacts {
  /** A different one each time that the records begin. */
  readonly state: string;
  /** The seed of the draws of scenarios. */
  readonly seed: string;
}

/**
 * Begins with no records if there are none.
 * @returns the facts of these records
 * @throws SharedStateError
 */
export async function found(redis: RedisConnection, own: Facts): Promise<Facts> {
  const first = `0 ${own.state}`;
  const text = await redis.run(foundScript, [], [JSON.stringify(own), first]);
  const facts: Partial<Record<keyof Facts, unknown>> = jsonObject(String(text));
  // Releases up to 1.0 did not say which they are.
  const { state, seed, ca, release = "an earlier one", settings = {} } = facts;
  if (typeof state !== "string" || typeof seed !== "string" || typeof ca !== "string")
    throw new ForeignStateError(redis.where, keys.facts);
  return { state, seed, ca, release: String(release), settings: Object(settings) };
}

/**
 * Compares this replica with the others.
 * @param seed the configured one; undefined for one that takes that of the others
 * @throws SharedStateError, one line, if it does not fit
 */
export function requireSame(own: CommonFacts & { readonly seed: string | undefined }, others: Facts): void {
  const otherDatabase = "or another database of Redis, such as /1";
  if (others.ca !== own.ca)
    throw new SharedStateError("The other replicas have another CA: give all of them the same certs folder.");
  if (own.seed !== undefined && others.seed !== own.seed)
    throw new SharedStateError(`The other replicas have the seed ${others.seed}: give all of them the same seed.`);
  if (others.release !== own.release)
    throw new SharedStateError(
      `The other replicas have the release ${others.release}, this one ${own.release}: use one release, ${otherDatabase}.`,
    );
  const names = Object.keys({ ...own.settings, ...others.settings });
  const different = names.filter((name) => own.settings[name] !== others.settings[name]);
  if (different.length > 0)
    throw new SharedStateError(
      `The other replicas have another configuration (${different.join(", ")}): give all of them the same, ${otherDatabase}.`,
    );
}
