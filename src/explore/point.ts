import type { Role } from "../sandbox/journal/role.js";

/** The name of a point, which is the same in every run: `token.renewal`, `ping`, `list.payments.middle`. */
export function pointName({ operation, list, role }: Role): string {
  return [operation, list, role].filter((part) => part !== undefined).join(".");
}

/** A request of a point: what a rule's `when` and `from` say of it. */
export interface PointConditions {
  /** The operation, and the list. */
  readonly operation: { readonly operation: string; readonly list?: string };
  /** What distinguishes the point among their requests; undefined if it has all of them. */
  readonly role: { readonly page: string } | { readonly token: string } | undefined;
}

/** A point in the words of a scenario. */
export function conditionsOf({ operation, list, role }: Role): PointConditions {
  const whole = { operation, ...(list !== undefined && { list }) };
  if (role === undefined) return { operation: whole, role: undefined };
  return { operation: whole, role: operation === "token" ? { token: role } : { page: role } };
}
