import { reportQuery, reportSchema } from "../report-schema.js";
import { AdminError, type Route, route } from "../route.js";
import { clientOf } from "./clients.js";

export const reportRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/report",
    group: "journal",
    summary: "Whether a client is right: the verdict of every check",
    description:
      "The sandbox judges a client by its requests and connections since the start, or since the last reset of the client or of the journal. The answer waits up to a second for requests and connections that are on their way to their end.",
    query: reportQuery,
    answer: { status: 200, description: "The report, with one drill named `run`.", schema: reportSchema },
    errors: ["UNKNOWN_CLIENT", "REPORT_OFF"],
    handle: async ({ query: { client } }, context) => {
      const { exam } = context;
      if (!exam)
        throw new AdminError(409, "REPORT_OFF", "This sandbox judges nobody: it was started with `report: off`.");
      if (client !== undefined) clientOf(client, context);
      return { status: 200, json: await exam.report(client) };
    },
  }),
];
