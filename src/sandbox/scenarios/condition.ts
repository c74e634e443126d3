import type * as z from "zod";
import type { OperationName } from "../operations.js";
import type { RequestFacts } from "./request-facts.js";

/**
 * One condition of a rule. All that is known of it is in its file in `conditions/`. `conditions.ts` lists these files,
 * and everything else reads the list, or the conditions of a rule.
 *
 * A condition is on the request (`holds`), or on the course of the scenario (`bounds`), which sandboxes that share
 * their counters read from Redis.
 */
export interface Condition<Value = unknown> {
  /** Its key in `when`. */
  readonly name: string;
  /** What can be written for it, with description and examples. */
  readonly schema: z.ZodType;
  /** Whether it can also stand in `from`. */
  readonly begins?: true | undefined;
  /** Whether it can stand with a fault of the handshake, where nothing is known of a request. */
  readonly inHandshake?: true;
  /** Whether it needs the body of the request. */
  readonly readsBody?: true;
  /** Makes the value from the written form, which without it is the value. */
  compile?(written: never, when: WrittenWindow): Value;
  /** The operations whose requests it can hold for; without it, all. It stands only with conditions and faults of them. */
  operations?(value: Value): readonly OperationName[];
  holds?(value: Value, facts: RequestFacts): boolean;
  bounds?(value: Value): Bounds;
  /** A header without which it cannot hold, in lower case. */
  header?(value: Value): string | undefined;
  /** How many patterns it compares a request with. */
  patterns?(value: Value): number;
  /** Which requests it is about, in words: `page 2`. */
  subject?(value: Value): string;
  /** The same as an addition to a subject: `of the list "payments"`. */
  words?(value: Value): string;
}

/** The keys of `when` that are read together. */
export interface WrittenWindow {
  readonly after?: string | undefined;
}

/** When a rule holds in the course of a scenario. Undefined: no bound. */
export interface Bounds {
  /** For how many times in a row the same request comes, this one included. */
  readonly attempt?: number;
  /** Milliseconds since the activation of the scenario, on the client's clock: from when on, and until when. */
  readonly after?: number;
  readonly until?: number;
}

/** A condition of a rule, with its value. */
export interface GivenCondition {
  readonly condition: Condition;
  readonly value: unknown;
  /** That of the condition. V8 reads it faster here, because these objects are all alike. */
  readonly holds: Condition["holds"];
}
