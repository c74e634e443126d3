import { keys, snapshotLockKey } from "./keys.js";
import type { SharedLog } from "./log.js";
import { keepSnapshotScript } from "./log-scripts.js";
import { type SharedParts, takeSnapshot } from "./snapshot.js";
import { SnapshotSchedule } from "./snapshot-schedule.js";

/** Writes a snapshot to Redis when one is due, so that a replica that joins need not read the whole log. */
export class SnapshotKeeper {
  readonly #log: SharedLog;
  readonly #schedule = new SnapshotSchedule();
  /** The position of the previous snapshot. */
  #before = "0-0";

  constructor(log: SharedLog) {
    this.#log = log;
  }

  /**
   * The state is that of a snapshot.
   * @param clients the number of clients
   */
  begin(clients: number): void {
    this.#schedule.begin(clients);
  }

  /**
   * A command was applied.
   * @param position of the command in the log
   */
  reached(position: string, parts: SharedParts): void {
    if (!this.#schedule.applied(parts.clients.size)) return;
    void this.#keep(position, JSON.stringify({ position, snapshot: takeSnapshot(parts) }), this.#before);
    this.#before = position;
  }

  /** One replica writes it: the one that holds the lock. */
  async #keep(position: string, text: string, first: string): Promise<void> {
    try {
      const lock = ["SET", snapshotLockKey(position), this.#log.id, "NX", "PX", "10000"];
      if ((await this.#log.redis.send(lock)) !== "OK") return;
      await this.#log.redis.run(keepSnapshotScript, [keys.log, keys.snapshot], [position, text, first]);
    } catch {
      // The log stays longer, until the next snapshot.
    }
  }
}
