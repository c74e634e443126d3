import type { Clock } from "../clock.js";
import type { OperationName } from "../operations.js";
import { attemptAt, type CountedRequest, progressAt } from "./counting.js";
import { type Decision, decide, decideHandshake } from "./match.js";
import type { Scenario } from "./scenario.js";
import { type ScenarioClient, ScenarioState } from "./state.js";

/**
 * A scenario above all others, for all clients. It is chosen when a sandbox starts, and belongs to whoever started it:
 * its counters and its time are its own, so nothing that the admin API does clears, resets or shows it. It counts in
 * this process.
 */
export class ScenarioLayer {
  readonly #scenario: Scenario;
  readonly #seed: string;
  readonly #clock: Clock;
  readonly #since: number;
  readonly #all = new ScenarioState("layer");
  readonly #peers = new ScenarioState("layer");
  readonly #clients = new WeakMap<ScenarioClient, ScenarioState>();

  /**
   * @param scenario only its rules act
   * @param seed for rules that count the requests of all clients together
   * @param clock one that nobody can move
   */
  constructor(scenario: Scenario, seed: string, clock: Clock) {
    this.#scenario = scenario;
    this.#seed = seed;
    this.#clock = clock;
    this.#since = clock.now();
  }

  /** Whether the body of a request must be known to decide which rule acts on it. */
  asksForBody(operation: OperationName): boolean {
    return this.#scenario.index.asksForBody(operation);
  }

  /** The rule that acts on a request. */
  select(request: CountedRequest): Decision | undefined {
    const place = { ...this.#place(request.client), attempt: attemptAt(this.#scenario, request) };
    return decide(this.#scenario, request.facts, progressAt(this.#scenario, place));
  }

  /** The rule that acts on a new connection. */
  selectHandshake(): Decision | undefined {
    return decideHandshake(this.#scenario, progressAt(this.#scenario, { ...this.#place(), attempt: undefined }));
  }

  #place(client?: ScenarioClient) {
    const own = client ? this.#stateOf(client) : this.#peers;
    const [seed, now] = [client?.seed ?? this.#seed, this.#clock.now()];
    return { own, all: this.#all, seed, sharedSeed: this.#seed, now, start: this.#since };
  }

  #stateOf(client: ScenarioClient): ScenarioState {
    const known = this.#clients.get(client);
    if (known) return known;
    const state = new ScenarioState("layer");
    this.#clients.set(client, state);
    return state;
  }
}
