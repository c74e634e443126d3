import { hash } from "node:crypto";
import { forgetOldest, remember } from "../../base/remember.js";
import type { Stored } from "../store.js";
import { RuleCounters } from "./rule-counters.js";
import type { Scenario } from "./scenario.js";
import { ClientTokens, type TokensMemory } from "./tokens.js";

/** A client's choice: a scenario by name, null for none, or undefined for the scenario that is active for all. */
export type ScenarioChoice = string | null | undefined;

/** How far one scenario has come. Instants in milliseconds since the epoch, on its owner's clock. */
interface ScenarioProgress {
  /** Undefined until the first request. */
  scenario: Scenario | undefined;
  counters: readonly RuleCounters[];
  startedAt: number;
  /** The last request of each operation, by a digest, and how many times in a row it came. */
  readonly attempts: Map<string, { digest: string; count: number }>;
}

/**
 * How many scenarios each client has progress for, at most. There may be fifty thousand clients. The oldest progress is
 * forgotten.
 */
const mostScenarios = 100;

/** Revoked tokens that are remembered. Tokens live for minutes. */
const mostRevoked = 1000;

/** Cursors that were sent and whose position is kept here. Each walk has one at most. */
const mostPositions = 100;

/** Where a cursor leads now. */
export interface CursorPosition {
  /** Ordinal at which the page begins. */
  readonly position: number;
  /** Number of the page in its walk. */
  readonly page: number;
}

/** All of a state but counters and buckets. */
export interface ScenarioMemory {
  /** The choice, without what is on top of it. */
  readonly active: ScenarioChoice;
  readonly changes: number;
  /** By scenario: when it became active, and its generation. */
  readonly started: readonly (readonly [scenario: string, at: number, generation: number])[];
  readonly resetGeneration: number;
  readonly revoked: readonly string[];
  readonly tokens?: TokensMemory | undefined;
  /** By a digest of the cursor. Releases up to 1.0 had none. */
  readonly positions?: readonly (readonly [cursor: string, leadsTo: CursorPosition])[];
  /** The choice before `active`. */
  readonly before?: ScenarioChoice;
  readonly onTop?: string | undefined;
}

/**
 * What scenarios keep for one client between two requests. Besides the clock, it is the only run-time state of a
 * client.
 */
export class ScenarioState implements Stored<ScenarioMemory> {
  /** How often a scenario was chosen, or started again. */
  changes = 0;
  /** By scenario: the value of `changes` when it was last started. */
  readonly #generations = new Map<string, { at: number; generation: number }>();
  #resetGeneration = 0;
  #chosen: ScenarioChoice = undefined;
  /** The choice before it: one step is remembered. */
  #before: ScenarioChoice = undefined;
  #onTop: string | undefined;
  readonly #progress = new Map<string, ScenarioProgress>();
  readonly #revoked = new Set<string>();
  readonly tokens = new ClientTokens();
  readonly #positions = new Map<string, CursorPosition>();

  /** @param owner whose state it is, as a unique text; for counters that are kept elsewhere */
  constructor(readonly owner: string) {}

  /** The scenario that is asked first: what is on top of the choice, or else the choice. */
  get active(): ScenarioChoice {
    return this.#onTop ?? this.#chosen;
  }

  /** Chooses. Nothing is on top of it then. */
  set active(choice: ScenarioChoice) {
    if (choice !== this.#chosen) this.#before = choice === undefined ? undefined : this.#chosen;
    this.#chosen = choice;
    this.onTop = undefined;
  }

  /** The choice, without what is on top of it. */
  get chosen(): ScenarioChoice {
    return this.#chosen;
  }

  /** A scenario that is asked before the choice, which decides where none of its rules acts; undefined for none. */
  get onTop(): string | undefined {
    return this.#onTop;
  }

  set onTop(name: string | undefined) {
    this.#onTop = name;
    this.changes += 1;
  }

  /** Takes back what is on top, or else the choice: that before it holds again, and its counters continue. */
  undo(): void {
    if (this.#onTop === undefined) {
      this.#chosen = this.#before;
      this.#before = undefined;
    }
    this.onTop = undefined;
  }

  /** A scenario can no longer be chosen: where it is, it is taken back. */
  forget(name: string): void {
    if (this.#before === name) this.#before = undefined;
    if (this.#onTop === name) this.undo();
    if (this.#chosen !== name) return;
    this.onTop = undefined;
    this.undo();
  }

  /**
   * How far a scenario has come: the counters of its rules, in their order, and when it became active. A saved file
   * does not reset the counters: a rule of the same name keeps them.
   * @param start when it became active, if it was never started here
   * @param now if the clock was turned back to before the start, the windows begin again
   */
  progressOf(scenario: Scenario, start: number, now: number): Pick<ScenarioProgress, "counters" | "startedAt"> {
    const progress = this.#entry(scenario.name, start);
    progress.startedAt = Math.min(progress.startedAt, now);
    if (progress.scenario === scenario) return progress;
    const before = new Map(progress.scenario?.rules.map(({ name }, index) => [name, progress.counters[index]]));
    progress.counters = scenario.rules.map(({ name }) => before.get(name) ?? new RuleCounters());
    progress.scenario = scenario;
    return progress;
  }

  /** The counters of a rule; undefined if the scenario decided on no request yet. */
  counterOf({ name }: Scenario, rule: string): RuleCounters | undefined {
    const progress = this.#progress.get(name);
    return progress?.counters[progress.scenario?.rules.findIndex((known) => known.name === rule) ?? -1];
  }

  /**
   * Notes a request, and returns how many times in a row it has come. Operations are counted separately: a new token
   * between two attempts does not interrupt them.
   * @param request method, target and body
   */
  attemptOf(scenario: string, operation: string, request: readonly string[], start: number): number {
    const { attempts } = this.#entry(scenario, start);
    const digest = digestOf(request);
    const last = attempts.get(operation);
    const count = last?.digest === digest ? last.count + 1 : 1;
    attempts.set(operation, { digest, count });
    return count;
  }

  /**
   * A token is refused from now on.
   * @param id its `jti`
   */
  revoke(id: string): void {
    this.#revoked.add(id);
    forgetOldest(this.#revoked, mostRevoked);
    this.tokens.drop(id);
  }

  /** Whether a token was revoked. */
  isRevoked(id: string): boolean {
    return this.#revoked.size > 0 && this.#revoked.has(id);
  }

  /** From now on, a cursor leads elsewhere. */
  moveCursor(cursor: string, leadsTo: CursorPosition): void {
    remember(this.#positions, digestOf([cursor]), leadsTo, mostPositions);
  }

  /** Where a cursor was moved to; undefined if it leads to where it says. */
  positionOf(cursor: string): CursorPosition | undefined {
    return this.#positions.size === 0 ? undefined : this.#positions.get(digestOf([cursor]));
  }

  /**
   * Starts a scenario: with new counters, draws, buckets and attempts.
   * @param now when its time windows begin
   */
  restart(scenario: string, now: number): void {
    this.changes += 1;
    remember(this.#generations, scenario, { at: now, generation: this.changes }, mostScenarios);
    this.#progress.delete(scenario);
  }

  /** Forgets everything, including the choice. */
  reset(): void {
    this.active = undefined;
    this.#progress.clear();
    this.#generations.clear();
    this.#resetGeneration = this.changes;
    this.#revoked.clear();
    this.tokens.restore();
    this.#positions.clear();
  }

  /** Changes each time that the counters of a scenario begin again. */
  generationOf(scenario: string): number {
    return this.#generations.get(scenario)?.generation ?? this.#resetGeneration;
  }

  /** When a scenario became active; undefined if it was never started. Milliseconds since the epoch. */
  startOf(scenario: string): number | undefined {
    return this.#generations.get(scenario)?.at;
  }

  /** Whether a token was revoked, ended or kept, or a cursor moved, and that is still remembered. */
  get remembers(): boolean {
    return this.#revoked.size + this.#positions.size > 0 || this.tokens.areNoted;
  }

  memory(): ScenarioMemory {
    return {
      active: this.#chosen,
      before: this.#before,
      onTop: this.#onTop,
      changes: this.changes,
      started: [...this.#generations].map(([name, { at, generation }]) => [name, at, generation] as const),
      resetGeneration: this.#resetGeneration,
      revoked: [...this.#revoked],
      ...(this.tokens.areNoted && { tokens: this.tokens.memory() }),
      ...(this.#positions.size > 0 && { positions: [...this.#positions] }),
    };
  }

  /** Counters of scenarios that did not begin again stay. */
  restore(memory: ScenarioMemory): void {
    const {
      active,
      before: former,
      onTop,
      changes,
      started,
      resetGeneration,
      revoked,
      tokens,
      positions = [],
    } = memory;
    const before = new Map([...this.#progress.keys()].map((name) => [name, this.generationOf(name)]));
    this.#generations.clear();
    this.#revoked.clear();
    this.#positions.clear();
    for (const [cursor, leadsTo] of positions) this.#positions.set(cursor, leadsTo);
    for (const [name, at, generation] of started) remember(this.#generations, name, { at, generation }, mostScenarios);
    for (const id of revoked) this.revoke(id);
    this.tokens.restore(tokens);
    this.#chosen = active;
    this.#before = former;
    this.#onTop = onTop;
    this.#resetGeneration = resetGeneration;
    this.changes = changes;
    for (const [name, generation] of before) if (this.generationOf(name) !== generation) this.#progress.delete(name);
  }

  #entry(name: string, start: number): ScenarioProgress {
    let progress = this.#progress.get(name);
    if (progress === undefined) {
      const startedAt = this.startOf(name) ?? start;
      progress = { scenario: undefined, counters: [], startedAt, attempts: new Map() };
      remember(this.#progress, name, progress, mostScenarios);
    }
    return progress;
  }
}

/**
 * What tells one request from another when a client tries again.
 * @param request method, target and body
 */
export function digestOf(request: readonly string[]): string {
  return hash("sha256", JSON.stringify(request), "base64");
}

/** What the scenarios know about a client. */
export interface ScenarioClient {
  /** The seed of its random decisions. */
  readonly seed: string;
  readonly scenario: ScenarioState;
}
