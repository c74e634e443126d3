import type { CheckId } from "../exam/checks.js";
import type { OperationName } from "./operation-name.js";

/** What a correct client does under a scenario, so that a machine can read it. */
export interface Expectation {
  /** The exit status of the command: zero, another one, or either where giving up and coming through are both right. */
  readonly outcome: "succeeds" | "fails" | "any";
  /** Checks that must be exercised, and pass. */
  readonly checks: readonly CheckId[];
  /** How many requests of an operation the client sends. */
  readonly requests: { readonly [Operation in OperationName]?: RequestBounds | undefined };
}

/** Both inclusive; undefined: no bound. */
interface RequestBounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}
