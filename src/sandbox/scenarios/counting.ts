import type { Decision, Progress } from "./match.js";
import type { RequestFacts } from "./request-facts.js";
import type { RuleCount } from "./rule-counters.js";
import type { Scenario } from "./scenario.js";
import type { ScenarioClient, ScenarioState } from "./state.js";

/** The parts of a request that decide which rule of a scenario acts on it. */
export interface CountedRequest {
  /** Undefined for a peer without one. */
  readonly client: ScenarioClient | undefined;
  readonly facts: RequestFacts;
  /** Milliseconds since the epoch, on the client's clock. */
  readonly now: number;
  /** Method, target and body. Two requests are the same if these are equal. Called only if a rule needs it. */
  identity(): readonly string[];
}

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
  /**
   * How often each rule matched and acted, in their order.
   * @param own for whom; `all` for all clients together
   * @throws StoreError
   */
  countsOf(scenario: Scenario, own: ScenarioState, all: ScenarioState): Promise<readonly RuleCount[]>;
}

/** How often each rule matched and acted, if this process counts. */
export function countsHere(scenario: Scenario, own: ScenarioState, all: ScenarioState): readonly RuleCount[] {
  return scenario.rules.map(({ name, share }) => {
    const counter = (share === "all" ? all : own).counterOf(scenario, name);
    return { name, matched: counter?.matched ?? 0, acted: counter?.made ?? 0 };
  });
}

/** What tells the attempts of a request, if a rule of the scenario has a condition on them. */
export function attemptAt(scenario: Scenario, { facts, identity }: CountedRequest): CountingPlace["attempt"] {
  const { operation, list } = facts;
  if (!scenario.index.asksForAttempt(operation)) return undefined;
  return { operation: list === undefined ? operation : `${operation} ${list}`, request: identity() };
}

/** How far a scenario has come, if this process counts. It notes the attempt. */
export function progressAt(scenario: Scenario, place: CountingPlace): Progress {
  const { own, all, seed, sharedSeed, now, start, attempt } = place;
  const { counters, startedAt } = own.progressOf(scenario, start, now);
  return {
    own: counters,
    shared: () => all.progressOf(scenario, start, now).counters,
    seed,
    sharedSeed,
    elapsed: now - startedAt,
    attempt: attempt ? own.attemptOf(scenario.name, attempt.operation, attempt.request, start) : 0,
  };
}
