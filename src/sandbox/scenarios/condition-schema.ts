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
          description: "The operation, or several: `[ping, list]`. Every list endpoint is the operation `list`.",
          examples: ["list", ["list", "ping"]],
        })
        .optional(),
      method: oneOf(["GET", "POST"], "method")
        .meta({ description: "The method of the request. Only the token endpoint takes `POST`.", examples: ["GET"] })
        .optional(),
      http: z
        .union([z.literal(1), z.literal(2)], "give 1 or 2")
        .meta({
          description:
            "The version of HTTP: 1 for HTTP/1.1, 2 for HTTP/2. A rule with a fault for one version only matches requests over that version.",
          examples: [2],
        })
        .optional(),
      list: text.meta({ description: "The name of a list, such as `payments`.", examples: ["payments"] }).optional(),
      client: z
        .string("give a text")
        .regex(namePattern, "give a client id")
        .meta({
          description: "The `client_id` for which the certificate of the connection is registered.",
          examples: ["demo"],
        })
        .optional(),
      certificate: oneOf(certificateConditions, "certificate")
        .meta({
          description:
            "What the client presented: `registered` for a certificate of any client, `none`, `replaced` for one that a newer one replaces, or a misfit by the name of its folder. Clients without a registered certificate get only the scenario for all.",
          examples: ["expired"],
        })
        .optional(),
      page: z
        .union([z.enum(pagePlaces, `give a number from 1 on, or one of ${pagePlaces.join(", ")}`), positive])
        .meta({
          description:
            "The number of the page in its walk, from 1; or its place: `first`, `middle` or `last` of several pages, or `only`, if the walk has one page. A request whose cursor is not genuine has no page; one whose parameters are refused has no place.",
          examples: [2, "last"],
        })
        .optional(),
      token: oneOf(tokenRoles, "token request")
        .meta({
          description:
            "What a token request is for its client: `first`, as long as no token was issued to the client, or `renewal`. A token counts whether or not its answer arrived, and stays counted after `POST /reset`; sandboxes that share their state count together. Only the operation `token` has it.",
          examples: ["renewal"],
        })
        .optional(),
      cursor: z
        .boolean("give true or false")
        .meta({ description: "Whether the request sends a cursor.", examples: [true] })
        .optional(),
      query: z
        .record(text, wanted, keys)
        .meta({
          description:
            "Parameters of the query, each with its exact value, several of them in a list, `{ like: … }` with `*` for any characters, or `true` for sent, `false` for not sent.",
          examples: [{ status: "PENDING" }, { status: ["PENDING", "PAID"] }],
        })
        .optional(),
      headers: z
        .record(headerName, wanted, keys)
        .meta({
          description: "Headers of the request, in the same way. Names are compared without regard to case.",
          examples: [{ "User-Agent": { like: "curl/*" } }],
        })
        .optional(),
      form: z
        .record(text, wanted, keys)
        .meta({
          description: "Fields of the form of a token request, in the same way. Only the operation `token` has a form.",
          examples: [{ scope: "write" }],
        })
        .optional(),
      attempt: positive
        .meta({
          description:
            "For how many times in a row the client sends the same request (method, path, query and, for a token, body): 2 is the first repetition. A different request of the same operation starts the count again at 1; requests of other operations do not.",
          examples: [2],
        })
        .optional(),
      after: duration(
        "The rule begins this long after the scenario was activated, on the client's clock. For the header `Sandbox-Scenario`, after the client's first request under the scenario.",
        longestWindow,
      )
        .meta({ examples: ["10s"] })
        .optional(),
      for: duration(
        "The rule holds for this long, from `after` or else from the activation on. On the client's clock.",
        longestWindow,
      )
        .meta({ examples: ["30s"] })
        .optional(),
    },
    keys,
  )
  .describe(
    "What a request must be like. All given conditions must hold; without `when`, the rule holds for every request.",
  );

/** The schema of a rule's `from`: when it begins. */
export const beginningSchema = conditionSchema
  .pick({ operation: true, list: true, page: true, token: true })
  .refine((value) => Object.keys(value).length > 0, "give operation, list, page or token")
  .meta({
    description:
      "The rule begins with the first matching request for which this holds, too, and from then on holds for every matching request. Without it, the rule holds from the beginning.",
    examples: [
      { list: "payments", page: "last" },
      { operation: "token", token: "renewal" },
    ],
    minProperties: 1,
  });
