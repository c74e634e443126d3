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
    z.strictObject({ type: z.literal("uuid") }).describe("A UUID."),
    z
      .strictObject({
        type: z.literal("id"),
        prefix: z.string().describe("The text before it.").optional(),
        length: z.int().describe("Characters after the prefix, 8 to 64; 16 by default.").optional(),
      })
      .describe("A prefix, and characters of Crockford's base32."),
    z
      .strictObject({
        type: z.literal("choice"),
        values: z.array(scalar).min(1).describe("The values: texts, numbers, booleans or null."),
        weights: weights.describe("A whole number for each value: its share of the rows.").optional(),
      })
      .describe("One of several values. The list can be filtered by it."),
    z
      .strictObject({
        type: z.literal("integer"),
        min: z.int().describe("The smallest value."),
        max: z.int().describe("The largest value."),
        distinct: z
          .boolean()
          .describe("Whether no two rows have the same number, as long as the range has enough. Default: false.")
          .optional(),
      })
      .describe("A whole number."),
    z
      .strictObject({
        type: z.literal("decimal"),
        min: z.number().describe("The smallest value."),
        max: z.number().describe("The largest value."),
        decimals: wholeNumber(0, mostDecimals).describe("Digits after the point, 2 by default.").optional(),
        as: z.enum(["string", "number"]).describe("How JSON has it; `string` by default.").optional(),
      })
      .describe("A decimal fraction, such as an amount."),
    z
      .strictObject({
        type: z.literal("boolean"),
        weights: weights.describe("Shares of true and of false.").optional(),
      })
      .describe("True or false. The list can be filtered by it."),
    z
      .strictObject({ type: z.literal("constant"), value: z.json().describe("Any value.") })
      .describe("The same value on every row. The list can be filtered by it."),
    z
      .strictObject({
        type: z.literal("text"),
        template: z
          .string()
          .describe(
            "Text with `{number}` (1 for the oldest row), `{pathParameter}`, and `{0-9a-f:8}`: eight of these characters, other ones on each row as long as there are enough. `{{` and `}}` are braces.",
          ),
      })
      .describe("A text that differs from row to row."),
    z
      .strictObject({
        type: z.literal("createdAt"),
        as: z
          .enum(["date-time", "date", "seconds", "milliseconds"])
          .describe("How JSON has it; `date-time` by default. Numbers count from 1970 on.")
          .optional(),
        template: z
          .string()
          .describe(
            "Another text, in UTC, of `{year}`, `{month}`, `{day}`, `{hour}`, `{minute}`, `{second}` and `{millisecond}`.",
          )
          .optional(),
      })
      .describe("When the row was created: RFC 3339 in UTC."),
    z
      .strictObject({
        type: z.literal("object"),
        fields: z.record(z.string(), fieldGenerator).describe("The members of the object, as under `fields`."),
      })
      .describe("An object."),
    z
      .strictObject({ type: z.literal("parameter"), name: text.describe("The name of the parameter.") })
      .describe("The value of a parameter of the path."),
    z
      .strictObject({
        type: z.literal("nullable"),
        of: z.lazy(() => fieldGenerator).describe("A generator: how the other rows get their value."),
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
        "The cursor of the next page. null: it is not sent, for example if a link is sent. Default: `nextCursor`.",
      )
      .optional(),
    nextLink: member
      .describe(
        "The URL of the next page: that of the request, with the cursor. If the name ends with `.href`, the whole object is sent or left out. Not sent by default.",
      )
      .optional(),
    linkHeader: z
      .boolean("give true or false")
      .describe('Whether the URL of the next page is sent as `Link: <…>; rel="next"` (RFC 8288). Default: false.')
      .optional(),
    linkForm: z
      .enum(["url", "path"])
      .describe(
        "The URL of the next page is absolute, with the host that the request named (default); or a path with a query.",
      )
      .optional(),
    lastCursor: z
      .enum(["omit", "null", "empty"])
      .describe("On the last page, the cursor or the link is left out (default), null, or an empty text.")
      .optional(),
    hasMore: member.describe("Whether another page follows. Not sent by default.").optional(),
    pageSize: member.describe("The requested page size. Not sent by default.").optional(),
    count: member.describe("The number of rows on the page. Not sent by default.").optional(),
    total: member.describe("The number of rows in the whole result. Not sent by default.").optional(),
    page: member.describe("The number of this page in its walk, from 1. Not sent by default.").optional(),
    pages: member
      .describe("The number of pages that the whole result has at this page size. Not sent by default.")
      .optional(),
    extra: z.record(z.string(), z.json()).describe("Constant members, by dotted name.").optional(),
  })
  .describe("Names of the members of a page. A dotted name nests: `paging.next`.")
  .optional();

/** The names of the query parameters of a list. */
const parameters = z
  .strictObject({
    pageSize: text.nullable().describe("Default: `pageSize`. null: there is none.").optional(),
    cursor: text.describe("Default: `cursor`.").optional(),
    fromCreatedAt: text.nullable().describe("Default: `fromCreatedAt`. null: there is none.").optional(),
    toCreatedAt: text.nullable().describe("Default: `toCreatedAt`. null: there is none.").optional(),
  })
  .describe("Names of the query parameters.")
  .optional();

/** The limits of the page size. */
const pageSize = z
  .strictObject({
    default: z.int().describe("If the request has none. Default: 10.").optional(),
    minimum: z.int().describe("Default: 1.").optional(),
    maximum: z
      .int()
      .describe("Default: 100. With long rows it is lower: the text of a page is bounded to 16 million characters.")
      .optional(),
    beyond: z
      .enum(["refuse", "lower"])
      .describe("A larger page size is refused (default), or lowered to the maximum.")
      .optional(),
  })
  .describe("Limits of the page size (§8).")
  .optional();

/** A duration as text, converted to milliseconds. */
const duration = durationText.transform((value) => parseDuration(value) ?? 0);

/** The schema of one entry under `lists` in `sandbox.yaml`. `compileList` checks what a type cannot express. */
export const listSchema = z.strictObject({
  path: text
    .describe(
      "The path; `{name}` stands for a whole segment, which is percent-decoded; the other segments are compared literally. Default: `/v1/NAME`. If own items have a member of that name, each item is listed only under its value, and an item without it is not listed.",
    )
    .optional(),
  items: z
    .union([z.array(z.unknown()), text], "give a list of items, or the path of a YAML or JSON file")
    .describe(
      "Your own items, each an object; or the path of a YAML or JSON file with them. They replace generated rows.",
    )
    .optional(),
  count: z.int(countMessage).min(0, countMessage).describe("Number of generated rows. Default: 10,000.").optional(),
  fields: z
    .record(z.string(), fieldGenerator)
    .describe("The members of a generated row, in their order, each with a generator (see below).")
    .optional(),
  spacing: duration.describe("Time between the creation of two neighbouring generated rows. Default: 15m.").optional(),
  anchor: text
    .describe(
      "When the newest generated row was created, RFC 3339. Default: the clock at the walk's first request, rounded down to the hour.",
    )
    .optional(),
  seed: z
    .union([z.string(), z.number()])
    .describe("Another seed gives other rows. The default is the same in every sandbox.")
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
      "Dotted path of the date that orders the rows and that the date filters test. Default: `createdAt`. Own items have an RFC 3339 date-time there, or a date such as `2026-01-31`, which is its first instant in UTC, whatever `list.dates` requires of requests. null: no dates, own items keep their order.",
    )
    .optional(),
  order: z.enum(["newest-first", "oldest-first"]).describe("The order of a walk. Default: `newest-first`.").optional(),
  unknownParameters: z
    .enum(["ignore", "refuse"])
    .describe(
      "What happens to a query parameter that the list does not know. Default: what the assumption `request.unknown-parameters` says.",
    )
    .optional(),
  cursorLifetime: duration.describe("How long a cursor is accepted. Default: 24h.").optional(),
});
