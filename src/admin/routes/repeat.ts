import * as z from "zod";
import { repeat } from "../repeat.js";
import { route } from "../route.js";
import { exchangeOf, ofExchange } from "./requests.js";

export const repeatRoutes = [
  route({
    method: "POST",
    path: "/requests/{id}/repeat",
    summary: "Send a request again",
    description:
      "Journal, scenarios and report take it as any other. The answer comes when the connection has ended. `CANNOT_REPEAT`: the certificate's key or the body is not known.",
    params: ofExchange,
    body: z.strictObject({
      replay: z
        .boolean("give true or false")
        .describe(
          "true (default): a fault that acted is requested by `Sandbox-Replay`; false: the active scenario applies.",
        )
        .optional(),
      token: z
        .enum(["fresh", "same", "none"])
        .describe("`fresh` (default): a new one in place of a good one; `same`: as sent; `none`.")
        .optional(),
      certificate: z
        .enum(["same", "present"])
        .describe("`same` (default): that of the request; `present`: the client's newest.")
        .optional(),
      method: z
        .string()
        .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/, "give a method such as GET")
        .describe("In place of what was sent.")
        .optional(),
      target: z
        .string()
        .regex(/^[!-~]{1,8000}$/, "give a path and query such as /v1/payments?pageSize=5, without spaces, encoded")
        .describe("In place of what was sent.")
        .optional(),
      body: z.string().max(65_536).describe("In place of what was sent.").optional(),
      headers: z
        .array(
          z.tuple([
            z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/, "give the name of a header such as X-Shop"),
            z.string().regex(/^[\t -~\x80-\xff]{0,8000}$/, "give a value without line breaks"),
          ]),
        )
        .max(100)
        .describe(
          "All of them. One that is as the journal shows it gets its secrets back. Those of a connection are left out.",
        )
        .optional(),
    }),
    answer: {
      status: 200,
      description: "The result.",
      schema: z.object({
        id: z.string().nullable().describe("The id of the new exchange; null if no request arrived."),
        status: z.int().nullable().describe("0 if no answer was sent."),
        fault: z.string().nullable().describe("The injected fault that acted, as Sandbox-Replay accepts it."),
        notes: z.array(z.string()).describe("Differences from the first request."),
      }),
    },
    errors: ["NOT_FOUND", "CANNOT_REPEAT"],
    readsJournal: true,
    handle: ({ params, body, signal }, context) => {
      const { replay = true, token = "fresh", certificate = "same", ...changes } = body;
      return repeat(
        exchangeOf(params.id, context.journal).item,
        { replay, token, certificate, changes },
        context,
        signal,
      );
    },
  }),
];
