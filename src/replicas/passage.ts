import type { EndedPassage } from "../sandbox/connection/passage.js";

/** How an exchange that is over went over its connection, with instants and ids that are valid for all replicas. */
export interface SharedPassage extends EndedPassage {
  /** Instants of one clock can be compared exactly. */
  readonly clock: string;
  /** The largest error when instants of two clocks are compared, in milliseconds. */
  readonly timeError: number;
  readonly connection: number;
  /** When the connection was accepted. */
  readonly begunAt: number;
}
