import type { RuleCounters } from "./match.js";
import type { Scenario } from "./scenario.js";

/** A client's choice: a scenario by name, explicitly none, or undefined for whatever is active for all. */
export type ScenarioChoice = string | null | undefined;

/** A token bucket of one rule. Instants on the client's clock. */
export interface Bucket {
  tokens: number;
  filledAt: number;
}

/**
 * What scenarios keep for one client between two requests. It is the only run-time state of a client besides its clock;
 * whoever wants to share it between processes replaces this class.
 */
export class ScenarioState {
  /** How often a scenario was chosen, or started again. */
  changes = 0;
  #active: ScenarioChoice = undefined;
  readonly #counters = new Map<string, { readonly scenario: Scenario; readonly counters: readonly RuleCounters[] }>();
  readonly #buckets = new Map<string, Bucket>();

  get active(): ScenarioChoice {
    return this.#active;
  }

  set active(choice: ScenarioChoice) {
    this.#active = choice;
    this.changes += 1;
  }

  /** The counters of a scenario's rules, in their order. A saved file does not start them anew: they are carried over by name. */
  countersOf(scenario: Scenario): readonly RuleCounters[] {
    const known = this.#counters.get(scenario.name);
    if (known?.scenario === scenario) return known.counters;
    const before = new Map(known?.scenario.rules.map(({ name }, index) => [name, known.counters[index]]));
    const counters = scenario.rules.map(({ name }) => before.get(name) ?? { matched: 0, made: 0 });
    this.#counters.set(scenario.name, { scenario, counters });
    return counters;
  }

  /** Takes one request from the bucket of a rule. @returns milliseconds to wait until one fits; 0 when it did */
  takeFrom(
    scenario: string,
    rule: string,
    { limit, per }: { readonly limit: number; readonly per: number },
    now: number,
  ): number {
    const key = `${scenario}/${rule}`;
    const bucket = this.#buckets.get(key) ?? { tokens: limit, filledAt: now };
    this.#buckets.set(key, bucket);
    // A clock that was turned back fills nothing, and must not hold the bucket empty until it has caught up.
    const elapsed = Math.max(0, now - bucket.filledAt);
    bucket.tokens = Math.min(limit, bucket.tokens + (elapsed * limit) / per);
    bucket.filledAt = now;
    if (bucket.tokens >= 1 - 1e-9) {
      bucket.tokens = Math.max(0, bucket.tokens - 1);
      return 0;
    }
    return ((1 - bucket.tokens) * per) / limit;
  }

  /** Starts a scenario anew: counters, draws and buckets. */
  restart(scenario: string): void {
    this.changes += 1;
    this.#counters.delete(scenario);
    for (const key of this.#buckets.keys()) {
      if (key.startsWith(`${scenario}/`)) this.#buckets.delete(key);
    }
  }

  /** Forgets everything, the choice among it. */
  reset(): void {
    this.active = undefined;
    this.#counters.clear();
    this.#buckets.clear();
  }
}

/** What the scenarios know of a client. */
export interface ScenarioClient {
  /** What its random decisions are drawn from. */
  readonly seed: string;
  readonly scenario: ScenarioState;
}
