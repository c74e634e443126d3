import { nearest } from "../../base/text/nearest.js";
import type { Clock } from "../clock.js";
import { isRenewal, type ServerRenewal } from "../connection/server-certificate.js";
import type { ServerDefect } from "../connection/server-defect.js";
import type { OperationName } from "../operations.js";
import { ChoiceForAll } from "./choice-for-all.js";
import {
  attemptAt,
  type CountedRequest,
  type Counting,
  type CountingPlace,
  countsHere,
  progressAt,
} from "./counting.js";
import { readFaultHandle } from "./fault-handle.js";
import type { ScenarioLayer } from "./layer.js";
import type { ScenarioLibrary } from "./library.js";
import { type Decision, decide, decideHandshake } from "./match.js";
import type { FaultCounter, RuleCount } from "./rule-counters.js";
import { onlyAtStart, type Scenario } from "./scenario.js";
import type { ScenarioClient, ScenarioState } from "./state.js";

/** What the headers of a request select, for this request only. */
export interface RequestedScenario {
  /** `Sandbox-Scenario`: the name of a scenario. */
  readonly scenario: string | undefined;
  /** `Sandbox-Replay`: the value of a `Sandbox-Fault`. */
  readonly replay: string | undefined;
}

/** The rule that acts on a request, or on a new connection. */
export interface ActingRule extends Omit<Decision, "counter"> {
  /** Undefined for a replay, which is not counted, and for an exchange that was restored. */
  readonly counter: FaultCounter | undefined;
}

/** A `Sandbox-Scenario` or `Sandbox-Replay` that names something that does not exist. */
export interface UnknownScenario {
  readonly message: string;
}

/** A request, and what it selects itself. */
interface ScenarioRequest extends CountedRequest {
  readonly requested: RequestedScenario | undefined;
}

/**
 * Decides which rule acts on a request. Exactly one scenario decides: the header's, the client's or the one for all.
 * What is on top of a client's choice is asked before that choice, and a layer, if there is one, before all.
 */
export class ScenarioEngine {
  readonly library: ScenarioLibrary;
  readonly forAll: ChoiceForAll;
  readonly #seed: string;
  readonly #clock: Clock;
  readonly #counting: Counting | undefined;
  readonly #layer: ScenarioLayer | undefined;
  /** The scenarios that were active when a request arrived. */
  readonly #used = new Set<string>();

  /**
   * @param seed the sandbox's own, for the draws of unregistered peers and of rules that count the requests of all
   *   clients
   * @param clock the sandbox's
   * @param counting counts instead of this process
   */
  constructor(library: ScenarioLibrary, seed: string, clock: Clock, counting?: Counting, layer?: ScenarioLayer) {
    this.library = library;
    this.#seed = seed;
    this.#clock = clock;
    this.forAll = new ChoiceForAll(clock);
    this.#counting = counting;
    this.#layer = layer;
  }

  /** The defect of the server's certificate that the scenario for all sets. */
  get serverDefect(): ServerDefect | undefined {
    const certificate = this.#serverCertificate;
    return certificate === undefined || isRenewal(certificate) ? undefined : certificate;
  }

  /** The renewal of the server's certificate that the scenario for all sets. */
  get serverRenewal(): ServerRenewal | undefined {
    const certificate = this.#serverCertificate;
    return certificate !== undefined && isRenewal(certificate) ? certificate : undefined;
  }

  /** How long the certificates of the standing clients are valid, if the scenario for all says so. */
  get clientValidity(): number | undefined {
    return this.#scenarioForAll?.clientValidity;
  }

  get #serverCertificate(): ServerDefect | ServerRenewal | undefined {
    return this.#scenarioForAll?.serverCertificate;
  }

  get #scenarioForAll(): Scenario | undefined {
    return this.#scenario(this.forAll.name);
  }

  /** How often the scenario of a client, or of an unregistered peer, was changed. */
  changesFor(client: ScenarioClient | undefined): number {
    return this.forAll.changes + this.#stateOf(client).changes;
  }

  /** Whether a scenario is active for a client, or an unregistered peer, without a header. */
  isActiveFor(client: ScenarioClient | undefined): boolean {
    const state = this.#stateOf(client);
    return this.#layer !== undefined || state.onTop !== undefined || this.#nameFor(state) != null;
  }

  /** Whether the body of a request must be known to decide which rule acts on it. */
  asksForBody(
    client: ScenarioClient | undefined,
    requested: RequestedScenario | undefined,
    operation: OperationName,
  ): boolean {
    if (this.#layer?.asksForBody(operation)) return true;
    if (client && requested?.replay !== undefined) return false;
    const state = this.#stateOf(client);
    const named = client && requested?.scenario;
    const asked = named === undefined ? [state.onTop, this.#nameFor(state)] : [named];
    return asked.some((name) => name != null && this.library.scenario(name)?.index.asksForBody(operation) === true);
  }

  /** @returns the rule, undefined for none, or what is wrong with a header; a promise only if counters are shared */
  select(request: ScenarioRequest): ActingRule | UnknownScenario | undefined | Promise<ActingRule | undefined> {
    return this.#layer?.select(request) ?? this.#selectChosen(request);
  }

  #selectChosen(request: ScenarioRequest): ReturnType<ScenarioEngine["select"]> {
    const { client, requested } = request;
    // A peer without a client gets only the scenario for all: it cannot choose one.
    if (client && requested?.replay !== undefined) return this.#replay(requested.replay);
    if (client && requested?.scenario !== undefined) {
      const scenario = this.library.scenario(requested.scenario);
      if (!scenario) return this.#unknown(requested.scenario);
      const atStart = onlyAtStart(scenario);
      if (atStart !== undefined) return { message: atStart };
      if (scenario.index.isForHandshakesOnly) {
        const message = `The scenario "${scenario.name}" acts on the handshake, before any header is read: activate it for all.`;
        return { message };
      }
      return this.#act(scenario, request, request.now);
    }
    const state = this.#stateOf(client);
    const above = this.#actNamed(state.onTop, request, request.now);
    // A client that was registered since has a clock without an offset of its own.
    const start = state.chosen === undefined ? this.forAll.since : request.now;
    const below = () => this.#actNamed(this.#nameFor(state), request, start);
    return above instanceof Promise ? above.then((rule) => rule ?? below()) : (above ?? below());
  }

  #actNamed(name: string | null | undefined, request: ScenarioRequest, start: number) {
    const scenario = this.#scenario(name);
    if (scenario) this.#used.add(scenario.name);
    return scenario && this.#act(scenario, request, start);
  }

  /** The rule that acts on a new connection, before the client is known: the layer's, or that of the scenario for all. */
  selectHandshake(): ActingRule | undefined | Promise<ActingRule | undefined> {
    const above = this.#layer?.selectHandshake();
    if (above) return above;
    const scenario = this.#scenarioForAll;
    if (!scenario || scenario.index.handshakes.length === 0) return undefined;
    const place = this.#place(undefined, this.#clock.now(), this.forAll.since, undefined);
    if (this.#counting) return this.#counting.decideHandshake(scenario, place);
    return decideHandshake(scenario, progressAt(scenario, place));
  }

  /**
   * How often the rules of the scenario that is active for a client matched its requests, and acted on them.
   * @param client undefined for the scenario for all: then the requests of all clients count, however they chose it
   * @throws StoreError
   */
  async countsFor(client: ScenarioClient | undefined): Promise<readonly RuleCount[]> {
    const name = client ? (client.scenario.onTop ?? this.#nameFor(client.scenario)) : this.forAll.name;
    const scenario = this.#scenario(name);
    return scenario ? this.#counts(scenario, client?.scenario ?? this.forAll.shared) : [];
  }

  /**
   * The rules that matched no request of any client, of the scenarios that were active when a request arrived, or are
   * active for all.
   */
  async unmatchedRules(): Promise<readonly { readonly scenario: string; readonly rules: readonly string[] }[]> {
    const scenarios = [...new Set([...this.#used, this.forAll.name])].flatMap((name) => this.#scenario(name) ?? []);
    const found = scenarios.map(async (scenario) => {
      const unmatched = (await this.#counts(scenario, this.forAll.shared)).filter(({ matched }) => matched === 0);
      return { scenario: scenario.name, rules: unmatched.map(({ name }) => name) };
    });
    return (await Promise.all(found)).filter(({ rules }) => rules.length > 0);
  }

  async #counts(scenario: Scenario, own: ScenarioState): Promise<readonly RuleCount[]> {
    return this.#counting
      ? this.#counting.countsOf(scenario, own, this.forAll.shared)
      : countsHere(scenario, own, this.forAll.shared);
  }

  #stateOf(client: ScenarioClient | undefined): ScenarioState {
    return client?.scenario ?? this.forAll.peers;
  }

  /** Null if the client's choice is explicitly none. */
  #nameFor({ chosen }: ScenarioState): string | null | undefined {
    return chosen === undefined ? this.forAll.name : chosen;
  }

  /** @param start when the scenario became active, if it was never started for this client */
  #act(
    scenario: Scenario,
    request: ScenarioRequest,
    start: number,
  ): ActingRule | undefined | Promise<ActingRule | undefined> {
    const { client, facts, now } = request;
    const place = this.#place(client, now, start, attemptAt(scenario, request));
    if (this.#counting) return this.#counting.decide(scenario, facts, place);
    return decide(scenario, facts, progressAt(scenario, place));
  }

  #place(
    client: ScenarioClient | undefined,
    now: number,
    start: number,
    attempt: CountingPlace["attempt"],
  ): CountingPlace {
    const own = this.#stateOf(client);
    const seed = client?.seed ?? this.#seed;
    return { own, all: this.forAll.shared, seed, sharedSeed: this.#seed, now, start, attempt };
  }

  #replay(handle: string): ActingRule | UnknownScenario {
    const key = readFaultHandle(handle);
    if (!key) {
      return {
        message: "Sandbox-Replay must be the value of a Sandbox-Fault header: SCENARIO/RULE#COUNT;seed=SEED.",
      };
    }
    const { scenario: name, rule: ruleName } = key;
    const scenario = this.library.scenario(name);
    if (!scenario) return this.#unknown(name);
    const rule = scenario.rules.find((candidate) => candidate.name === ruleName);
    if (!rule) {
      const known = scenario.rules.map((candidate) => candidate.name).join(", ");
      return {
        message: `The scenario "${name}" has no rule "${ruleName}"; it has ${known}.`,
      };
    }
    return { rule, key, counter: undefined };
  }

  #scenario(name: string | null | undefined): Scenario | undefined {
    return name == null ? undefined : this.library.scenario(name);
  }

  #unknown(name: string): UnknownScenario {
    return { message: unknownScenarioMessage(name, this.library) };
  }
}

/** Says that there is no such scenario, and which names are similar, or what lists all of them. */
export function unknownScenarioMessage(name: string, library: ScenarioLibrary): string {
  const broken = library.get(name);
  if (broken)
    return `The scenario "${name}" cannot be used: its file is broken (${broken.problems[0]?.message ?? "unreadable"})`;
  const names = library.all().map((entry) => entry.name);
  // No scenario has a longer name, and a long text would take long to compare.
  const short = name.slice(0, 64);
  const near = nearest(short, names).slice(0, 5);
  const quoted = JSON.stringify(short);
  return near.length > 0
    ? `There is no scenario ${quoted}; similar names: ${near.join(", ")}.`
    : `There is no scenario ${quoted}; payments-sandbox scenarios, or GET /scenarios of the admin API, lists all names.`;
}
