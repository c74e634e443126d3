import type { OperationName } from "../operations.js";
import type { Bounds, GivenCondition } from "./condition.js";
import type { GivenFault } from "./fault.js";

/** One `when`/`then`. The conditions apply in the order `when`, `from`, `skip`, `every`, `limit`, `probability`. */
export interface Rule {
  readonly name: string;
  readonly when: readonly GivenCondition[];
  /** The bounds of these conditions in the course of the scenario. */
  readonly bounds: Bounds;
  /** The operations that these conditions and the faults are for. */
  readonly operations: readonly OperationName[];
  /** With which of these requests it begins; undefined for the first one. */
  readonly from: readonly GivenCondition[] | undefined;
  /** Whose requests the rule counts: those of each client separately, or those of all clients together. */
  readonly share: "client" | "all";
  /** How many matching requests pass before the rule begins to act. */
  readonly skip: number;
  /** Of the matching requests after that, only each n-th. */
  readonly every: number;
  /** How many faults the rule makes at most. */
  readonly limit: number;
  /** How likely the rule acts, from 0 to 1. */
  readonly probability: number;
  /** What it does: one fault, or several that change different things, in the order of `faults.ts`. */
  readonly faults: readonly GivenFault[];
  /** The same in words: `the error INVALID_CURSOR`. */
  readonly words: string;
  /** Why it did not act on a request that passed all checks; undefined if that has no reason of its own. */
  readonly idle: string | undefined;
  /** Whether one of them cuts or divides the body, and does nothing to an answer without one. */
  readonly needsBody: boolean;
}
