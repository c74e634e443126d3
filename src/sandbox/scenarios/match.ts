import type { PagePlace } from "../lists/place.js";
import type { CertificateCondition, Condition, NamedValues, TokenRole, WantedValue } from "./condition.js";
import { type DrawKey, draw } from "./draw.js";
import type { Rule } from "./rule.js";
import type { FaultCounter, RuleCounters } from "./rule-counters.js";
import type { IndexedFacts } from "./rule-index.js";
import type { Scenario } from "./scenario.js";

/** What rules can test of a request. A fact that costs time is a function, called only if a rule needs it. */
export interface RequestFacts extends IndexedFacts {
  readonly list: string | undefined;
  /** The client for which the peer's certificate is registered. */
  readonly client: string | undefined;
  readonly method: string;
  /** The version of HTTP. */
  readonly http: 1 | 2;
  /** Whether the client presented this certificate. */
  presents(certificate: CertificateCondition): boolean;
  /**
   * Number of the page in its walk: 1 without a cursor, undefined for a cursor that the sandbox did not issue, and if
   * there are no pages.
   */
  page(): number | undefined;
  /** The place of the page in its walk; undefined if there is none, or the request would be refused. */
  place(): PagePlace | undefined;
  /** Undefined for other operations, and for a peer that is no client. */
  readonly token: TokenRole | undefined;
  /** Whether a cursor is sent; undefined if the operation has no cursors. */
  cursor(): boolean | undefined;
  /** The values of a query parameter, in the order in which they were sent; null for a value that cannot be decoded. */
  query(name: string): readonly (string | null)[];
  /** The values of a header, by its name in lower case. */
  header(name: string): readonly string[];
  /** The values of a field of the form; none if the operation has no form. */
  form(name: string): readonly (string | null)[];
}

/** How far a scenario has come when a request arrives. */
export interface Progress {
  /** One entry for each rule, for the client that sent the request. */
  readonly own: readonly RuleCounters[];
  /** The same for all clients together, for rules that share; undefined if no rule shares. */
  readonly shared: readonly RuleCounters[] | undefined;
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
    if (!holds(rule.when, facts) || !isCurrent(rule.when, progress)) continue;
    const decision = hasBegun(scenario, place, facts, progress) && count(scenario, place, progress);
    if (decision) return decision;
  }
  return undefined;
}

/** The same for a new connection, whose client is not known yet: only rules with a fault of the handshake can act. */
export function decideHandshake(scenario: Scenario, progress: Progress): Decision | undefined {
  for (const place of scenario.index.handshakes) {
    const decision = isCurrent((scenario.rules[place] as Rule).when, progress) && count(scenario, place, progress);
    if (decision) return decision;
  }
  return undefined;
}

/** Whether a rule has begun before this request that it holds for, or begins with it. */
function hasBegun(scenario: Scenario, place: number, facts: RequestFacts, progress: Progress): boolean {
  const { from, share } = scenario.rules[place] as Rule;
  if (from === undefined) return true;
  const counter = (share === "all" ? progress.shared : progress.own)?.[place];
  if (!counter) return false;
  counter.begun ||= holds(from, facts);
  return counter.begun;
}

/** Counts a request that a rule holds for, and decides whether the rule acts on it. */
function count(scenario: Scenario, place: number, progress: Progress): Decision | undefined {
  const rule = scenario.rules[place] as Rule;
  const shares = rule.share === "all";
  const counter = (shares ? progress.shared : progress.own)?.[place];
  if (!counter) return undefined;
  counter.matched += 1;
  const seed = shares ? progress.sharedSeed : progress.seed;
  const key: DrawKey = { seed, scenario: scenario.name, rule: rule.name, count: counter.matched };
  if (!isDue(rule, counter, key)) return undefined;
  counter.made += 1;
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
function isCurrent({ attempt, after, duration }: Condition, progress: Progress): boolean {
  if (attempt !== undefined && attempt !== progress.attempt) return false;
  const begin = after ?? 0;
  return progress.elapsed >= begin && (duration === undefined || progress.elapsed < begin + duration);
}

/** Whether a request fits a rule, apart from its time and its attempt. */
export function holds(when: Condition, facts: RequestFacts): boolean {
  if (when.operations !== undefined && !when.operations.includes(facts.operation)) return false;
  if (when.method !== undefined && when.method !== facts.method) return false;
  if (when.http !== undefined && when.http !== facts.http) return false;
  if (when.list !== undefined && when.list !== facts.list) return false;
  if (when.client !== undefined && when.client !== facts.client) return false;
  if (when.token !== undefined && when.token !== facts.token) return false;
  if (when.certificate !== undefined && !facts.presents(when.certificate)) return false;
  if (!allHold(when.query, facts.query) || !allHold(when.headers, facts.header)) return false;
  if (!allHold(when.form, facts.form)) return false;
  if (when.cursor !== undefined && when.cursor !== facts.cursor()) return false;
  if (when.page === undefined) return true;
  return when.page === (typeof when.page === "number" ? facts.page() : facts.place());
}

function allHold(wanted: NamedValues | undefined, valuesOf: (name: string) => readonly (string | null)[]): boolean {
  if (!wanted) return true;
  for (let index = 0; index < wanted.length; index++) {
    const [name, value] = wanted[index] as NamedValues[number];
    if (!fits(value, valuesOf(name))) return false;
  }
  return true;
}

function fits(wanted: WantedValue, sent: readonly (string | null)[]): boolean {
  if (typeof wanted === "boolean") return sent.length > 0 === wanted;
  if (typeof wanted === "string") return sent.includes(wanted);
  return wanted.some((one) =>
    typeof one === "string" ? sent.includes(one) : sent.some((value) => value !== null && one.matches(value)),
  );
}
