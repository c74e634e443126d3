import type { Clock } from "../clock.js";
import type { Stored } from "../store.js";
import { type ScenarioMemory, ScenarioState } from "./state.js";

interface ChoiceMemory {
  readonly name: string | undefined;
  readonly since: number;
  readonly changes: number;
  readonly peers: ScenarioMemory;
  readonly shared: ScenarioMemory;
  /** The choice before it. */
  readonly before?: FormerChoice | undefined;
}

/** A choice that another one has replaced: an undo returns to it. */
interface FormerChoice {
  readonly name: string | undefined;
  readonly since: number;
}

/** The scenario of all clients without one of their own, and what belongs to no client. */
export class ChoiceForAll implements Stored<ChoiceMemory> {
  /** Only of peers without a client. */
  readonly peers: ScenarioState = new ScenarioState("peers");
  /** Of the rules that count the requests of all clients together. */
  readonly shared: ScenarioState = new ScenarioState("all");
  readonly #clock: Clock;
  #name: string | undefined;
  #since = 0;
  #before: FormerChoice | undefined;
  #changes = 0;

  /** @param clock the sandbox's */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The name of the scenario; undefined for none. */
  get name(): string | undefined {
    return this.#name;
  }

  /** When it was chosen, in milliseconds since the epoch. */
  get since(): number {
    return this.#since;
  }

  /** How often it was chosen. */
  get changes(): number {
    return this.#changes;
  }

  /** @param name of a scenario that exists; undefined for none, which no undo takes back */
  choose(name: string | undefined): void {
    if (name !== this.#name) this.#before = name === undefined ? undefined : { name: this.#name, since: this.#since };
    this.#become(name, this.#clock.now());
    if (name === undefined) return;
    this.peers.restart(name, this.#since);
    this.shared.restart(name, this.#since);
  }

  /** The choice before this one holds again, and its counters continue. One step is remembered. */
  undo(): void {
    const { name, since = this.#clock.now() } = this.#before ?? {};
    this.#before = undefined;
    this.#become(name, since);
  }

  /** A scenario can no longer be chosen: if it is, that is taken back. */
  forget(name: string): void {
    if (this.#before?.name === name) this.#before = undefined;
    if (this.#name === name) this.undo();
  }

  /** Forgets all counters, and returns to a scenario, or to none. */
  reset(name: string | undefined): void {
    this.peers.reset();
    this.shared.reset();
    this.choose(name);
    this.#before = undefined;
  }

  memory(): ChoiceMemory {
    return {
      name: this.#name,
      since: this.#since,
      changes: this.#changes,
      peers: this.peers.memory(),
      shared: this.shared.memory(),
      before: this.#before,
    };
  }

  /** The chosen scenario continues with its counters: it is not activated again. */
  restore({ name, since, changes, peers, shared, before }: ChoiceMemory): void {
    this.peers.restore(peers);
    this.shared.restore(shared);
    this.#name = name;
    this.#since = since;
    this.#before = before;
    this.#changes = changes;
  }

  #become(name: string | undefined, since: number): void {
    this.#name = name;
    this.#since = since;
    this.#changes += 1;
  }
}
