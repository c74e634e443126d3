import * as z from "zod";
import { refusalAssumptionIds } from "../assumptions.js";
import { type ErrorCode, errorCodes } from "../errors.js";
import { day } from "../text/duration.js";
import { scenarioDefaults } from "./defaults.js";
import type { Fault } from "./definition.js";
import { duration, headerName, headerValue, keys, oneOf, positive, text } from "./values.js";

/** Milliseconds. */

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
    'give a duration such as "500ms", { min, max }, or { median, sigma, max }',
  )
  .meta({
    description:
      "Hold the answer back: a fixed time, a uniform draw between two bounds, or a lognormal one. At most 2 minutes. It combines with any other fault.",
    examples: ["200ms", { min: "100ms", max: "300ms" }, { median: "1s", sigma: 0.5, max: "10s" }],
  });

const errorCode = oneOf([...(errorCodes as [ErrorCode, ...ErrorCode[]]), ...refusalAssumptionIds], "error code");

/** Each answer says its length truly; an untrue one would spoil the answers that follow on the connection, and name no rule. */
const ownHeaders = new Set(["content-length", "transfer-encoding", "trailer"]);
const answerHeaders = z
  .record(headerName, headerValue)
  .refine(
    (value) => !Object.keys(value).some((key) => ownHeaders.has(key.toLowerCase())),
    "leave out Content-Length, Transfer-Encoding and Trailer: the sandbox says itself how it sends a body; for one that is cut short, use connection: truncate",
  );

const error = z
  .union([
    errorCode,
    z.strictObject({
      code: errorCode.describe(
        "A code of the error table, or the id of an assumption, such as `bearer.invalid-token`.",
      ),
      message: text.describe("The message, in place of the code's own.").optional(),
      headers: answerHeaders.describe("Further headers of the answer, such as `Retry-After`.").optional(),
    }),
  ])
  .meta({
    description:
      "Answer with an error as the sandbox itself would give it: status, code, message, headers and the named assumption, as they are configured. Give a code of the table or the id of an assumption, alone or with a message and headers of your own. On every operation but token it acts after certificate, token and scope were found good, on the token endpoint at once.",
    examples: [
      "VALIDATION_ERROR",
      "bearer.invalid-token",
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

const faults = {
  delay: delay.optional(),
  error: error.optional(),
  respond: respond.optional(),
  connection: connection.optional(),
  rateLimit: rateLimit.optional(),
  token: token.optional(),
  page: page.optional(),
} satisfies Record<keyof Fault, z.ZodType>;

/** All but the delay, which may stand beside any of them. */
const kinds = (Object.keys(faults) as (keyof Fault)[]).filter((kind) => kind !== "delay");

/** The schema of a rule's `then`. */
export const faultSchema = z
  .strictObject(faults, keys)
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
