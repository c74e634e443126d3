import * as z from "zod";
import { parseDuration } from "../../base/text/duration.js";
import { type FieldGenerator, mostDecimals } from "../lists/settings.js";
import { durationText, text, wholeNumber } from "../scenarios/schema-values.js";

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const weightMessage = "give whole numbers from 0 on";
const weights = z.array(z.int(weightMessage).min(0, weightMessage)).min(1, "give at least one weight");
const countMessage = "give a whole number from 0 on";

const member = text.describe("The name of a member; a dotted one nests.");

const fieldGenerator: z.ZodType<FieldGenerator> = z.lazy(() =>
  z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("uuid") }),
    z
      .strictObject({
        type: z.literal("id"),
        prefix: z.string().describe("The text before it.").optional(),
        length: z.int().describe("8 to 64 characters. Default: 16.").optional(),
      })
      .describe("A prefix, and characters of Crockford's base32."),
    z
      .strictObject({
        type: z.literal("choice"),
        values: z.array(scalar).min(1).describe("Texts, numbers, booleans or null."),
        weights: weights.describe("A whole number for each value: its share of the rows.").optional(),
      })
      .describe("One of several values."),
    z.strictObject({
      type: z.literal("integer"),
      min: z.int().describe("The smallest value."),
      max: z.int().describe("The largest value."),
      distinct: z
        .boolean()
        .describe("Whether no two rows have the same, as long as the range has enough. Default: false.")
        .optional(),
    }),
    z
      .strictObject({
        type: z.literal("decimal"),
        min: z.number().describe("The smallest value."),
        max: z.number().describe("The largest value."),
        decimals: wholeNumber(0, mostDecimals).describe("Default: 2.").optional(),
        as: z.enum(["string", "number"]).describe("`string` (default) or `number`.").optional(),
      })
      .describe("Such as an amount."),
    z.strictObject({
      type: z.literal("boolean"),
      weights: weights.describe("Of true and of false.").optional(),
    }),
    z
      .strictObject({ type: z.literal("constant"), value: z.json().describe("Any value.") })
      .describe("The same value on every row."),
    z
      .strictObject({
        type: z.literal("text"),
        template: z
          .string()
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
          .describe(
            "Another text, of `{year}`, `{month}`, `{day}`, `{hour}`, `{minute}`, `{second}` and `{millisecond}`.",
          )
          .optional(),
      })
      .describe("When the row was created, in UTC."),
    z.strictObject({
      type: z.literal("object"),
      fields: z.record(z.string(), fieldGenerator).describe("As under `fields`."),
    }),
    z
      .strictObject({ type: z.literal("parameter"), name: text.describe("The name of the parameter.") })
      .describe("The value of a parameter of the path."),
    z
      .strictObject({
        type: z.literal("nullable"),
        of: z.lazy(() => fieldGenerator).describe("A generator for the others."),
      })
      .describe("Null on about a quarter of the rows."),
  ]),
);

/** How a page is written. */
const envelope = z
  .strictObject({
    items: member.describe("The rows. Default: `items`.").optional(),
    nextCursor: text
      .nullable()
      .describe(
        "The cursor of the next page; null: not sent. Default: `nextCursor`, or null with `nextLink` or `linkHeader`.",
      )
      .optional(),
    nextLink: member
      .describe(
        "The URL of the next page: that of the request, with the cursor. If the name ends with `.href`, the whole object is sent or left out.",
      )
      .optional(),
    linkHeader: z
      .boolean("give true or false")
      .describe('Whether this URL is sent as `Link: <…>; rel="next"` (RFC 8288). Default: false.')
      .optional(),
    linkForm: z
      .enum(["url", "path"])
      .describe("`url` (default): absolute, with the host that the request named; `path`: path and query.")
      .optional(),
    lastCursor: z
      .enum(["omit", "null", "empty"])
      .describe("On the last page, the cursor or the link is left out (`omit`, default), null or an empty text.")
      .optional(),
    hasMore: member.describe("True if another page follows.").optional(),
    pageSize: member.describe("As requested.").optional(),
    count: member.describe("Rows on the page.").optional(),
    total: member.describe("Rows of the whole result.").optional(),
    page: member.describe("The number of the page in its walk, from 1.").optional(),
    pages: member.describe("Pages of the whole result at this page size.").optional(),
    extra: z.record(z.string(), z.json()).describe("Constant members, by dotted name.").optional(),
  })
  .describe("Names of the members of a page; those without a default are not sent. A dotted name nests: `paging.next`.")
  .optional();

/** The names of the query parameters of a list. */
const parameters = z
  .strictObject({
    pageSize: text.nullable().describe("Default: `pageSize`.").optional(),
    cursor: text.describe("Default: `cursor`.").optional(),
    fromCreatedAt: text.nullable().describe("Default: `fromCreatedAt`.").optional(),
    toCreatedAt: text.nullable().describe("Default: `toCreatedAt`.").optional(),
  })
  .describe("Names of the query parameters; null: there is none.")
  .optional();

/** The limits of the page size. */
const pageSize = z
  .strictObject({
    default: z.int().describe("If the request has none. Default: 10.").optional(),
    minimum: z.int().describe("Default: 1.").optional(),
    maximum: z
      .int()
      .describe("Default: 100. Lower with long rows: a page has at most 16 million characters.")
      .optional(),
    beyond: z.enum(["refuse", "lower"]).describe("What happens to a larger one. Default: `refuse`.").optional(),
  })
  .describe("Limits of the page size (§8).")
  .optional();

/** A duration as text, converted to milliseconds. */
const duration = durationText.transform((value) => parseDuration(value) ?? 0);

/** The schema of one entry under `lists` in `sandbox.yaml`. `compileList` checks what a type cannot express. */
export const listSchema = z.strictObject({
  path: text
    .describe(
      "`{name}` stands for a whole segment, percent-decoded; the others are compared literally. Default: `/v1/NAME`. If own items have a member of that name, each is listed only under its value, and one without it nowhere.",
    )
    .optional(),
  items: z
    .union([z.array(z.unknown()), text], "give a list of items, or the path of a YAML or JSON file")
    .describe("Your own items, each an object, or a YAML or JSON file with them, instead of generated rows.")
    .optional(),
  count: z.int(countMessage).min(0, countMessage).describe("Generated rows. Default: 10,000.").optional(),
  fields: z
    .record(z.string(), fieldGenerator)
    .describe("The members of a generated row, in order, each with a generator.")
    .optional(),
  spacing: duration.describe("Time between two generated rows. Default: 15m.").optional(),
  anchor: text
    .describe(
      "When the newest generated row was created, RFC 3339. Default: the clock at the walk's first request, rounded down to the hour.",
    )
    .optional(),
  seed: z
    .union([z.string(), z.number()])
    .describe("Another seed gives other rows. The default is the same everywhere.")
    .optional(),
  envelope,
  parameters,
  pageSize,
  filters: z
    .record(z.string(), text)
    .describe(
      "Equality filters: query parameter, and dotted path of the field. Default: `status: status`, if rows have one.",
    )
    .optional(),
  dateField: text
    .nullable()
    .describe(
      "Dotted path of the date that orders the rows and that the date filters test. Default: `createdAt`. In own items, it is RFC 3339, or a date such as `2026-01-31` (its first instant in UTC). null: no dates; own items keep their order.",
    )
    .optional(),
  order: z.enum(["newest-first", "oldest-first"]).describe("Default: `newest-first`.").optional(),
  unknownParameters: z
    .enum(["ignore", "refuse"])
    .describe(
      "Query parameters that the list does not know. Default: as the assumption `request.unknown-parameters` says.",
    )
    .optional(),
  cursorLifetime: duration.describe("Default: 24h.").optional(),
});
