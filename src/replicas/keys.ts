/** Every key in Redis. One database holds the state of one set of replicas. */
const prefix = "payments-sandbox:";

export const keys = {
  /** Facts that the first replica decided: seed, CA, release and configuration. */
  facts: `${prefix}facts`,
  /** The records, by name. */
  records: `${prefix}records`,
  /** By name of a record: the version with which it was last changed. */
  changes: `${prefix}changes`,
  /** The records that were removed, by the version with which they were. */
  removed: `${prefix}removed-records`,
  /** The present version: a text that no other state ever has. */
  head: `${prefix}head`,
  /** The latest ones. A replica that has another one has missed too much, or Redis has lost something. */
  heads: `${prefix}heads`,
  /** Until when each replica counts as alive, by the clock of Redis. */
  alive: `${prefix}alive`,
  /** Batches of exchanges and handshakes. Bounded. */
  journal: `${prefix}journal`,
  /** The numbers of the newest batch, exchange and handshake, and how many bytes the journal was given so far. */
  numbers: `${prefix}numbers`,
} as const;

/** The newest batch of the journal that a replica wrote: its number at the replica, and those of its last records. */
export function lastBatchKey(replica: string): string {
  return `${prefix}last-batch:${replica}`;
}

/**
 * Where the counters of a scenario are.
 * @param generation a different one each time that they begin again
 */
export function counterKey(owner: string, scenario: string, generation: number): string {
  return `${prefix}counters:${owner}:${scenario}:${generation}`;
}
