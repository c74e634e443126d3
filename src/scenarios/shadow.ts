import type { Condition, Rule } from "./definition.js";

/**
 * The rule that keeps another from ever acting: the first rule whose conditions hold acts, and no other, so one that acts on every request
 * that the later one is for takes them all.
 * @param index place of the later rule
 */
export function shadowOf(rules: readonly Rule[], index: number): Rule | undefined {
  const later = rules[index];
  return later && rules.slice(0, index).find((rule) => actsAlways(rule) && covers(rule.when, later.when));
}

function actsAlways({ skip, every, limit, probability }: Rule): boolean {
  return skip === 0 && every === 1 && limit === Number.POSITIVE_INFINITY && probability >= 1;
}

/** Whether whatever fits the later condition fits the earlier one: each part of that stands in the later one as well. */
function covers(earlier: Condition, later: Condition): boolean {
  return Object.entries(earlier).every(
    ([part, wanted]) =>
      wanted === undefined || sameText(wanted, later[part as keyof Condition]) || isImplied(part, wanted, later),
  );
}

/** A list, a page or a cursor is asked for of the operation list only. */
function isImplied(part: string, wanted: unknown, { list, page, cursor }: Condition): boolean {
  return part === "operation" && wanted === "list" && [list, page, cursor].some((each) => each !== undefined);
}

function sameText(some: unknown, other: unknown): boolean {
  return JSON.stringify(some) === JSON.stringify(other);
}
