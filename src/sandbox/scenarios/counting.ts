import type { Decision, RequestFacts } from "./match.js";
import type { Scenario } from "./scenario.js";
import type { ScenarioState } from "./state.js";

/** Whose counters a request moves, and when the scenario began for them. Instants in milliseconds since the epoch. */
export interface CountingPlace {
  /** Of the client that sent the request, or of the peers without one. */
  readonly own: ScenarioState;
  /** Of all clients together, for rules that share. */
  readonly all: ScenarioState;
  readonly seed: string;
  /** The seed for the draws of rules that share. */
  readonly sharedSeed: string;
  readonly now: number;
  /** When the scenario became active, if it was never started for this client. */
  readonly start: number;
  /** The operation and the request, if a rule of the scenario has a condition on how many times in a row it comes. */
  readonly attempt: { readonly operation: string; readonly request: readonly string[] } | undefined;
}

/** Counts instead of this process, for sandboxes that share their counters. Without it, the engine counts by itself. */
export interface Counting {
  /** Which rule acts on a request. A promise only if a rule needs a counter that is shared. */
  decide(
    scenario: Scenario,
    facts: RequestFacts,
    place: CountingPlace,
  ): Decision | undefined | Promise<Decision | undefined>;
  /** Which rule acts on a new connection. */
  decideHandshake(
    scenario: Scenario,
    place: Omit<CountingPlace, "attempt">,
  ): Decision | undefined | Promise<Decision | undefined>;
}
