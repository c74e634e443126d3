import * as z from "zod";
import { repeat } from "../repeat.js";
import { route } from "../route.js";
import { exchangeOf, ofExchange } from "./requests.js";

export const repeatRoutes = [
  route({
    method: "POST",
    path: "/requests/{id}/repeat",
    summary: "Send a request again: over mutual TLS, with its client's certificate and a fresh token",
    description:
      "The sandbox sends it to its own API, where it is a normal request: it is judged, counted by scenarios and the report, and kept in the journal. The route answers once the connection has ended. It refuses (409) a request that it cannot repeat: with a certificate whose key the sandbox does not have, or a body that the journal did not keep. A fault that acted is requested by `Sandbox-Replay`. `method`, `target`, `headers` and `body` are sent in place of its own.",
    params: ofExchange,
    body: z.strictObject({
      replay: z
        .boolean("give true or false")
        .describe(
          "Whether a fault that acted is requested again; true when left out. Otherwise the scenario that is active now applies.",
        )
        .optional(),
      token: z
        .enum(["fresh", "same", "none"])
        .describe(
          "A fresh token in place of a good one that was sent (also when left out), the one that was sent, or none.",
        )
        .optional(),
      certificate: z
        .enum(["same", "present"])
        .describe(
          "The certificate of the request (also when left out), or the present one of its client, after a rotation.",
        )
        .optional(),
      method: z
        .string()
        .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/, "give a method such as GET")
        .optional(),
      target: z
        .string()
        .regex(/^[!-~]{1,8000}$/, "give a path and query such as /v1/payments?pageSize=5, without spaces, encoded")
        .optional(),
      headers: z
        .array(
          z.tuple([
            z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/, "give the name of a header such as X-Shop"),
            z.string().regex(/^[\t -~\x80-\xff]{0,8000}$/, "give a value without line breaks"),
          ]),
        )
        .max(100)
        .describe(
          "All headers in place of those that were sent. One that is as the journal shows it is sent with its secrets. Those of one connection are left out.",
        )
        .optional(),
      body: z.string().max(65_536).describe("In place of the body that was sent.").optional(),
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
