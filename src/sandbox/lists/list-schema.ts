import * as z from "zod";
import { durationForm, durationPattern, parseDuration } from "../../base/text/duration.js";
import { definedOnly } from "../../base/text/json-object.js";
import { quote } from "../../base/text/printable.js";
import { text, wholeNumber } from "../../base/yaml/values.js";
import { headerNamePattern, headersInUse } from "../connection/header-names.js";
import { generatedRowKeys, listDefaults } from "./defaults.js";
import { namedMembers } from "./envelope-members.js";
import { fieldGenerator } from "./field-schema.js";
import { firstInstant, instantAdvice, lastAnchor, parseInstant } from "./instant.js";
import { pathFault } from "./path.js";
import { refinement, unless } from "./refinement.js";

const countMessage = "give a whole number from 0 on";
const maximumFilters = 16;
const size = wholeNumber(1, 10_000);

const member = text.describe("The name of a member; a dotted one nests.");

/** How a page is written. */
export const envelopeSchema = z
  .strictObject({
    items: member
      .nullable()
      .describe("The rows; null: the body is the array of rows alone. Default: `items`.")
      .optional(),
    nextCursor: text
      .nullable()
      .describe(
        "The cursor of the next page; null: not sent. Default: `nextCursor`, or null with `nextLink`, `linkHeader` or `cursorHeader`.",
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
    cursorHeader: text
      .regex(headerNamePattern, "give the name of a header")
      .refine((name) => !headersInUse.has(name.toLowerCase()), "this header has another meaning; give another name")
      .describe("The header that has the cursor of the next page, such as `X-After-Cursor`; absent on the last one.")
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
    extra: z
      .record(z.string(), z.json() as z.ZodType<unknown>)
      .describe("Constant members, by dotted name.")
      .optional(),
  })
  .superRefine(
    refinement((settings, report) => {
      const taken: string[] = [];
      const isArray = settings.items === null;
      for (const { name, place } of namedMembers(settings)) {
        const problem = isArray ? notInArray : memberProblem(name, taken);
        if (problem === undefined) taken.push(name);
        else report(place, problem);
      }
    }),
  )
  .describe(
    "Names of the members of a page; those without a default are not sent. A dotted name nests: `paging.next`.",
  );

const notInArray =
  "has no place: with `items: null`, the body is the array of rows alone. Use linkHeader or cursorHeader for the next page";

/** @param taken the names of other members */
function memberProblem(name: string, taken: readonly string[]): string | undefined {
  if (name.split(".").includes("")) return "a member's name is empty";
  if (taken.some((other) => other === name || other.startsWith(`${name}.`))) return `${quote(name)} is used twice`;
  const outer = taken.find((other) => name.startsWith(`${other}.`));
  return outer === undefined ? undefined : `${quote(outer)} is not an object: it has a value`;
}

/** The names of the query parameters of a list. */
const parameters = z
  .strictObject({
    pageSize: text.nullable().describe("Default: `pageSize`.").optional(),
    cursor: text.describe("Default: `cursor`.").optional(),
    fromCreatedAt: text.nullable().describe("Default: `fromCreatedAt`.").optional(),
    toCreatedAt: text.nullable().describe("Default: `toCreatedAt`.").optional(),
  })
  .describe("Names of the query parameters; null: there is none.");

/** The limits of the page size. */
const pageSize = z
  .strictObject({
    default: size.describe("If the request has none. Default: 10.").optional(),
    minimum: size.describe("Default: 1.").optional(),
    maximum: size.describe("Default: 100. Lower with long rows: a page has at most 16 million characters.").optional(),
    beyond: z.enum(["refuse", "lower"]).describe("What happens to a larger one. Default: `refuse`.").optional(),
  })
  .superRefine(
    refinement((given, report) => {
      const { default: usual, minimum, maximum } = { ...listDefaults.pageSize, ...definedOnly(given) };
      if (minimum > maximum) report(["minimum"], "must not be larger than the maximum");
      else if (usual < minimum || usual > maximum) report(["default"], `${usual} is not from ${minimum} to ${maximum}`);
    }),
  )
  .describe("Limits of the page size (§8).");

/** A duration as text, converted to milliseconds. */
const duration = z
  .string(`give ${durationForm}`)
  .regex(durationPattern, `give ${durationForm}`)
  .refine((value) => parseDuration(value) !== 0, "must be a millisecond or more")
  .transform((value) => parseDuration(value) ?? 0);

function anchorProblem(anchor: string): string | undefined {
  const parsed = parseInstant(anchor);
  if (!parsed.ok) return `is not a date-time: ${instantAdvice[parsed.fault]}`;
  const isWithin = parsed.instant.ms >= firstInstant && parsed.instant.ms <= lastAnchor;
  return isWithin ? undefined : "must be between the years 0001 and 9998";
}

/** The schema of one entry under `lists` in `sandbox.yaml`. `contradictions` compares its keys. */
export const listSchema = z
  .strictObject({
    path: text
      .superRefine(unless(pathFault))
      .describe(
        "`{name}` stands for a whole segment, percent-decoded; the others are compared literally, and so is a `/` at the end. Default: `/v1/NAME`. If own items have a member of that name, each is listed only under its value, and one without it nowhere.",
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
      .superRefine(unless(anchorProblem))
      .describe(
        "When the newest generated row was created, RFC 3339. Default: the clock at the walk's first request, rounded down to the hour.",
      )
      .optional(),
    seed: z
      .union([z.string(), z.number()])
      .describe("Another seed gives other rows. The default is the same everywhere.")
      .optional(),
    envelope: envelopeSchema.optional(),
    parameters: parameters.optional(),
    pageSize: pageSize.optional(),
    filters: z
      .record(z.string().min(1, "a parameter's name is empty"), text)
      .refine((given) => Object.keys(given).length <= maximumFilters, `give at most ${maximumFilters} filters`)
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
  })
  .superRefine(
    refinement((given, report) => {
      if (given.items === undefined) return;
      const without = generatedRowKeys.filter((key) => given[key] !== undefined);
      for (const key of without) report([key], "has no meaning together with items");
    }),
  );
