import * as z from "zod";
import { enumerated } from "../../base/text/enumerated.js";
import { quote } from "../../base/text/printable.js";
import type { Condition } from "./condition.js";
import { longestPattern } from "./defaults.js";
import { defineCondition } from "./define-condition.js";
import type { RequestFacts } from "./request-facts.js";
import { keys as noKeys } from "./schema-values.js";
import { TextPattern } from "./text-pattern.js";

// Conditions on values that have names: of the query, of headers, of the form.

const exactMessage =
  'give the exact value as a text, in quotes, several in a list, { like: "INV-*" }, or true for "sent", false for "not sent"';

const like = z
  .strictObject({
    like: z
      .string("give a text")
      .max(longestPattern, `give at most ${longestPattern} characters`)
      .describe("A pattern: `*` stands for any characters, also for none. Without `like`, a `*` is a `*`."),
  })
  .describe("A value by a pattern.");

const exactText = z.string(exactMessage);
const listMessage = 'give exact values as texts, in quotes, or { like: "INV-*" }';

const wanted = z.union(
  [
    exactText,
    z.boolean(exactMessage),
    like,
    z
      .array(z.union([z.string(listMessage), like], listMessage), listMessage)
      .min(1, "give at least one value")
      .describe("Several values, one of which must be sent."),
  ],
  exactMessage,
);

/** An exact value, several values of which one must be sent, or whether the parameter is sent at all. */
type WantedValue = string | boolean | readonly (string | TextPattern)[];

/** Pairs, because every request that a rule may hold for iterates over them. */
type NamedValues = readonly (readonly [name: string, wanted: WantedValue])[];

/** Declares a condition on named values. */
export function defineNamedValues<const Name extends string>({
  keys,
  description,
  examples,
  nameOf = (written) => written,
  valuesOf,
  what,
  ...facts
}: Pick<Condition<NamedValues>, "operations" | "readsBody" | "header"> & {
  readonly name: Name;
  /** The schema of a name. */
  readonly keys: z.ZodString;
  readonly description: string;
  readonly examples: readonly Readonly<Record<string, unknown>>[];
  /** How a name is compared. */
  readonly nameOf?: (written: string) => string;
  readonly valuesOf: (facts: RequestFacts, name: string) => readonly (string | null)[];
  /** What has the name: `the header`. */
  readonly what: string;
}) {
  return defineCondition({
    ...facts,
    schema: z.record(keys, wanted, noKeys).meta({ description, examples: [...examples] }),
    compile: (written): NamedValues =>
      Object.entries(written).map(([name, value]) => [nameOf(name), compileValue(value)] as const),
    holds(values, request) {
      for (const [name, value] of values) if (!fits(value, valuesOf(request, name))) return false;
      return true;
    },
    patterns: (values) =>
      values.flatMap(([, value]) => (Array.isArray(value) ? value : [])).filter((one) => typeof one !== "string")
        .length,
    words: (values) => values.map(([name, value]) => `${what} ${name} ${valueText(value)}`).join(", "),
  });
}

function compileValue(value: z.output<typeof wanted>): WantedValue {
  if (typeof value !== "object") return value;
  return [value].flat().map((one) => (typeof one === "string" ? one : new TextPattern(one.like)));
}

function fits(wanted: WantedValue, sent: readonly (string | null)[]): boolean {
  if (typeof wanted === "boolean") return sent.length > 0 === wanted;
  if (typeof wanted === "string") return sent.includes(wanted);
  return wanted.some((one) =>
    typeof one === "string" ? sent.includes(one) : sent.some((value) => value !== null && one.matches(value)),
  );
}

function valueText(value: WantedValue): string {
  if (typeof value === "boolean") return value ? "is sent" : "is not sent";
  return `is ${enumerated(
    [value].flat().map((one) => (typeof one === "string" ? quote(one) : `like ${quote(one.source)}`)),
    "or",
  )}`;
}
