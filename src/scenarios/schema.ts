import { z } from "zod";
import { clientIdPattern } from "../clients.js";
import { durationForm, durationPattern, parseDuration } from "../duration.js";
import { type ErrorCode, errorCodes } from "../errors.js";
import { suggest } from "../yaml/issues.js";
import { longestDelay, scenarioDefaults } from "./defaults.js";

/** Milliseconds. */
const day = 86_400_000;

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
/** RFC 9110 §5.5, with the octets that Node sends. */
const headerValue = z
  .string("give a text, in quotes")
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, "a header's value is one line, in Latin-1");

/** For an object: what to say where there is none. */
const keys = {
  error: ({ code }: { readonly code: string }) => (code === "invalid_type" ? "give keys and values here" : undefined),
};

/** A value out of a few, with a suggestion for a misspelt one. */
function oneOf<const Values extends readonly [string, ...string[]]>(values: Values, what: string) {
  return z.enum(values, {
    error: ({ input }) =>
      typeof input === "string"
        ? `unknown ${what} ${JSON.stringify(input.slice(0, 64))}. ${suggest(input, values)}`
        : values.length > 10
          ? `give a known ${what}, such as ${values[0]}`
          : `give one of ${values.join(", ")}`,
  });
}

function duration(description: string, longest = longestDelay) {
  return z
    .string(`give ${durationForm}`)
    .regex(durationPattern, `give ${durationForm}`)
    .refine((value) => (parseDuration(value) ?? 0) <= longest, `give at most ${longest / 1000}s`)
    .describe(description);
}

const exactMessage = 'give the exact value as a text, in quotes, or true for "sent", false for "not sent"';
const exact = z.union([z.string(exactMessage), z.boolean(exactMessage)], exactMessage);

const when = z
  .strictObject(
    {
      operation: oneOf(["token", "ping", "list"], "operation")
        .describe("The operation. Every list endpoint is the operation `list`.")
        .optional(),
      list: text.describe("The name of a list, such as `payments`.").optional(),
      client: z
        .string("give a text")
        .regex(clientIdPattern, "give a client id")
        .describe("The `client_id` for which the certificate of the connection is registered.")
        .optional(),
      page: positive
        .describe("The number of the page in its walk, from 1. A cursor that is not genuine has no page.")
        .optional(),
      cursor: z.boolean("give true or false").describe("Whether the request sends a cursor.").optional(),
      query: z
        .record(text, exact)
        .describe("Parameters of the query, each with its exact value, or `true` for sent, `false` for not sent.")
        .optional(),
      headers: z
        .record(headerName, exact)
        .describe("Headers of the request, each with its exact value, or `true` for sent, `false` for not sent.")
        .optional(),
    },
    keys,
  )
  .describe("What a request must be like. All that is given must hold; without it, every request will do.");

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
            .describe("How far they spread: 0.3 is a steady service, 1 one with a long tail."),
          max: duration("No delay is longer than this; by default 20 times the median, at most 2 minutes.").optional(),
        })
        .describe("Lognormal, as delays of real services are: mostly short, now and then long."),
    ],
    "give a duration, { min, max }, or { median, sigma, max }",
  )
  .meta({
    description:
      "Hold the answer back: a fixed time, a uniform draw between two bounds, or a lognormal one. At most 2 minutes. It combines with any other fault.",
    examples: ["200ms", { min: "100ms", max: "300ms" }, { median: "1s", sigma: 0.5, max: "10s" }],
  });

const errorCode = oneOf(errorCodes as [ErrorCode, ...ErrorCode[]], "error code");

/** Each answer says its length truly; an untrue one would spoil the answers that follow on the connection, and name no rule. */
const ownHeaders = new Set(["content-length", "transfer-encoding"]);
const answerHeaders = z
  .record(headerName, headerValue)
  .refine(
    (value) => !Object.keys(value).some((key) => ownHeaders.has(key.toLowerCase())),
    "leave out Content-Length and Transfer-Encoding: the sandbox sends them; for a body that is cut short, use connection: truncate",
  );

const error = z
  .union([
    errorCode,
    z.strictObject({
      code: errorCode.describe("A code of the error table; the status is the code's."),
      message: text.describe("The message, in place of the code's own.").optional(),
      headers: answerHeaders.describe("Further headers of the answer, such as `Retry-After`.").optional(),
    }),
  ])
  .meta({
    description:
      "Answer with an error of the table: its code alone, or with a message and headers of your own. On ping and lists it acts after certificate, token and scope were found good, on the token endpoint at once.",
    examples: [
      "VALIDATION_ERROR",
      { code: "SERVICE_UNAVAILABLE", message: "Back at noon.", headers: { "Retry-After": "30" } },
    ],
  });

const respond = z
  .strictObject({
    status: z
      .int("give an HTTP status")
      .min(200, "give a status from 200 to 599")
      .max(599, "give a status from 200 to 599")
      .describe("The status."),
    headers: answerHeaders
      .describe("The headers. `Content-Type` is made from the body where it is not given.")
      .optional(),
    body: z.json().describe("The body: a text is sent as it is, anything else as JSON.").optional(),
  })
  .meta({
    description: "Answer with exactly this: any status, headers and body. It acts where `error` does.",
    examples: [
      { status: 502, headers: { "Content-Type": "text/html" }, body: "<h1>Bad Gateway</h1>" },
      { status: 400, body: { message: "Something new.", code: "SOMETHING_NEW" } },
    ],
  });

const connectionKinds = {
  reset: "A TCP RST before any byte of the answer.",
  close: "A FIN before any byte of the answer, in good order.",
  hang: "No answer until the client gives up; at most 60s, unless a duration says otherwise.",
  truncate: "The answer announces its whole length; half of its body arrives, then a RST.",
  garbage: "Bytes that are not HTTP, then a FIN.",
  drip: "The whole answer, its body a piece at a time, over 5s, unless a duration says otherwise.",
} as const;

const kindMessage = 'give hang or drip, which have a duration; the others stand alone, as in "connection: reset"';

const connection = z
  .union([
    oneOf(Object.keys(connectionKinds) as [keyof typeof connectionKinds], "kind of connection fault").meta({
      enumDescriptions: Object.values(connectionKinds),
    }),
    z.strictObject({
      kind: z.literal("hang", kindMessage).describe("No answer."),
      duration: duration("How long at most; then the connection is closed.").default(scenarioDefaults.hang),
    }),
    z.strictObject({
      kind: z.literal("drip", kindMessage).describe("A body that comes slowly."),
      duration: duration("How long the body takes.").default(scenarioDefaults.drip),
    }),
  ])
  .meta({
    description: "Break the connection, in one of these ways.",
    examples: ["reset", { kind: "hang", duration: "10s" }],
  });

const rateLimit = z
  .strictObject({
    limit: positive.describe("So many requests fit into the bucket."),
    per: duration("An empty bucket is full again after this time; at most a day.", day),
  })
  .meta({
    description:
      "Answer 429 `TOO_MANY_REQUESTS` with `Retry-After` beyond a rate: a token bucket for each client, on the client's clock. It acts where `error` does.",
    examples: [{ limit: 10, per: "1s" }],
  });

const token = z
  .strictObject({
    expiresIn: duration(
      "The token dies after this time, though the answer announces the usual lifetime; at most a day.",
      day,
    ).optional(),
    certificate: z
      .literal("other", "the only value is other")
      .describe("`other`: the token is bound to a certificate that nobody has.")
      .optional(),
    tokenType: text.describe("The `token_type` of the answer, in place of `bearer`.").optional(),
  })
  .refine((value) => Object.keys(value).length > 0, "give expiresIn, certificate or tokenType")
  .meta({
    description: "Issue a token with a defect, or several. It acts on the operation `token` only.",
    examples: [{ expiresIn: "2s" }, { certificate: "other" }, { tokenType: "mac" }],
    minProperties: 1,
  });

const page = z
  .strictObject({
    insert: positive
      .describe("So many rows arrived since the page before: as many of its rows come again at the head of this one.")
      .optional(),
    remove: positive
      .describe("So many rows were removed since the page before: as many are missed between the two.")
      .optional(),
    duplicate: positive
      .describe("So many of the first rows stand on this page twice. The page keeps its size; at most half of it.")
      .optional(),
    empty: z
      .literal(true, "give true, or leave it out")
      .describe("No rows, and yet a cursor: the next page has the rows that belong here.")
      .optional(),
    deadEnd: z
      .literal(true, "give true, or leave it out")
      .describe("The last page has a cursor, too. It leads to an empty page, which has none.")
      .optional(),
  })
  .refine((value) => Object.keys(value).length === 1, "give one of insert, remove, duplicate, empty, deadEnd")
  .meta({
    description: "Change a page of a list: one of these. It acts on the operation `list` only.",
    examples: [{ insert: 1 }, { empty: true }],
    minProperties: 1,
    maxProperties: 1,
  });

const kinds = ["error", "respond", "connection", "rateLimit", "token", "page"] as const;

const then = z
  .strictObject(
    {
      delay: delay.optional(),
      error: error.optional(),
      respond: respond.optional(),
      connection: connection.optional(),
      rateLimit: rateLimit.optional(),
      token: token.optional(),
      page: page.optional(),
    },
    keys,
  )
  .refine((value) => Object.keys(value).length > 0, `say what happens: delay, ${kinds.join(", ")}`)
  .refine(
    (value) => kinds.filter((kind) => value[kind] !== undefined).length <= 1,
    `give only one of ${kinds.join(", ")}; a delay may stand beside it`,
  )
  .meta({
    description: "What happens: a delay, one of the other faults, or both.",
    minProperties: 1,
    maxProperties: 2,
  });

const rule = z
  .strictObject(
    {
      name: name
        .describe("How `Sandbox-Fault` calls the rule; by default `rule-1`, `rule-2` and so on, by its place.")
        .optional(),
      when: when.optional(),
      skip: count.describe("So many matching requests pass first.").default(scenarioDefaults.skip),
      every: positive
        .describe("Of the matching requests after these, only each n-th: 2 is every second one.")
        .default(scenarioDefaults.every),
      limit: positive.describe("The rule makes at most so many faults; without it, there is no end.").optional(),
      probability: z
        .number("give a number from 0 to 1")
        .min(0, "give a number from 0 to 1")
        .max(1, "give a number from 0 to 1")
        .describe("How likely the rule acts, from 0 (never) to 1 (always). Drawn from the client's seed.")
        .default(scenarioDefaults.probability),
      then,
    },
    keys,
  )
  .describe("One rule: what a request must be like, and what happens to it.");

/** The schema of a scenario file. From it come validation, `scenario.schema.json` and the reference page. */
export const scenarioSchema = z
  .strictObject(
    {
      $schema: text.describe("Where editors find the schema; the sandbox does not read it.").optional(),
      description: text.describe(
        "What the scenario does, in one sentence, and then what a correct client does when it meets it.",
      ),
      server: z
        .strictObject({
          certificate: oneOf(["expired", "wrong-host", "untrusted"], "defect").describe(
            "The defect. Every new connection meets a server certificate that has expired, carries another host's name, or comes from an issuer that nobody trusts.",
          ),
        })
        .describe("A fault of the TLS handshake. It acts only while the scenario is active for all.")
        .optional(),
      rules: z
        .array(rule, "give a list of rules, each beginning with a dash")
        .max(1000, "give at most 1000 rules")
        .describe("The rules, at most 1000. The first one whose conditions all hold acts, and no other.")
        .optional(),
    },
    keys,
  )
  .refine((value) => value.server !== undefined || (value.rules?.length ?? 0) > 0, "give at least one rule, or server")
  .meta({ title: "Scenario of the Business Payments Sandbox" });

export type ScenarioShape = z.output<typeof scenarioSchema>;
