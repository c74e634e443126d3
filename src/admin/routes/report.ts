import { clientIdOf } from "../../sandbox/journal/claimed-clients.js";
import { clientOf } from "../client-errors.js";
import type { AdminContext } from "../context.js";
import { AdminError } from "../error.js";
import { reportQuery, reportSchema } from "../report-schema.js";
import { type Route, route } from "../route.js";

/** The exchanges of a client, or of all, that delivered an error code. */
function* codedExchanges({ requests }: AdminContext["journal"], client: string | undefined) {
  for (const { number, item } of requests.newestFirst()) {
    const isOfClient = client === undefined || clientIdOf(item) === client;
    if (isOfClient && item.code !== undefined && item.delivered === true) yield { id: number, code: item.code };
  }
}

export const reportRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/report",
    summary: "Whether a client is correct: the verdict of every check",
    description:
      "The sandbox judges a client by its requests and connections since the start, or since the last reset of the client or of the journal. The answer waits up to one second (two at a replica) for requests and connections that are about to end.",
    query: reportQuery,
    answer: { status: 200, description: "The report, with one drill named `run`.", schema: reportSchema },
    errors: ["INVALID_REQUEST", "UNKNOWN_CLIENT", "REPORT_OFF"],
    handle: ({ query: { client, expected, finished } }, context) => {
      const { exam, journal } = context;
      if (!exam)
        throw new AdminError("REPORT_OFF", "This sandbox does not judge clients: it was started with `report: off`.");
      if (client !== undefined) clientOf(client, context);
      return exam.report(client, {
        finished: finished === "true",
        expected: expected?.split(","),
        exchanges: () => codedExchanges(journal, client),
      });
    },
  }),
];
