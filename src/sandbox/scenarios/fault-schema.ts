import * as z from "zod";
import { day } from "../../base/text/duration.js";
import { alter, concurrency, error, rateLimit, respond } from "./answer-schema.js";
import { connection, stream } from "./connection-schema.js";
import type { Fault } from "./definition.js";
import { faultFacts, faultKinds } from "./fault-facts.js";
import { duration, keys, oneOf, positive, text } from "./schema-values.js";

const delay = z
  .union(
    [
      duration("A fixed delay."),
      z
        .strictObject({
          min: duration("The shortest delay."),
          max: duration("The longest delay."),
        })
        .describe("Every delay between two bounds is equally likely."),
      z
        .strictObject({
          median: duration("Half of the delays are shorter than this."),
          sigma: z
            .number("give a number")
            .min(0, "give a number from 0 on")
            .max(5, "give at most 5")
            .describe("How far they spread: 0.3 is a steady service, 1 is a service with a long tail."),
          max: duration("No delay is longer than this; by default 20 times the median, at most 2 minutes.").optional(),
        })
        .describe("Lognormal, like delays of real services: mostly short, sometimes long."),
    ],
    'give a duration such as "500ms", { min, max }, or { median, sigma, max }',
  )
  .meta({
    description:
      "Hold the answer back: a fixed time, a uniform draw between two bounds, or a lognormal one. At most 2 minutes. It can be combined with any other fault.",
    examples: ["200ms", { min: "100ms", max: "300ms" }, { median: "1s", sigma: 0.5, max: "10s" }],
  });

const clock = z
  .strictObject(
    {
      advance: duration("How far the clock moves forward; at most 366 days.", 366 * day),
    },
    keys,
  )
  .meta({
    description:
      "Move the client's clock, from this request on: a token expires in the middle of a walk without any waiting. The clock stays moved until it is reset. It can be combined with any other fault.",
    examples: [{ advance: "301s" }],
  });

const token = z
  .strictObject(
    {
      expiresIn: duration(
        "The token expires after this time, though the answer announces the usual lifetime; at most a day.",
        day,
      ).optional(),
      certificate: z
        .literal("other", "the only value is other")
        .describe("`other`: the token is bound to a certificate that does not exist.")
        .optional(),
      tokenType: text.describe("The `token_type` of the answer, instead of `bearer`.").optional(),
      revoke: z
        .literal(true, "give true, or leave it out")
        .describe(
          "Refuse the token of this request with 401, now and from now on; a token that is issued later is good. It acts where a token is used, so it cannot be combined with the others.",
        )
        .optional(),
    },
    keys,
  )
  .refine((value) => Object.keys(value).length > 0, "give expiresIn, certificate, tokenType or revoke")
  .refine(
    (value) => value.revoke === undefined || Object.keys(value).length === 1,
    "revoke acts where a token is used, the others where it is issued: give it in a rule of its own",
  )
  .meta({
    description:
      "Issue a token with a defect, or several: this acts on the operation `token` only. Or revoke one: this acts on every other operation, where `error` does.",
    examples: [{ expiresIn: "2s" }, { certificate: "other" }, { tokenType: "mac" }, { revoke: true }],
    minProperties: 1,
  });

const page = z
  .strictObject(
    {
      insert: positive
        .describe(
          "The number of rows that were inserted since the page before: this many of its rows come again at the start of this page.",
        )
        .optional(),
      remove: positive
        .describe(
          "The number of rows that were removed since the page before: this many are missed between the two pages.",
        )
        .optional(),
      duplicate: positive
        .describe(
          "The number of first rows that appear twice on this page. The page keeps its size; at most half of it.",
        )
        .optional(),
      empty: z
        .literal(true, "give true, or leave it out")
        .describe("No rows, but a cursor: the next page has the rows that belong here.")
        .optional(),
      deadEnd: z
        .literal(true, "give true, or leave it out")
        .describe("The last page has a cursor, too. It leads to an empty page, which has none.")
        .optional(),
      rows: positive
        .describe(
          "The page has at most this many rows, whatever page size was requested; the others come on the next page.",
        )
        .optional(),
      cursor: oneOf(["same", "first"], "cursor")
        .describe(
          "The cursor leads in a circle: `same` is the cursor that was sent, and on page 1 leads to page 1; `first` leads to page 1.",
        )
        .optional(),
    },
    keys,
  )
  .refine(
    (value) => Object.keys(value).length === 1,
    "give one of insert, remove, duplicate, empty, deadEnd, rows, cursor",
  )
  .meta({
    description: "Change a page of a list: one of these. It acts on the operation `list` only.",
    examples: [
      { insert: 1 },
      { remove: 1 },
      { duplicate: 2 },
      { empty: true },
      { deadEnd: true },
      { rows: 3 },
      { cursor: "same" },
    ],
    minProperties: 1,
    maxProperties: 1,
  });

const faults = {
  delay: delay.optional(),
  clock: clock.optional(),
  error: error.optional(),
  respond: respond.optional(),
  alter: alter.optional(),
  connection: connection.optional(),
  stream: stream.optional(),
  rateLimit: rateLimit.optional(),
  concurrency: concurrency.optional(),
  token: token.optional(),
  page: page.optional(),
} satisfies Record<keyof Fault, z.ZodType>;

const made = new Set(faultKinds.map((kind) => faultFacts[kind].makes).filter((what) => what !== undefined));

/** Each of these makes the answer, so a rule can have only one of them; the two limits can be combined. */
const answering = [...made].map((what) => faultKinds.filter((kind) => faultFacts[kind].makes === what));

/** The faults whose answer is not the real one. */
const unalterable = faultKinds.filter((kind) => faultFacts[kind].isUnalterable);

/** Whether a fault leaves no answer for other faults to act on. */
function breaksAtOnce(fault: { readonly connection?: unknown; readonly stream?: unknown }): boolean {
  if (fault.stream !== undefined) return true;
  const { kind, lastStream } = Object(fault.connection) as { readonly kind?: unknown; readonly lastStream?: unknown };
  const connection = kind ?? fault.connection;
  if (connection === "goaway") return lastStream === "before";
  return connection !== undefined && connection !== "truncate" && connection !== "drip";
}

/** The schema of a rule's `then`. */
export const faultSchema = z
  .strictObject(faults, keys)
  .refine((value) => Object.keys(value).length > 0, `say what happens: ${faultKinds.join(", ")}`)
  .refine(
    (value) => answering.filter((group) => group.some((kind) => value[kind] !== undefined)).length <= 1,
    "give only one of error, respond, token, page, or the limits rateLimit and concurrency: each makes the answer",
  )
  .refine(
    (value) =>
      !breaksAtOnce(value) ||
      faultKinds.every((kind) => value[kind] === undefined || faultFacts[kind].acts === "always"),
    "only a delay and a clock can be combined with a connection or a stream that ends without an answer: give truncate or drip, or leave the rest out",
  )
  .refine(
    (value) => value.connection === undefined || value.stream === undefined,
    "give either connection or stream: a request comes on one stream of one connection",
  )
  .refine(
    (value) => value.alter === undefined || unalterable.every((kind) => value[kind] === undefined),
    "alter changes the real answer: it cannot be combined with respond, rateLimit or concurrency",
  )
  .meta({
    description:
      "What happens: one fault, or several that change different things. One of `error`, `respond`, `token`, `page` or the limits makes the answer; `alter` changes it; `connection` breaks it; a `delay` and a `clock` can be combined with any of them.",
    minProperties: 1,
    // Editors cannot read the refinements.
    anyOf: answering.map((group) => ({ type: "object", propertyNames: { enum: besides(group) } })),
  });

/** The faults that a rule may have whose answer is made by a group. */
function besides(group: readonly (keyof Fault)[]): (keyof Fault)[] {
  const isAlterable = !group.some((kind) => unalterable.includes(kind));
  const others = answering.filter((other) => other !== group).flat();
  return faultKinds.filter((kind) => !others.includes(kind) && (isAlterable || kind !== "alter"));
}
