import * as z from "zod";
import { repeat } from "../repeat.js";
import { type Route, route } from "../route.js";
import { exchangeOf, ofExchange } from "./requests.js";

export const repeatRoutes: readonly Route[] = [
  route({
    method: "POST",
    path: "/requests/{id}/repeat",
    summary: "Send a request again: over mutual TLS, with its client's certificate and a fresh token",
    description:
      "The sandbox sends it to its own API, where it is a normal request: it is judged, counted by scenarios and the report, and kept in the journal. The route answers once the connection has ended. It refuses (409) a request that it cannot repeat: with a certificate whose key the sandbox does not have, or a body that the journal did not keep. A fault that acted is requested by `Sandbox-Replay`.",
    params: ofExchange,
    body: z.strictObject({
      replay: z
        .boolean("give true or false")
        .describe(
          "Whether a fault that acted is requested again; true when left out. Otherwise the scenario that is active now applies.",
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
    handle: ({ params, body, signal }, context) =>
      repeat(exchangeOf(params.id, context.journal).item, body.replay ?? true, context, signal),
  }),
];
