import type { Condition, NamedValues, Rule } from "./definition.js";
import { type DrawKey, draw } from "./draw.js";
import type { IndexedFacts } from "./rule-index.js";
import type { Scenario } from "./scenario.js";

/** What rules can ask about a request. What costs something to find out is a function, asked only where a rule needs it. */
export interface RequestFacts extends IndexedFacts {
  readonly list: string | undefined;
  /** The client for which the peer's certificate is registered. */
  readonly client: string | undefined;
  /** Number of the page in its walk: 1 without a cursor, undefined where the cursor is none of ours, or where there are no pages. */
  page(): number | undefined;
  /** Whether a cursor is sent; undefined where the operation knows none. */
  cursor(): boolean | undefined;
  /** The values of a query parameter, in the order in which they were sent; null stands for one that cannot be decoded. */
  query(name: string): readonly (string | null)[];
  /** The values of a header, by its name in lower case. */
  header(name: string): readonly string[];
}

/** How far a rule has come, for one client. */
export interface RuleCounters {
  /** Requests that its `when` matched. */
  matched: number;
  /** Faults that it made. */
  made: number;
}

/** A rule that acts on a request. */
export interface Decision {
  readonly rule: Rule;
  readonly key: DrawKey;
  /** Where the fault is counted. */
  readonly counter: RuleCounters;
}

/**
 * Finds the rule that acts on a request: the first one whose conditions all hold. Counters go on as a side effect, and only here.
 * @param counters one entry for each rule of the scenario, of the client that sent the request
 */
export function decide(
  scenario: Scenario,
  facts: RequestFacts,
  counters: readonly RuleCounters[],
  seed: string,
): Decision | undefined {
  for (const place of scenario.index.candidates(facts)) {
    const rule = scenario.rules[place] as Rule;
    const counter = counters[place];
    if (!counter || !holds(rule.when, facts)) continue;
    counter.matched += 1;
    const key: DrawKey = { seed, scenario: scenario.name, rule: rule.name, count: counter.matched };
    if (!isDue(rule, counter, key)) continue;
    counter.made += 1;
    return { rule, key, counter };
  }
  return undefined;
}

/** `skip`, `every`, `limit` and `probability`, in this order. */
function isDue(rule: Rule, { matched, made }: RuleCounters, key: DrawKey): boolean {
  const after = matched - rule.skip;
  if (after < 1 || after % rule.every !== 0) return false;
  if (made >= rule.limit) return false;
  return rule.probability >= 1 || draw(key, "probability") < rule.probability;
}

/**
 * Whether a request is what a rule asks for.
 * @internal exported for its test, which tries every condition
 */
export function holds(when: Condition, facts: RequestFacts): boolean {
  if (when.operation !== undefined && when.operation !== facts.operation) return false;
  if (when.list !== undefined && when.list !== facts.list) return false;
  if (when.client !== undefined && when.client !== facts.client) return false;
  if (!allHold(when.query, facts.query) || !allHold(when.headers, facts.header)) return false;
  if (when.cursor !== undefined && when.cursor !== facts.cursor()) return false;
  return when.page === undefined || when.page === facts.page();
}

function allHold(wanted: NamedValues | undefined, valuesOf: (name: string) => readonly (string | null)[]): boolean {
  if (!wanted) return true;
  for (let index = 0; index < wanted.length; index++) {
    const [name, value] = wanted[index] as NamedValues[number];
    const sent = valuesOf(name);
    if (typeof value === "boolean" ? sent.length > 0 !== value : !sent.includes(value)) return false;
  }
  return true;
}
