import * as z from "zod";
import { reportAnswerSchema } from "../../report/report-schema.js";
import { clientIdOf } from "../../sandbox/journal/claimed-clients.js";
import { clientOf } from "../client-errors.js";
import { clientId, expectedCode, expectedCodes, mostExpected } from "../common-schemas.js";
import type { AdminContext } from "../context.js";
import { AdminError } from "../error.js";
import { failuresOf } from "../failures.js";
import { route } from "../route.js";

const finished = "Whether the client has finished without an error: then its walks have to be complete.";

const reportQuery = z.strictObject({
  client: clientId.describe("Default: all.").optional(),
  expected: z
    .string()
    .regex(new RegExp(`^${expectedCode}(,${expectedCode}){0,${mostExpected - 1}}$`))
    .describe("Codes, separated by commas: checks that failed only for these errors do not count.")
    .optional(),
  finished: z.enum(["true", "false"]).describe(finished).optional(),
});

/** The exchanges of a client, or of all, that delivered an error code. */
function* codedExchanges({ requests }: AdminContext["journal"], client: string | undefined) {
  for (const { number, item } of requests.newestFirst()) {
    const isOfClient = client === undefined || clientIdOf(item) === client;
    if (isOfClient && item.code !== undefined && item.delivered === true) yield { id: number, code: item.code };
  }
}

export const reportRoutes = [
  route({
    method: "GET",
    path: "/report",
    summary: "Whether a client is correct: the verdict of every check",
    description:
      "It covers requests and connections since the start, or the last reset of the client or the journal. It waits up to one second for those that are about to end. Of several sandboxes that share their state, each reports what reached it, and says with `replicas` how many they are.",
    query: reportQuery,
    answer: { status: 200, description: "The report, with one drill named `run`.", schema: reportAnswerSchema },
    errors: ["INVALID_REQUEST", "UNKNOWN_CLIENT", "REPORT_OFF"],
    tool: {
      name: "report",
      title: "Is the client correct?",
      description:
        "Judges a client: what failed, what to change, and the requests that show it; the names of checks that passed or were not exercised.",
      arguments: z.strictObject({
        client: reportQuery.shape.client,
        expected: expectedCodes.optional(),
        finished: z.boolean().describe(finished).optional(),
      }),
      shows: (report) => {
        const checks = report.drills.flatMap((drill) => drill.checks);
        const named = (wanted: string) => checks.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);
        const { summary, replicas } = report;
        return {
          failed: failuresOf(report),
          passed: named("pass"),
          notExercised: named("not-exercised"),
          summary,
          replicas,
        };
      },
    },
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
