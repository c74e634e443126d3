import type { Condition, Rule } from "./definition.js";
import type { OperationName } from "./operation-name.js";

/** What must be known of a request to tell which rules are worth a look. */
export interface IndexedFacts {
  readonly operation: OperationName;
  /** Whether a header is sent whose name, in lower case, is one of these. */
  sendsAny(names: ReadonlySet<string>): boolean;
}

/** Places of rules, in their order. */
type Places = readonly number[];

interface Group {
  readonly all: Places;
  /** Those that no header must be sent for. */
  readonly withoutHeader: Places;
  /** One header for each of the others, which must be sent. */
  readonly headers: ReadonlySet<string>;
}

/**
 * The rules of a scenario by operation, and by whether they ask for a header. A scenario may have hundreds, of which most are for
 * other requests than the one at hand: those cost it nothing.
 */
export class RuleIndex {
  readonly #groups = new Map<OperationName, Group>();
  readonly #rules: readonly Rule[];

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
  }

  /** The places of all rules that may hold for a request, in their order; of those that are left out, none does. */
  candidates(facts: IndexedFacts): Places {
    const { all, withoutHeader, headers } = this.#groups.get(facts.operation) ?? this.#group(facts.operation);
    return headers.size === 0 || facts.sendsAny(headers) ? all : withoutHeader;
  }

  #group(operation: OperationName): Group {
    const all: number[] = [];
    const withoutHeader: number[] = [];
    const headers = new Set<string>();
    for (const [place, { when }] of this.#rules.entries()) {
      if (when.operation !== undefined && when.operation !== operation) continue;
      all.push(place);
      const header = neededHeader(when);
      if (header === undefined) withoutHeader.push(place);
      else headers.add(header);
    }
    const group = { all, withoutHeader, headers };
    this.#groups.set(operation, group);
    return group;
  }
}

/** A header without which a condition cannot hold: one that has to have a value, or to be sent. */
function neededHeader({ headers }: Condition): string | undefined {
  return headers?.find(([, value]) => value !== false)?.[0];
}
