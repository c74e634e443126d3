import { z } from "zod";
import { clientIdPattern } from "../clients.js";
import { durationForm, parseDuration } from "../duration.js";
import { type ErrorCode, errorCodes } from "../errors.js";
import { suggest } from "../yaml/issues.js";

/** Bounds that keep a fault from outliving whoever waits for it. */
export const longestDelay = 120_000;

const text = z.string("give a text").min(1, "give a text that is not empty");
const count = z.int("give a whole number").min(0, "give a number from 0 on").max(1_000_000, "give at most a million");
const positive = z
  .int("give a whole number")
  .min(1, "give a number from 1 on")
  .max(1_000_000, "give at most a million");
const name = z
  .string("give a text")
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    'use letters, digits, ".", "_" and "-", at most 64, beginning with a letter or digit',
  );
const headerName = z.string().regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, "give the name of a header");

function duration(description: string, longest = longestDelay) {
  return z
    .string(`give ${durationForm}`)
    .refine((value) => parseDuration(value) !== undefined, `give ${durationForm}`)
    .refine((value) => (parseDuration(value) ?? 0) <= longest, `give at most ${longest / 1000}s`)
    .describe(description);
}

const exact = z.union(
  [z.string(), z.boolean()],
  'give the exact value as a text, or true for "sent", false for "not sent"',
);

const when = z
  .strictObject({
    operation: z.enum(["token", "ping", "list"]).describe("the operation; every list endpoint is `list`").optional(),
    list: text.describe("the name of the list, such as `payments`").optional(),
    client: z
      .string()
      .regex(clientIdPattern, "give a client id")
      .describe("the client for which the certificate of the connection is registered")
      .optional(),
    page: positive.describe("the number of the page in its walk, from 1").optional(),
    cursor: z.boolean("give true or false").describe("whether a cursor is sent").optional(),
    query: z
      .record(text, exact)
      .describe("query parameters: the exact value, true for sent, false for not sent")
      .optional(),
    headers: z
      .record(headerName, exact)
      .describe("request headers: the exact value, true for sent, false for not sent")
      .optional(),
  })
  .describe("what a request must be like; all that is given must hold");

const delay = z
  .union(
    [
      duration("a fixed delay"),
      z.strictObject({
        min: duration("the shortest delay"),
        max: duration("the longest delay"),
      }),
      z.strictObject({
        median: duration("half of the delays are shorter"),
        sigma: z
          .number("give a number")
          .min(0, "give a number from 0 on")
          .max(5, "give at most 5")
          .describe("how far they spread"),
        max: duration("the longest delay").optional(),
      }),
    ],
    "give a duration, { min, max }, or { median, sigma, max }",
  )
  .describe(
    "how long the answer is held back: fixed, uniform between two bounds, or lognormal; combines with any other fault",
  );

const errorCode = z.enum(errorCodes as [ErrorCode, ...ErrorCode[]], {
  error: ({ input }) => `unknown error code. ${suggest(String(input), errorCodes)}`,
});

const error = z
  .union([
    errorCode,
    z.strictObject({
      code: errorCode.describe("a code of the error table"),
      message: text.describe("instead of the code's message").optional(),
      headers: z
        .record(headerName, z.string("give a text, in quotes"))
        .describe("further headers of the answer")
        .optional(),
    }),
  ])
  .describe("answer with this error, after certificate, token and scope were found good");

const respond = z
  .strictObject({
    status: z
      .int("give an HTTP status")
      .min(200, "give a status from 200 to 599")
      .max(599, "give a status from 200 to 599"),
    headers: z.record(headerName, z.string("give a text, in quotes")).optional(),
    body: z.json().describe("a text is sent as it is, anything else as JSON").optional(),
  })
  .describe("answer with exactly this, after certificate, token and scope were found good");

const connection = z
  .union([
    z.enum(["reset", "close", "hang", "truncate", "garbage", "drip"]),
    z.strictObject({ kind: z.literal("hang"), duration: duration("how long at most, 60s by default") }),
    z.strictObject({ kind: z.literal("drip"), duration: duration("over how long, 5s by default") }),
  ])
  .describe(
    "reset: TCP RST before any byte; close: FIN before any byte; hang: no answer until the client gives up; truncate: half the announced body, then RST; garbage: bytes that are not HTTP; drip: the body a byte at a time",
  );

const rateLimit = z
  .strictObject({
    limit: positive.describe("so many requests"),
    per: duration("within this time", 86_400_000),
  })
  .describe("429 with Retry-After beyond a rate, from a token bucket on the sandbox's clock");

const token = z
  .strictObject({
    expiresIn: duration(
      "the token dies after this time, though the answer announces the usual lifetime",
      86_400_000,
    ).optional(),
    certificate: z.literal("other").describe("the token is bound to a certificate that nobody has").optional(),
    tokenType: text.describe("the `token_type` of the answer").optional(),
  })
  .refine((value) => Object.keys(value).length > 0, "give expiresIn, certificate or tokenType")
  .describe("issue a token with a defect");

const page = z
  .strictObject({
    insert: positive
      .describe("so many rows arrived before this page: as many of the page before come again")
      .optional(),
    remove: positive.describe("so many rows before this page were removed: as many rows are missed").optional(),
    duplicate: positive.describe("so many rows at the begin of this page stand there twice").optional(),
    empty: z.literal(true).describe("no rows, though the cursor leads on to them").optional(),
    deadEnd: z.literal(true).describe("the last page has a cursor all the same; it leads to an empty page").optional(),
  })
  .refine((value) => Object.keys(value).length === 1, "give one of insert, remove, duplicate, empty, deadEnd")
  .describe("change the page of a list");

const kinds = ["error", "respond", "connection", "rateLimit", "token", "page"] as const;

const then = z
  .strictObject({
    delay: delay.optional(),
    error: error.optional(),
    respond: respond.optional(),
    connection: connection.optional(),
    rateLimit: rateLimit.optional(),
    token: token.optional(),
    page: page.optional(),
  })
  .refine((value) => Object.keys(value).length > 0, `say what happens: delay, ${kinds.join(", ")}`)
  .refine(
    (value) => kinds.filter((kind) => value[kind] !== undefined).length <= 1,
    `give only one of ${kinds.join(", ")}; a delay may stand beside it`,
  )
  .describe("what happens: a delay, one of the others, or both");

const rule = z
  .strictObject({
    name: name.describe("how the rule is called in Sandbox-Fault; by default rule-1, rule-2 …").optional(),
    when: when.optional(),
    skip: count.describe("how many matching requests pass first").optional(),
    every: positive.describe("of the rest, only each n-th").optional(),
    limit: positive.describe("how many faults at most").optional(),
    probability: z
      .number("give a number from 0 to 1")
      .min(0, "give a number from 0 to 1")
      .max(1, "give a number from 0 to 1")
      .describe("how likely, from 0 to 1; drawn from the client's seed")
      .optional(),
    then,
  })
  .describe("one rule: what a request must be like, and what happens to it");

/** The schema of a scenario file. From it come validation, `scenario.schema.json` and the reference page. */
export const scenarioSchema = z
  .strictObject({
    $schema: text.optional(),
    description: text.describe("what it does, and what a correct client does when it meets it"),
    server: z
      .strictObject({
        certificate: z
          .enum(["expired", "wrong-host", "untrusted"])
          .describe("every new connection meets a server certificate with this defect"),
      })
      .describe("TLS faults; only for the scenario that is active for all")
      .optional(),
    rules: z
      .array(rule)
      .max(1000, "give at most 1000 rules")
      .describe("the first rule whose conditions all hold acts")
      .optional(),
  })
  .refine((value) => value.server !== undefined || (value.rules?.length ?? 0) > 0, "give at least one rule, or server");

export type ScenarioShape = z.output<typeof scenarioSchema>;
