/** Every key in Redis. One database holds the state of one set of replicas. */
const prefix = "payments-sandbox:";

export const keys = {
  /** The commands, in their order. */
  log: `${prefix}log`,
  /** Facts that were decided when the log began: seed, CA, release and configuration. */
  facts: `${prefix}facts`,
  /** Until when each replica counts as alive, by the clock of Redis. */
  alive: `${prefix}alive`,
  /** The state at a position of the log. */
  snapshot: `${prefix}snapshot`,
  /** How many replicas have joined so far: each gets a number. */
  replicas: `${prefix}replicas`,
  /** Batches of exchanges and handshakes. Bounded. */
  journal: `${prefix}journal`,
  /** The numbers of the newest exchange and handshake, and the size of the journal. */
  numbers: `${prefix}numbers`,
  /** The numbers of exchanges that were removed from the journal. */
  removed: `${prefix}removed`,
  /** The position of the batch up to which the whole journal was removed. */
  removedUpTo: `${prefix}removed-up-to`,
  /** By replica: the position of the batch up to which it has judged the journal. */
  judged: `${prefix}judged`,
  /** By client: the position of the batch up to which the report was reset. */
  examined: `${prefix}examined`,
} as const;

/** Held by the replica that writes the snapshot of a position. */
export function snapshotLockKey(position: string): string {
  return `${prefix}snapshot-lock:${position}`;
}

/** The number of the newest batch of the journal that a replica wrote, and where it is. */
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
