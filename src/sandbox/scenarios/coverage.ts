import { type OperationName, operationNames, operations as table } from "../operations.js";
import type { Condition, NamedValues, Rule, WantedValue } from "./definition.js";

/**
 * How many parts of conditions are compared with all rules, at most, for one scenario. Beyond that, nothing is found.
 */
const mostParts = 200;

const kinds = ["query", "headers", "form"] as const;

/** A condition, and the operations for which it can hold. */
interface Asked {
  readonly when: Condition;
  readonly operations: readonly OperationName[];
}

/**
 * Rules, and whether any request of a condition is left over by them. None is left if one rule holds for every such
 * request, or if the condition divides into parts and for each part one rule does. The parts are exhaustive, so a
 * result is certain. Not every case is found.
 */
export class Coverage {
  readonly #rules: (Asked & { readonly rule: Rule })[] = [];
  readonly #knownLists: readonly string[] | undefined;
  // What the rules test. A condition is divided only by these.
  readonly #lists = new Set<string>();
  readonly #instants = new Set<number>();
  readonly #kinds = new Set<string>();
  readonly #absent = { query: new Set<string>(), headers: new Set<string>(), form: new Set<string>() };
  #asksForCursor = false;
  #asksForOperation = false;
  #parts = mostParts;

  /** @param lists the names of the lists that exist; undefined if they are not known */
  constructor(lists: readonly string[] | undefined) {
    this.#knownLists = lists;
  }

  /** Adds a rule that acts on every request for which its condition holds. */
  add(rule: Rule): void {
    const { when } = rule;
    const { operations } = asked(when);
    this.#rules.push({ rule, when, operations });
    if (operations.length < operationNames.length) this.#asksForOperation = true;
    if (when.list !== undefined) this.#lists.add(when.list);
    if (when.cursor !== undefined) this.#asksForCursor = true;
    for (const instant of [beginOf(when), endOf(when)]) this.#instants.add(instant);
    for (const kind of kinds) {
      if (when[kind]) this.#kinds.add(kind);
      for (const [name, wanted] of when[kind] ?? []) if (wanted === false) this.#absent[kind].add(name);
    }
  }

  /** The rules that together leave no request of a condition, in their order; undefined if one may be left. */
  of(when: Condition): Rule[] | undefined {
    const found = this.#search(asked(when));
    return found && this.#rules.flatMap(({ rule }) => (found.has(rule) ? [rule] : []));
  }

  #search(narrow: Asked): Set<Rule> | undefined {
    const single = this.#rules.find((wide) => coversAsked(wide, narrow));
    if (single) return new Set([single.rule]);
    const all = new Set<Rule>();
    const parts = this.#partsOf(narrow);
    if (!parts) return undefined;
    for (const part of parts) {
      this.#parts -= 1;
      const ofPart = this.#parts < 0 ? undefined : this.#search(asked(part));
      if (!ofPart) return undefined;
      for (const rule of ofPart) all.add(rule);
    }
    return all;
  }

  /** Divides a condition by something that rules test; undefined if nothing divides it. */
  #partsOf(narrow: Asked): readonly Condition[] | undefined {
    const { when, operations } = narrow;
    if (operations.length > 1 && this.#asksForOperation)
      return operations.map((name) => ({ ...when, operations: [name] }));
    const isList = operations.length === 1 && operations[0] === "list";
    return (
      (isList ? (this.#byList(when) ?? this.#byCursor(when)) : undefined) ??
      this.#byTime(when) ??
      this.#byValue(when) ??
      this.#byPresence(narrow)
    );
  }

  #byList(when: Condition): readonly Condition[] | undefined {
    const lists = this.#knownLists;
    if (when.list !== undefined || !lists?.every((list) => this.#lists.has(list))) return undefined;
    return lists.map((list) => ({ ...when, list }));
  }

  /** A page without a cursor is page 1 of its walk. */
  #byCursor(when: Condition): readonly Condition[] | undefined {
    if (when.cursor !== undefined || !this.#asksForCursor) return undefined;
    const withCursor = { ...when, cursor: true };
    if (when.page !== undefined && when.page !== 1) return [withCursor];
    return [withCursor, { ...when, cursor: false, page: 1 }];
  }

  #byTime(when: Condition): readonly Condition[] | undefined {
    const [begin, end] = [beginOf(when), endOf(when)];
    const instant = [...this.#instants].find((at) => at > begin && at < end);
    if (instant === undefined) return undefined;
    const rest = end === Number.POSITIVE_INFINITY ? undefined : end - instant;
    return [
      { ...when, after: begin, duration: instant - begin },
      { ...when, after: instant, duration: rest },
    ];
  }

  /** Several values, one of which must be sent. */
  #byValue(when: Condition): readonly Condition[] | undefined {
    for (const kind of kinds) {
      if (!this.#kinds.has(kind)) continue;
      for (const [name, wanted] of when[kind] ?? []) {
        if (typeof wanted !== "object" || wanted.length < 2) continue;
        const others = (when[kind] ?? []).filter(([other]) => other !== name);
        return wanted.map((value) => ({ ...when, [kind]: [...others, [name, [value]]] }));
      }
    }
    return undefined;
  }

  /** Sent, or not sent. */
  #byPresence({ when, operations }: Asked): readonly Condition[] | undefined {
    for (const kind of kinds) {
      if (kind === "form" && (operations.length > 1 || operations[0] !== "token")) continue;
      const given = when[kind] ?? [];
      const name = [...this.#absent[kind]].find((absent) => given.every(([known]) => known !== absent));
      if (name === undefined) continue;
      return [true, false].map((sent) => ({ ...when, [kind]: [...given, [name, sent]] }));
    }
    return undefined;
  }
}

function asked(when: Condition): Asked {
  return { when, operations: operationsFor(when) };
}

/**
 * Whether a condition holds for every request for which another one holds.
 * @internal exported for its test, which compares it with the actual matches
 */
export function covers(wide: Condition, narrow: Condition): boolean {
  return coversAsked(asked(wide), asked(narrow));
}

function coversAsked({ when: wide, operations }: Asked, { when: narrow, operations: needed }: Asked): boolean {
  return (
    (wide.list === undefined || wide.list === narrow.list) &&
    (wide.client === undefined || wide.client === narrow.client) &&
    (wide.page === undefined || wide.page === narrow.page) &&
    (wide.cursor === undefined || wide.cursor === narrow.cursor) &&
    (wide.attempt === undefined || wide.attempt === narrow.attempt) &&
    (wide.certificate === undefined ||
      wide.certificate === narrow.certificate ||
      (wide.certificate === "registered" && narrow.client !== undefined)) &&
    beginOf(wide) <= beginOf(narrow) &&
    endOf(wide) >= endOf(narrow) &&
    needed.every((name) => operations.includes(name)) &&
    coversAll(wide.query, narrow.query) &&
    coversAll(wide.headers, narrow.headers) &&
    coversAll(wide.form, narrow.form)
  );
}

/** The operations for which a condition can hold. */
export function operationsFor({ operations, method, list, page, cursor, form }: Condition): readonly OperationName[] {
  return (operations ?? operationNames).filter((name) => {
    if (method !== undefined && method !== table[name].method) return false;
    if (form !== undefined && name !== "token") return false;
    return (list === undefined && page === undefined && cursor === undefined) || name === "list";
  });
}

function beginOf({ after = 0 }: Condition): number {
  return after;
}

function endOf({ after = 0, duration = Number.POSITIVE_INFINITY }: Condition): number {
  return after + duration;
}

function coversAll(wide: NamedValues | undefined, narrow: NamedValues | undefined): boolean {
  return (
    wide?.every(([name, value]) => {
      const other = narrow?.find(([same]) => same === name);
      return other !== undefined && coversValue(value, other[1]);
    }) ?? true
  );
}

function coversValue(wide: WantedValue, narrow: WantedValue): boolean {
  if (typeof wide === "boolean") return wide ? narrow !== false : narrow === false;
  if (typeof narrow === "boolean") return false;
  if (typeof wide === "string" && typeof narrow === "string") return wide === narrow;
  return [narrow].flat().every((one) =>
    [wide].flat().some((other) => {
      if (typeof other === "string") return other === one;
      return typeof one === "string" ? other.matches(one) : other.source === one.source || other.source === "*";
    }),
  );
}
