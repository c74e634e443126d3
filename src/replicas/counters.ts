import { remember } from "../base/remember.js";
import { day } from "../base/text/duration.js";
import { unavailableRefusal } from "../sandbox/journal/refusal.js";
import type { Counting, CountingPlace } from "../sandbox/scenarios/counting.js";
import { type DrawKey, draw } from "../sandbox/scenarios/draw.js";
import { type Decision, holds } from "../sandbox/scenarios/match.js";
import type { RequestFacts } from "../sandbox/scenarios/request-facts.js";
import type { Rule } from "../sandbox/scenarios/rule.js";
import type { FaultCounter, RuleCount } from "../sandbox/scenarios/rule-counters.js";
import type { Scenario } from "../sandbox/scenarios/scenario.js";
import { digestOf, type ScenarioState } from "../sandbox/scenarios/state.js";
import { decideScript, enterScript, giveBackScript, noteScript, takeScript } from "./counter-scripts.js";
import { counterKey, keys } from "./keys.js";
import type { SharedRecords } from "./records.js";
import type { Script } from "./redis.js";

/** Unused counters are forgotten after this time, in milliseconds. */
const keptFor = 30 * day;

/** How many draws are sent with a request: which one is used depends on a count that only Redis knows. */
const drawsAhead = 64;

/** After this time, if Redis did not answer, the number of open requests is sent again, in milliseconds. */
const sendAgainAfter = 500;

/** Draws that are remembered, by rule and seed. */
const mostDraws = 1000;

type Place = Omit<CountingPlace, "attempt"> & { readonly attempt?: CountingPlace["attempt"] };

/** The draws for a rule, from a count on: one digit each. */
interface Draws {
  readonly from: number;
  readonly bits: string;
}

/** Counts in Redis what a rule needs. Each replica counts everything else by itself. */
export class SharedCounters implements Counting {
  readonly #records: SharedRecords;
  readonly #draws = new Map<string, Draws>();
  /** How many requests are open here, by counter. */
  readonly #open = new Map<string, number>();

  constructor(records: SharedRecords) {
    this.#records = records;
  }

  decide(scenario: Scenario, facts: RequestFacts, place: CountingPlace) {
    const rules: Rule[] = [];
    for (const each of scenario.index.candidates(facts)) {
      const rule = scenario.rules[each] as Rule;
      if (!holds(rule.when, facts)) continue;
      rules.push(rule);
      if (!isCounted(rule)) break;
    }
    return this.#decide(scenario, rules, place, facts);
  }

  decideHandshake(scenario: Scenario, place: Omit<CountingPlace, "attempt">) {
    return this.#decide(
      scenario,
      scenario.index.handshakes.map((each) => scenario.rules[each] as Rule),
      place,
    );
  }

  #decide(
    scenario: Scenario,
    rules: readonly Rule[],
    place: Place,
    facts?: RequestFacts,
  ): ReturnType<Counting["decide"]> {
    const [first] = rules;
    if (place.attempt !== undefined || (first !== undefined && isCounted(first)))
      return this.#ask(scenario, rules, place, facts);
    return first && this.#plain(scenario, first, place);
  }

  async countsOf(scenario: Scenario, own: ScenarioState, all: ScenarioState): Promise<readonly RuleCount[]> {
    const replies = scenario.rules.map(async ({ name, share }) => {
      const key = keyOf(share === "all" ? all : own, scenario);
      const [matched, acted] = (await this.#records.redis.send([
        "HMGET",
        key,
        `matched:${name}`,
        `made:${name}`,
      ])) as readonly (string | null)[];
      return { name, matched: Number(matched ?? 0), acted: Number(acted ?? 0) };
    });
    return Promise.all(replies);
  }

  /**
   * A rule that acts on every matching request: its count only distinguishes its faults. Redis is told of it, and is not
   * waited for: what people are told of the rule may be a moment old.
   */
  #plain(scenario: Scenario, rule: Rule, { own, all, seed, start, now }: Place): Decision {
    const counters = own.progressOf(scenario, start, now).counters[scenario.rules.indexOf(rule)];
    if (!counters) throw new Error(`The rule ${rule.name} has no counter.`);
    counters.matched += 1;
    const key = { seed, scenario: scenario.name, rule: rule.name, count: counters.matched };
    const places = [keyOf(own, scenario), keyOf(all, scenario)];
    this.#records.redis.run(noteScript, places, [keptFor, rule.name]).catch(() => {});
    return { rule, key, counter: this.#counterOf(own, all, scenario, rule) };
  }

  async #ask(
    scenario: Scenario,
    rules: readonly Rule[],
    place: Place,
    facts: RequestFacts | undefined,
  ): Promise<Decision | undefined> {
    const { own, all, now, attempt } = place;
    const start = own.startOf(scenario.name) ?? place.start;
    const digest = attempt && digestOf(attempt.request);
    const where = [own, all].map((state) => keyOf(state, scenario));
    // The draws of this request. Other requests may evict them from the remembered draws.
    const drawn = new Map<Rule, Draws>();
    for (;;) {
      const request = {
        now,
        start,
        operation: attempt?.operation,
        digest,
        rules: rules.map((rule) => ({
          ...this.#described(scenario, rule, place, drawn),
          begins: rule.from && facts && holds(rule.from, facts),
        })),
      };
      const reply = await this.#run(decideScript, where, [keptFor, JSON.stringify(request)]);
      const [outcome, at = 0, count = 0] = reply as [string, number?, number?];
      if (outcome === "none") return undefined;
      const rule = rules[at - 1] as Rule;
      const key = { seed: seedFor(rule, place), scenario: scenario.name, rule: rule.name, count };
      if (outcome === "act") return { rule, key, counter: this.#counterOf(own, all, scenario, rule) };
      drawn.set(rule, this.#drawFrom(rule, key));
    }
  }

  /** A rule as the script needs it. Members without a bound are left out. */
  #described(scenario: Scenario, rule: Rule, place: Place, drawn: ReadonlyMap<Rule, Draws>) {
    const { name, share, skip, every, limit, probability, bounds } = rule;
    const key = { seed: seedFor(rule, place), scenario: scenario.name, rule: name, count: 1 };
    const known = () => drawn.get(rule) ?? this.#draws.get(nameOf(rule, key)) ?? this.#drawFrom(rule, key);
    const draws = probability < 1 ? known() : undefined;
    return {
      name,
      shares: share === "all",
      skip,
      every,
      ...(Number.isFinite(limit) && { limit }),
      after: 0,
      ...bounds,
      ...(draws && { from: draws.from, draws: draws.bits }),
    };
  }

  #drawFrom(rule: Rule, key: DrawKey): Draws {
    const bits = Array.from({ length: drawsAhead }, (_, ahead) =>
      draw({ ...key, count: key.count + ahead }, "probability") < rule.probability ? "1" : "0",
    ).join("");
    const drawn = { from: key.count, bits };
    remember(this.#draws, nameOf(rule, key), drawn, mostDraws);
    return drawn;
  }

  #counterOf(own: ScenarioState, all: ScenarioState, scenario: Scenario, rule: Rule): FaultCounter {
    const shares = rule.share === "all";
    const key = keyOf(shares ? all : own, scenario);
    const places = shares ? [key] : [key, keyOf(all, scenario)];
    const openKey = `${key}:open:${rule.name}`;
    return {
      take: async ({ limit, per }, now) =>
        Number(await this.#run(takeScript, [key], [keptFor, rule.name, now, limit, per])),
      enter: async (limit) => {
        const open = (this.#open.get(openKey) ?? 0) + 1;
        this.#open.set(openKey, open);
        let fits = false;
        try {
          fits = (await this.#run(enterScript, [openKey, keys.alive], [keptFor, this.#records.id, open, limit])) === 1;
        } finally {
          if (!fits) this.#leave(openKey);
        }
        return fits;
      },
      leave: () => this.#leave(openKey),
      giveBack: async () => {
        // The answer is already made. If Redis is gone, one fault too many is counted.
        await this.#records.redis.run(giveBackScript, places, [rule.name]).catch(() => {});
      },
    };
  }

  #leave(openKey: string): void {
    const open = (this.#open.get(openKey) ?? 1) - 1;
    if (open > 0) this.#open.set(openKey, open);
    else this.#open.delete(openKey);
    this.#sendOpen(openKey);
  }

  /** Sends the number itself, not a difference, until Redis has it. */
  #sendOpen(openKey: string): void {
    const open = this.#open.get(openKey) ?? 0;
    this.#records.redis.send(["HSET", openKey, this.#records.id, String(open)]).catch(() => {
      if (!this.#records.isClosed) setTimeout(() => this.#sendOpen(openKey), sendAgainAfter).unref();
    });
  }

  /** @throws Refusal if Redis cannot be reached. It is not counted then, unless the connection broke after that. */
  async #run(script: Script, where: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    const reply = await this.#records.redis
      .run(script, where, [this.#records.deadline(), ...args])
      .catch((error: Error) => {
        throw unavailableRefusal(error.message);
      });
    if (reply === "late" || (Array.isArray(reply) && reply[0] === "late"))
      throw unavailableRefusal("Redis did not count the request in time.");
    return reply;
  }
}

function keyOf(state: ScenarioState, { name }: Scenario): string {
  return counterKey(state.owner, name, state.generationOf(name));
}

/** Whether replicas must agree about a rule. A rate limit and a limit of open requests call Redis by themselves. */
function isCounted({ from, share, skip, every, limit, probability, bounds }: Rule): boolean {
  return (
    from !== undefined ||
    share === "all" ||
    skip > 0 ||
    every > 1 ||
    Number.isFinite(limit) ||
    probability < 1 ||
    Object.keys(bounds).length > 0
  );
}

function seedFor(rule: Rule, { seed, sharedSeed }: Place): string {
  return rule.share === "all" ? sharedSeed : seed;
}

function nameOf({ probability }: Rule, { seed, scenario, rule }: DrawKey): string {
  return `${seed}/${scenario}/${rule}/${probability}`;
}
