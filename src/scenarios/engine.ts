import type { ServerDefect } from "../connection/server-defect.js";
import { nearest } from "../yaml/issues.js";
import type { Rule } from "./definition.js";
import { type DrawKey, seedPattern } from "./draw.js";
import type { ScenarioLibrary } from "./library.js";
import { type Decision, decide, type RequestFacts, type RuleCounters } from "./match.js";
import type { Scenario } from "./scenario.js";
import { type ScenarioClient, ScenarioState } from "./state.js";

/** What the headers of a request ask for, for this request alone. */
export interface RequestedScenario {
  /** `Sandbox-Scenario`: the name of a scenario. */
  readonly scenario: string | undefined;
  /** `Sandbox-Replay`: the value of a `Sandbox-Fault`. */
  readonly replay: string | undefined;
}

/** A fault that a request meets. */
export interface ActiveFault {
  readonly rule: Rule;
  readonly key: DrawKey;
  /** Where rate limits and counters are kept. */
  readonly state: ScenarioState;
  /** Where the fault is counted; undefined for a replay, which counts nowhere. */
  readonly counter: RuleCounters | undefined;
  /** Whether it was asked for by `Sandbox-Replay`: then no counter goes on, and no bucket is asked. */
  readonly replayed: boolean;
}

/** A `Sandbox-Scenario` or `Sandbox-Replay` that names nothing that is there. */
export interface UnknownScenario {
  readonly header: "Sandbox-Scenario" | "Sandbox-Replay";
  readonly value: string;
  readonly message: string;
}

/** The value of `Sandbox-Fault`, which `Sandbox-Replay` accepts. */
export function faultHandle({ scenario, rule, count, seed }: DrawKey): string {
  return `${scenario}/${rule}#${count};seed=${seed}`;
}

/** Decides which fault a request meets. Of the header's scenario, the client's and the one for all, exactly one is asked. */
export class ScenarioEngine {
  readonly library: ScenarioLibrary;
  /** Of peers without a client, and of nobody else. */
  readonly strangers: ScenarioState = new ScenarioState();
  readonly #seed: string;
  #activeForAll: string | undefined;
  /** How often the scenario for all was chosen. */
  changes = 0;

  /** @param seed the sandbox's own, with which strangers draw */
  constructor(library: ScenarioLibrary, seed: string) {
    this.library = library;
    this.#seed = seed;
  }

  /** The name of the scenario that is active for all clients without one of their own. */
  get activeForAll(): string | undefined {
    return this.#activeForAll;
  }

  /** The defect of the server's certificate that the scenario for all asks for. */
  get serverDefect(): ServerDefect | undefined {
    return this.#activeForAll === undefined ? undefined : this.library.scenario(this.#activeForAll)?.serverCertificate;
  }

  set activeForAll(name: string | undefined) {
    this.#activeForAll = name;
    this.changes += 1;
    if (name !== undefined) this.strangers.restart(name);
  }

  /** Whether a client, or a stranger, is under a scenario without asking for one. */
  isActiveFor(client: ScenarioClient | undefined): boolean {
    return this.#nameFor(client?.scenario ?? this.strangers) != null;
  }

  /** @returns the fault, undefined for none, or what is wrong with a header */
  select(
    client: ScenarioClient | undefined,
    requested: RequestedScenario,
    facts: RequestFacts,
  ): ActiveFault | UnknownScenario | undefined {
    const state = client?.scenario ?? this.strangers;
    // A stranger meets only the scenario for all: whoever has no client cannot choose.
    if (client && requested.replay !== undefined) return this.#replay(requested.replay, state);
    if (client && requested.scenario !== undefined) {
      const scenario = this.library.scenario(requested.scenario);
      if (!scenario) return this.#unknown("Sandbox-Scenario", requested.scenario, requested.scenario);
      if (scenario.rules.length === 0) {
        const message = `The scenario "${scenario.name}" acts on the handshake, before any header is read: activate it for all.`;
        return { header: "Sandbox-Scenario", value: requested.scenario, message };
      }
      return this.#act(scenario, state, client.seed, facts);
    }
    const name = this.#nameFor(state);
    const scenario = name == null ? undefined : this.library.scenario(name);
    return scenario && this.#act(scenario, state, client?.seed ?? this.#seed, facts);
  }

  /** Null where the client was told to be without one. */
  #nameFor(state: ScenarioState): string | null | undefined {
    return state.active === undefined ? this.#activeForAll : state.active;
  }

  #act(scenario: Scenario, state: ScenarioState, seed: string, facts: RequestFacts): ActiveFault | undefined {
    const decision: Decision | undefined = decide(scenario, facts, state.countersOf(scenario), seed);
    return decision && { ...decision, state, replayed: false };
  }

  #replay(handle: string, state: ScenarioState): ActiveFault | UnknownScenario {
    const match = /^([A-Za-z0-9._-]+)\/([A-Za-z0-9._-]+)#([1-9]\d{0,14});seed=([A-Za-z0-9._-]+)$/.exec(handle);
    if (!match || !seedPattern.test(match[4] as string)) {
      return {
        header: "Sandbox-Replay",
        value: handle,
        message: "Sandbox-Replay must be the value of a Sandbox-Fault header: SCENARIO/RULE#COUNT;seed=SEED.",
      };
    }
    const [, name, ruleName, count, seed] = match as unknown as [string, string, string, string, string];
    const scenario = this.library.scenario(name);
    if (!scenario) return this.#unknown("Sandbox-Replay", handle, name);
    const rule = scenario.rules.find((candidate) => candidate.name === ruleName);
    if (!rule) {
      const known = scenario.rules.map((candidate) => candidate.name).join(", ");
      return {
        header: "Sandbox-Replay",
        value: handle,
        message: `The scenario "${name}" has no rule "${ruleName}"; it has ${known}.`,
      };
    }
    return {
      rule,
      key: { seed, scenario: name, rule: ruleName, count: Number(count) },
      state,
      counter: undefined,
      replayed: true,
    };
  }

  #unknown(header: UnknownScenario["header"], value: string, name: string): UnknownScenario {
    return { header, value, message: unknownScenarioMessage(name, this.library) };
  }
}

/** All built-in scenarios and some more. A thousand can be uploaded. */
const mostNames = 50;

function listed(names: readonly string[]): string {
  const further = names.length - mostNames;
  return further > 0 ? `${names.slice(0, mostNames).join(", ")} and ${further} more` : names.join(", ");
}

/** Says that there is no such scenario, and which ones are near. */
export function unknownScenarioMessage(name: string, library: ScenarioLibrary): string {
  const broken = library.get(name);
  if (broken)
    return `The scenario "${name}" cannot be used: its file is broken (${broken.problems[0]?.message ?? "unreadable"})`;
  const names = library.all().map((entry) => entry.name);
  // No scenario has a longer name, and whoever sends one need not keep us busy.
  const short = name.slice(0, 64);
  const near = nearest(short, names).slice(0, 5);
  const quoted = JSON.stringify(short);
  return near.length > 0
    ? `There is no scenario ${quoted}; near are: ${near.join(", ")}.`
    : `There is no scenario ${quoted}; there are: ${listed(names)}.`;
}
