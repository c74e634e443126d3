import type { Bounds, GivenCondition } from "./condition.js";
import { type DrawKey, draw } from "./draw.js";
import type { RequestFacts } from "./request-facts.js";
import type { Rule } from "./rule.js";
import type { FaultCounter, RuleCounters } from "./rule-counters.js";
import type { Scenario } from "./scenario.js";

/** How far a scenario has come when a request arrives. */
export interface Progress {
  /** One entry for each rule, for the client that sent the request. */
  readonly own: readonly RuleCounters[];
  /** The same for all clients together. */
  shared(): readonly RuleCounters[];
  readonly seed: string;
  /** The seed for the draws of rules that share. */
  readonly sharedSeed: string;
  /** Milliseconds since the scenario was activated. */
  readonly elapsed: number;
  /** How many times in a row this same request has come; 0 if no rule needs it. */
  readonly attempt: number;
}

/** A rule that acts on a request. */
export interface Decision {
  readonly rule: Rule;
  readonly key: DrawKey;
  /** Where the fault is counted and its bucket is kept. */
  readonly counter: FaultCounter;
}

/**
 * Finds the rule that acts on a request: the first one whose conditions all hold. As a side effect, counters are
 * incremented: only here and in `decideHandshake`.
 */
export function decide(scenario: Scenario, facts: RequestFacts, progress: Progress): Decision | undefined {
  for (const place of scenario.index.candidates(facts)) {
    const rule = scenario.rules[place] as Rule;
    if (!holds(rule.when, facts) || !isCurrent(rule.bounds, progress)) continue;
    const decision = hasBegun(scenario, place, facts, progress) && count(scenario, place, progress);
    if (decision) return decision;
  }
  return undefined;
}

/** The same for a new connection, whose client is not known yet: only rules with a fault of the handshake can act. */
export function decideHandshake(scenario: Scenario, progress: Progress): Decision | undefined {
  for (const place of scenario.index.handshakes) {
    const decision = isCurrent((scenario.rules[place] as Rule).bounds, progress) && count(scenario, place, progress);
    if (decision) return decision;
  }
  return undefined;
}

/** Whether a rule has begun before this request that it holds for, or begins with it. */
function hasBegun(scenario: Scenario, place: number, facts: RequestFacts, progress: Progress): boolean {
  const { from, share } = scenario.rules[place] as Rule;
  if (from === undefined) return true;
  const counter = (share === "all" ? progress.shared() : progress.own)[place];
  if (!counter) return false;
  counter.begun ||= holds(from, facts);
  return counter.begun;
}

/** Counts a request that a rule holds for, and decides whether the rule acts on it. */
function count(scenario: Scenario, place: number, progress: Progress): Decision | undefined {
  const rule = scenario.rules[place] as Rule;
  const shares = rule.share === "all";
  const total = progress.shared()[place];
  const counter = shares ? total : progress.own[place];
  if (!counter || !total) return undefined;
  counter.matched += 1;
  // A scenario that begins again counts all clients in another place.
  counter.total = shares ? undefined : total;
  if (counter.total) counter.total.matched += 1;
  const seed = shares ? progress.sharedSeed : progress.seed;
  const key: DrawKey = { seed, scenario: scenario.name, rule: rule.name, count: counter.matched };
  if (!isDue(rule, counter, key)) return undefined;
  counter.made += 1;
  if (counter.total) counter.total.made += 1;
  return { rule, key, counter };
}

/** `skip`, `every`, `limit` and `probability`, in this order. */
function isDue(rule: Rule, { matched, made }: RuleCounters, key: DrawKey): boolean {
  const after = matched - rule.skip;
  if (after < 1 || after % rule.every !== 0) return false;
  if (made >= rule.limit) return false;
  return rule.probability >= 1 || draw(key, "probability") < rule.probability;
}

/** Whether the time and the attempt fit a rule. */
function isCurrent({ attempt, after = 0, until }: Bounds, progress: Progress): boolean {
  if (attempt !== undefined && attempt !== progress.attempt) return false;
  return progress.elapsed >= after && (until === undefined || progress.elapsed < until);
}

/** Whether all conditions on a request hold. */
export function holds(given: readonly GivenCondition[], facts: RequestFacts): boolean {
  // Without an iterator, of which a request would need one for each rule.
  for (let place = 0; place < given.length; place++) {
    const { value, holds: test } = given[place] as GivenCondition;
    if (test !== undefined && !test(value, facts)) return false;
  }
  return true;
}
