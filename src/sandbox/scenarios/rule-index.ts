import type { OperationName } from "../operations.js";
import { actsOnHandshake } from "./fault.js";
import type { RequestFacts } from "./request-facts.js";
import type { Rule } from "./rule.js";

/** What must be known of a request to decide which rules must be checked. */
type IndexedFacts = Pick<RequestFacts, "operation" | "sendsAny">;

/** Places of rules, in their order. */
type Places = readonly number[];

interface Group {
  readonly all: Places;
  /** Rules that need no header. */
  readonly withoutHeader: Places;
  /** One header, which must be sent, for each of the other rules. */
  readonly headers: ReadonlySet<string>;
  /** Whether a rule tests which attempt a request is. */
  readonly attempt: boolean;
  /** Whether a rule needs the body. */
  readonly body: boolean;
}

/**
 * The rules of a scenario by operation, and by whether they need a header. A scenario may have hundreds of rules, and
 * most are for other requests: those must cost no time.
 */
export class RuleIndex {
  readonly #groups = new Map<OperationName, Group>();
  readonly #rules: readonly Rule[];
  /** The places of the rules that act on new connections. */
  readonly handshakes: Places;

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
    this.handshakes = [...rules.keys()].filter((place) => actsOnHandshake((rules[place] as Rule).faults));
  }

  /** Whether no rule can act on a request. */
  get isForHandshakesOnly(): boolean {
    return this.handshakes.length === this.#rules.length;
  }

  /** Whether a rule for an operation tests which attempt a request is. */
  asksForAttempt(operation: OperationName): boolean {
    return this.#groupOf(operation).attempt;
  }

  /** Whether a rule for an operation needs the body of a request, also to recognise the same request again. */
  asksForBody(operation: OperationName): boolean {
    return this.#groupOf(operation).body;
  }

  /** The places of all rules that may hold for a request, in their order. The others do not hold. */
  candidates(facts: IndexedFacts): Places {
    const { all, withoutHeader, headers } = this.#groupOf(facts.operation);
    return headers.size === 0 || facts.sendsAny(headers) ? all : withoutHeader;
  }

  #groupOf(operation: OperationName): Group {
    const known = this.#groups.get(operation);
    if (known) return known;
    const all: number[] = [];
    const withoutHeader: number[] = [];
    const headers = new Set<string>();
    let [attempt, body] = [false, false];
    for (const [place, { when, bounds, operations, faults }] of this.#rules.entries()) {
      if (actsOnHandshake(faults) || !operations.includes(operation)) continue;
      all.push(place);
      attempt ||= bounds.attempt !== undefined;
      body ||= when.some(({ condition }) => condition.readsBody);
      const header = neededHeader(when);
      if (header === undefined) withoutHeader.push(place);
      else headers.add(header);
    }
    const group = { all, withoutHeader, headers, attempt, body };
    this.#groups.set(operation, group);
    return group;
  }
}

/** A header without which a rule cannot hold. */
function neededHeader(when: Rule["when"]): string | undefined {
  for (const { condition, value } of when) {
    const header = condition.header?.(value);
    if (header !== undefined) return header;
  }
  return undefined;
}
