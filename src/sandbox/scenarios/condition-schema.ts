import * as z from "zod";
import { day } from "../../base/text/duration.js";
import { namePattern } from "../../base/text/name.js";
import { pagePlaces } from "../lists/place.js";
import { operationNames } from "../operations.js";
import { certificateConditions, tokenRoles } from "./condition.js";
import { longestPattern } from "./defaults.js";
import { duration, headerName, keys, oneOf, positive, text } from "./schema-values.js";

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

/** The longest window. A client's clock can be moved, so long windows need no waiting. */
const longestWindow = 366 * day;

const operation = oneOf(operationNames, "operation");

/** The schema of a rule's `when`. */
export const conditionSchema = z
  .strictObject(
    {
      operation: z
        .union([operation, z.array(operation).min(1, "give at least one operation")])
        .meta({
          description: "One, or several: `[ping, list]`. Every list endpoint is `list`.",
          examples: ["list", ["list", "ping"]],
        })
        .optional(),
      method: oneOf(["GET", "POST"], "method")
        .meta({ description: "Only the token endpoint takes `POST`.", examples: ["GET"] })
        .optional(),
      http: z
        .union([z.literal(1), z.literal(2)], "give 1 or 2")
        .meta({
          description:
            "1 for HTTP/1.1, 2 for HTTP/2. A rule whose fault is for one version matches only requests over it.",
          examples: [2],
        })
        .optional(),
      list: text.meta({ description: "A list's name, such as `payments`.", examples: ["payments"] }).optional(),
      client: z
        .string("give a text")
        .regex(namePattern, "give a client id")
        .meta({
          description: "The `client_id` of the connection's certificate.",
          examples: ["demo"],
        })
        .optional(),
      certificate: oneOf(certificateConditions, "certificate")
        .meta({
          description:
            "What the client presented. `registered`: a certificate of any client; `replaced`: one that a newer one replaces; the others, but `none`, are misfits, named like their folders. Clients without a registered certificate get only the scenario for all.",
          examples: ["expired"],
        })
        .optional(),
      page: z
        .union([z.enum(pagePlaces, `give a number from 1 on, or one of ${pagePlaces.join(", ")}`), positive])
        .meta({
          description:
            "The page's number in its walk, or its place: `only` is the page of a walk with one page, which is neither `first` nor `last`. A request whose cursor is not genuine has neither; one whose parameters are refused has no place.",
          examples: [2, "last"],
        })
        .optional(),
      token: oneOf(tokenRoles, "token request")
        .meta({
          description:
            "What a token request is: `first` until the client was issued a token, whether or not the answer arrived; then `renewal`. `POST /reset` does not change that; sandboxes that share their state count together.",
          examples: ["renewal"],
        })
        .optional(),
      cursor: z
        .boolean("give true or false")
        .meta({ description: "Whether a cursor is sent.", examples: [true] })
        .optional(),
      query: z
        .record(text, wanted, keys)
        .meta({
          description:
            "Query parameters: each an exact value, several in a list, `{ like: … }` with `*` for any characters, or `true` for sent, `false` for not sent.",
          examples: [{ status: "PENDING" }, { status: ["PENDING", "PAID"] }],
        })
        .optional(),
      headers: z
        .record(headerName, wanted, keys)
        .meta({
          description: "Headers, in the same way; the case of names does not matter.",
          examples: [{ "User-Agent": { like: "curl/*" } }],
        })
        .optional(),
      form: z
        .record(text, wanted, keys)
        .meta({
          description: "Fields of a token request's form, in the same way.",
          examples: [{ scope: "write" }],
        })
        .optional(),
      attempt: positive
        .meta({
          description:
            "How often in a row the client sends the same request (method, path, query and, for a token, body): 2 is the first repetition. A different request of the same operation starts again at 1; requests of other operations do not.",
          examples: [2],
        })
        .optional(),
      after: duration(
        "How long after its activation the rule begins, on the client's clock; with `Sandbox-Scenario`, after the client's first request under the scenario.",
        longestWindow,
      )
        .meta({ examples: ["10s"] })
        .optional(),
      for: duration("How long it holds from `after` or the activation on, on the client's clock.", longestWindow)
        .meta({ examples: ["30s"] })
        .optional(),
    },
    keys,
  )
  .describe("What a request must be like: all conditions must hold. By default, every request matches.");

/** The schema of a rule's `from`: when it begins. */
export const beginningSchema = conditionSchema
  .pick({ operation: true, list: true, page: true, token: true })
  .refine((value) => Object.keys(value).length > 0, "give operation, list, page or token")
  .meta({
    description: "The rule begins with the first matching request for which this holds, too; by default, at once.",
    examples: [
      { list: "payments", page: "last" },
      { operation: "token", token: "renewal" },
    ],
    minProperties: 1,
  });
