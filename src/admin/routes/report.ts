import { AdminError } from "../error.js";
import { reportQuery, reportSchema } from "../report-schema.js";
import { type Route, route } from "../route.js";
import { clientOf } from "./clients.js";

export const reportRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/report",
    summary: "Whether a client is correct: the verdict of every check",
    description:
      "The sandbox judges a client by its requests and connections since the start, or since the last reset of the client or of the journal. The answer waits up to one second for requests and connections that are about to end.",
    query: reportQuery,
    answer: { status: 200, description: "The report, with one drill named `run`.", schema: reportSchema },
    errors: ["UNKNOWN_CLIENT", "REPORT_OFF"],
    handle: ({ query: { client } }, context) => {
      const { exam } = context;
      if (!exam)
        throw new AdminError("REPORT_OFF", "This sandbox does not judge clients: it was started with `report: off`.");
      if (client !== undefined) clientOf(client, context);
      return exam.report(client);
    },
  }),
];
