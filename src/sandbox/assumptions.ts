import type * as z from "zod";
import { accessAssumptions } from "./assumptions/access.js";
import type { Assumption } from "./assumptions/assumption.js";
import { httpAssumptions } from "./assumptions/http.js";
import { listAssumptions } from "./assumptions/list.js";
import { requestAssumptions } from "./assumptions/request.js";
import { tokenAssumptions } from "./assumptions/token.js";

/**
 * Every point that the interface leaves "not shown", what the sandbox does there, and why.
 *
 * docs/reference/assumptions.md, `GET /assumptions`, the `Sandbox-Assumed` header and the schema of `sandbox.yaml` derive from
 * this table. Each part has ids of its own, by their first word.
 */
const assumptionTable = {
  ...tokenAssumptions,
  ...accessAssumptions,
  ...requestAssumptions,
  ...listAssumptions,
  ...httpAssumptions,
} as const;

export type AssumptionId = keyof typeof assumptionTable;

type Table = typeof assumptionTable;

/** The assumptions that are refusals. */
export type ErrorAssumptionId = {
  [Id in AssumptionId]: Table[Id] extends { error: string } ? Id : never;
}[AssumptionId];

/** The assumptions that a refusal can rest on: those that are refusals, and those that decide over a code of §7. */
export type RefusalAssumptionId = {
  [Id in AssumptionId]: Table[Id] extends { error: string } | { refuses: string } ? Id : never;
}[AssumptionId];

/** The assumptions that have a value of their own. */
export type ValueAssumptionId = {
  [Id in AssumptionId]: Table[Id] extends { value: unknown } ? Id : never;
}[AssumptionId];

/** What goes on the wire for a refusal, where it differs from the default. */
export interface ErrorOverride {
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  /** The header `WWW-Authenticate`; `none` for none. */
  readonly wwwAuthenticate?: string | undefined;
  /** The member `error` of RFC 6749 §5.2, which the token endpoint adds. */
  readonly error?: string | undefined;
  /** How much of the body there is: all of it, the code alone, or nothing. */
  readonly body?: "full" | "code" | "none" | undefined;
}

/** The codes that the assumptions name. */
export type AssumedCode = Table[ErrorAssumptionId]["error"];

/** The settings in force: a value for each value assumption, and the overrides of the others. */
export interface AssumptionSettings {
  readonly values: { readonly [Id in ValueAssumptionId]: z.output<ReturnType<Table[Id]["schema"]>> };
  readonly errors: { readonly [Id in ErrorAssumptionId]?: ErrorOverride };
  /** Whether answers name the assumptions that they rest on, in `Sandbox-Assumed`. */
  readonly header: boolean;
}

/** All ids, in the order of the table. */
export const assumptionIds = Object.keys(assumptionTable) as AssumptionId[];

/** Those that a refusal can rest on. */
export const refusalAssumptionIds = assumptionIds.filter((id): id is RefusalAssumptionId => {
  const { refuses } = assumption(id);
  return refuses !== undefined || "error" in assumption(id);
});

/** One assumption, by its general type. */
export function assumption(id: AssumptionId): Assumption {
  return assumptionTable[id];
}

/** Whether an assumption decides that a request is refused, and not only how. */
export function decidesRefusal(id: AssumptionId): boolean {
  const entry = assumption(id);
  return entry.refuses !== undefined || ("error" in entry && entry.wrongBy === undefined);
}

/** What a refusal is about: its point without "answer to", where that is clear. */
export function subjectOf(id: AssumptionId): string {
  return assumption(id)
    .point.replace(/^answer (to )?/, "")
    .replaceAll(/, (or|and) to /g, ", $1 ");
}

/** What in `sandbox.yaml` changes an assumption; null where nothing does. */
export function configurationKey(id: AssumptionId): string | null {
  const entry = assumption(id);
  return "key" in entry ? entry.key : `assumptions["${id}"]`;
}

/** The settings of a sandbox that configures nothing. */
export function defaultAssumptions(): AssumptionSettings {
  const values = Object.fromEntries(
    assumptionIds.flatMap((id) => {
      const entry = assumption(id);
      return "value" in entry ? [[id, entry.value]] : [];
    }),
  ) as AssumptionSettings["values"];
  return { values, errors: {}, header: true };
}
