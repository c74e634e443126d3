import * as z from "zod";
import { quote } from "../../base/text/printable.js";
import { text, wholeNumber } from "../../base/yaml/values.js";
import { type Report, refinement, unless } from "./refinement.js";
import { instantTemplateProblem, templateProblem } from "./template.js";
import { weightsProblem } from "./weighted-choice.js";

/** Most digits behind the point of a `decimal`. */
export const mostDecimals = 9;

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()], "give a text, a number, true, false or null");
const weightMessage = "give whole numbers from 1 on";
const weights = z
  .array(z.int(weightMessage).min(1, weightMessage))
  .min(1, { error: "give at least one weight", abort: true });
const integer = z.int({ error: "give a whole number, exact in 53 bits", abort: true });
const idLength = "give a whole number from 8 to 64, or identifiers might repeat";

interface Range {
  readonly min: number;
  readonly max: number;
}

/** With so many decimals, a number must be a safe integer if it is written without the point. */
function isExact(bound: number, decimals: number): boolean {
  return Number.isSafeInteger(Math.round(bound * 10 ** decimals)) && Number(bound.toFixed(decimals)) === bound;
}

/** @param range exact with so many decimals */
function checkRange({ min, max }: Range, decimals: number, report: Report): void {
  const [low, high] = [min, max].map((bound) => Math.round(bound * 10 ** decimals)) as [number, number];
  if (low > high) report(["min"], "must not be larger than max");
  else if (!Number.isSafeInteger(high - low + 1)) report([], "the range is wider than 2^53 steps");
}

function checkDecimals({ min, max }: Range, decimals: number, report: Report): void {
  const inexact = Object.entries({ min, max }).filter(([, bound]) => !isExact(bound, decimals));
  const digits = decimals === 0 ? "a whole number" : `a number with at most ${decimals} decimals`;
  for (const [key] of inexact) report([key], `must be ${digits}, exact in 53 bits`);
  if (inexact.length === 0) checkRange({ min, max }, decimals, report);
}

/** How the value of one member is made. It depends only on the seed and the row's number. */
export const fieldGenerator = z
  .discriminatedUnion("type", [
    z.strictObject({ type: z.literal("uuid") }),
    z
      .strictObject({
        type: z.literal("id"),
        prefix: z.string().describe("The text before it.").optional(),
        length: z
          .int(idLength)
          .min(8, idLength)
          .max(64, idLength)
          .describe("8 to 64 characters. Default: 16.")
          .optional(),
      })
      .describe("A prefix, and characters of Crockford's base32."),
    z
      .strictObject({
        type: z.literal("choice"),
        values: z
          .array(scalar)
          .min(1, "give at least one value")
          .superRefine(unless(repeatedValue))
          .describe("Texts, numbers, booleans or null."),
        weights: weights.describe("A whole number for each value: its share of the rows.").optional(),
      })
      .superRefine(
        refinement(({ values, weights }, report) => {
          const problem = weights && weightsProblem(weights, values.length);
          if (problem !== undefined) report(["weights"], problem);
        }),
      )
      .describe("One of several values."),
    z
      .strictObject({
        type: z.literal("integer"),
        min: integer.describe("The smallest value."),
        max: integer.describe("The largest value."),
        distinct: z
          .boolean()
          .describe("Whether no two rows have the same, as long as the range has enough. Default: false.")
          .optional(),
      })
      .superRefine(refinement((range, report) => checkRange(range, 0, report))),
    z
      .strictObject({
        type: z.literal("decimal"),
        min: z.number().describe("The smallest value."),
        max: z.number().describe("The largest value."),
        decimals: wholeNumber(0, mostDecimals).describe("Default: 2.").optional(),
        as: z.enum(["string", "number"]).describe("`string` (default) or `number`.").optional(),
      })
      .superRefine(refinement((range, report) => checkDecimals(range, range.decimals ?? 2, report)))
      .describe("Such as an amount."),
    z.strictObject({
      type: z.literal("boolean"),
      weights: weights
        .superRefine(unless((given) => weightsProblem(given, 2)))
        .describe("Of true and of false.")
        .optional(),
    }),
    z
      .strictObject({ type: z.literal("constant"), value: (z.json() as z.ZodType<unknown>).describe("Any value.") })
      .describe("The same value on every row."),
    z
      .strictObject({
        type: z.literal("text"),
        template: z
          .string()
          .superRefine(unless(templateProblem))
          .describe(
            "With `{number}` (1 for the oldest row), `{pathParameter}`, and `{0-9a-f:8}`: eight of these characters, different on each row as long as there are enough. `{{` and `}}` are braces.",
          ),
      })
      .describe("A text that differs from row to row."),
    z
      .strictObject({
        type: z.literal("createdAt"),
        as: z
          .enum(["date-time", "date", "seconds", "milliseconds"])
          .describe("`date-time` (RFC 3339, default), `date`, or `seconds` or `milliseconds` from 1970 on.")
          .optional(),
        template: z
          .string()
          .superRefine(unless(instantTemplateProblem))
          .describe(
            "Another text, of `{year}`, `{month}`, `{day}`, `{hour}`, `{minute}`, `{second}` and `{millisecond}`.",
          )
          .optional(),
      })
      .superRefine(
        refinement(({ as, template }, report) => {
          if (as !== undefined && template !== undefined) report(["template"], "has no meaning together with as");
        }),
      )
      .describe("When the row was created, in UTC."),
    z.strictObject({
      type: z.literal("object"),
      get fields() {
        return z.record(z.string(), fieldGenerator).describe("As under `fields`.");
      },
    }),
    z
      .strictObject({ type: z.literal("parameter"), name: text.describe("The name of the parameter.") })
      .describe("The value of a parameter of the path."),
    z
      .strictObject({
        type: z.literal("nullable"),
        get of() {
          return z.lazy(() => fieldGenerator).describe("A generator for the others.");
        },
      })
      .describe("Null on about a quarter of the rows."),
  ])
  .meta({ id: "FieldGenerator" });

/** Filters name values by their texts. */
function repeatedValue(values: readonly unknown[]): string | undefined {
  const names = values.map(String);
  const repeated = names.find((name, place) => names.indexOf(name) !== place);
  return repeated === undefined ? undefined : `${quote(repeated)} is listed twice; give it a larger weight`;
}
