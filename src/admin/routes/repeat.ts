import * as z from "zod";
import { AdminError } from "../error.js";
import { repeat } from "../repeat.js";
import { type Route, route } from "../route.js";

export const repeatRoutes: readonly Route[] = [
  route({
    method: "POST",
    path: "/requests/{id}/repeat",
    summary: "Send a request again: over mutual TLS, with its client's certificate and a fresh token",
    description:
      "The sandbox sends it to its own API, where it is a request like any other: it is judged, counted by scenarios and the report, and kept in the journal. It answers once the connection has ended. It refuses (409) what it cannot repeat: a certificate whose key it does not have, a body that the journal did not keep. A fault that acted is asked for by `Sandbox-Replay`.",
    params: z.object({ id: z.string().regex(/^\d{1,15}$/, "give the id of an exchange") }),
    body: z.strictObject({
      replay: z
        .boolean("give true or false")
        .describe(
          "Whether a fault that acted is asked for again, as when this is left out. Otherwise its client meets what is active now.",
        )
        .optional(),
    }),
    answer: {
      status: 200,
      description: "What became of it.",
      schema: z.object({
        id: z.string().nullable().describe("The new exchange; null where no request arrived."),
        status: z.int().nullable().describe("0 where no answer was given."),
        fault: z.string().nullable().describe("The injected fault that it met, as Sandbox-Replay accepts it."),
        notes: z.array(z.string()).describe("In what it was not the same."),
      }),
    },
    errors: ["NOT_FOUND", "CANNOT_REPEAT"],
    readsJournal: true,
    handle: ({ params, body, signal }, context) => {
      const entry = context.journal.requests.get(Number(params.id));
      if (!entry) throw new AdminError("NOT_FOUND", `The exchange ${params.id} is not (or no longer) in the journal.`);
      return repeat(entry.item, body.replay ?? true, context, signal);
    },
  }),
];
