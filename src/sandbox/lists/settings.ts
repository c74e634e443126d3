import type * as z from "zod";
import type { Frozen } from "../../base/frozen.js";
import { day, hour } from "../../base/text/duration.js";
import { definedOnly } from "../../base/text/json-object.js";
import { listDefaults } from "./defaults.js";
import type { fieldGenerator } from "./field-schema.js";
import type { envelopeSchema, listSchema } from "./list-schema.js";

/** How the value of one member is made. It depends only on the seed and the row's number. */
export type FieldGenerator = Frozen<z.output<typeof fieldGenerator>>;

export type FieldSettings = Readonly<Record<string, FieldGenerator>>;

export type EnvelopeSettings = Frozen<z.output<typeof envelopeSchema>>;

/** What a user writes under `lists.NAME`, once durations are milliseconds and files are loaded. */
export interface ListSettings extends Frozen<Omit<z.output<typeof listSchema>, "items">> {
  readonly items?: readonly unknown[] | undefined;
}

/** With the values of settings that the list does not set. */
export function completeList(name: string, given: ListSettings) {
  const envelope: EnvelopeSettings = {};
  return { path: `/v1/${name}`, fields: defaultFields, ...listDefaults, envelope, ...definedOnly(given) };
}

export type CompleteList = ReturnType<typeof completeList>;

/** What is wrong with the items of a list, or with its path or its rows. `path` names it: `lists.payments.fields.status`. */
export class ListSettingsError extends Error {
  override readonly name = "ListSettingsError";
  readonly path: string;
  readonly reason: string;
  /** What else is wrong with the same setting; the message contains it, too. */
  readonly further: readonly ListSettingsError[];

  constructor(path: string, reason: string, further: readonly ListSettingsError[] = []) {
    super([`${path}: ${reason}`, ...further.map(({ message }) => message)].join("\n"));
    this.path = path;
    this.reason = reason;
    this.further = further;
  }
}

/** How many mistakes are reported at most. */
const mostMistakes = 20;

/**
 * Reads parts of a setting that do not depend on each other.
 * @throws {ListSettingsError} for the first mistake, with those of the other parts in `further`
 */
export function together<Part, Result>(parts: Iterable<Part>, read: (part: Part) => Result): Result[] {
  const mistakes: ListSettingsError[] = [];
  const results: Result[] = [];
  for (const part of parts) {
    if (mistakes.length >= mostMistakes) break;
    try {
      results.push(read(part));
    } catch (error) {
      if (!(error instanceof ListSettingsError)) throw error;
      mistakes.push(new ListSettingsError(error.path, error.reason), ...error.further);
    }
  }
  const [first, ...further] = mistakes.slice(0, mostMistakes);
  if (first) throw new ListSettingsError(first.path, first.reason, further);
  return results;
}

/** The members of a row, if a list does not say. */
const defaultFields: FieldSettings = {
  id: { type: "uuid" },
  status: {
    type: "choice",
    values: ["COMPLETED", "PENDING", "PROCESSING", "FAILED", "CANCELLED"],
    weights: [80, 8, 5, 4, 3],
  },
  amount: {
    type: "object",
    fields: {
      value: { type: "decimal", min: 1, max: 25_000 },
      currency: { type: "choice", values: ["EUR", "GBP", "USD"], weights: [6, 3, 1] },
    },
  },
  reference: { type: "text", template: "Invoice {number}" },
  createdAt: { type: "createdAt" },
};

/** The lists of a sandbox without configuration. They are plain data that users can copy and change. */
export const defaultLists: Readonly<Record<"payments" | "payouts", ListSettings>> = {
  payments: { path: "/v1/payments", count: 10_000, spacing: hour / 4 },
  payouts: {
    path: "/v1/payouts",
    count: 25,
    spacing: day,
    fields: {
      ...defaultFields,
      status: { type: "choice", values: ["PAID", "SCHEDULED", "FAILED"], weights: [18, 4, 3] },
      reference: { type: "text", template: "Payout {number}" },
    },
  },
};
