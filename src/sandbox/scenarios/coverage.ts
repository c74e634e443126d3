import { type OperationName, operationNames, operations as table } from "../operations.js";
import type { Condition, NamedValues, WantedValue } from "./condition.js";

/**
 * Whether a condition holds for every request for which another one holds. A result is certain; not every case is
 * found.
 */
export function covers(wide: Condition, narrow: Condition): boolean {
  const operations = operationsFor(wide);
  return (
    (wide.list === undefined || wide.list === narrow.list) &&
    (wide.http === undefined || wide.http === narrow.http) &&
    (wide.client === undefined || wide.client === narrow.client) &&
    coversPage(wide.page, narrow.page) &&
    (wide.token === undefined || wide.token === narrow.token) &&
    (wide.cursor === undefined || wide.cursor === narrow.cursor) &&
    (wide.attempt === undefined || wide.attempt === narrow.attempt) &&
    (wide.certificate === undefined ||
      wide.certificate === narrow.certificate ||
      (wide.certificate === "registered" && narrow.client !== undefined)) &&
    beginOf(wide) <= beginOf(narrow) &&
    endOf(wide) >= endOf(narrow) &&
    operationsFor(narrow).every((name) => operations.includes(name)) &&
    coversAll(wide.query, narrow.query) &&
    coversAll(wide.headers, narrow.headers) &&
    coversAll(wide.form, narrow.form)
  );
}

/** The operations for which a condition can hold. */
export function operationsFor({
  operations,
  method,
  list,
  page,
  cursor,
  form,
  token,
}: Condition): readonly OperationName[] {
  return (operations ?? operationNames).filter((name) => {
    if (method !== undefined && method !== table[name].method) return false;
    if ((form ?? token) !== undefined && name !== "token") return false;
    return (list === undefined && page === undefined && cursor === undefined) || name === "list";
  });
}

/** Page 1 is the first one, or the only one. */
function coversPage(wide: Condition["page"], narrow: Condition["page"]): boolean {
  return wide === undefined || wide === narrow || (wide === 1 && (narrow === "first" || narrow === "only"));
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
