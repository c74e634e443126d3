import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import * as z from "zod";
import type { ExchangeDetail } from "../../../library/answers.js";
import { differences } from "../../../sandbox/journal/differences.js";
import { factsAnswer, textAnswer } from "../answer.js";
import type { Desk } from "../desk.js";

const id = z.string().describe("The number of a request, as list_requests has it");

/** Tools for what reached the sandbox. */
export function registerRequestTools(server: McpServer, { sandbox, admin }: Desk): void {
  server.registerTool(
    "list_requests",
    {
      title: "Requests",
      description:
        "The requests that reached the sandbox, newest first, each with an explanation; and the newest handshakes that failed, with theirs. If a client's request is not here, its handshake failed.",
      inputSchema: {
        q: z
          .string()
          .optional()
          .describe("A query such as client:demo status:4xx -op:ping code:INVALID_CURSOR text; all when left out"),
        limit: z.number().int().min(1).max(200).optional().describe("20 when left out"),
      },
      annotations: { readOnlyHint: true },
    },
    async ({ q, limit = 20 }) => {
      const [requests, handshakes] = await Promise.all([sandbox.requests({ q, limit }), sandbox.handshakes()]);
      return factsAnswer({
        requests: requests.map(({ id, time, client, method, target, status, code, fault, explanation }) => ({
          id,
          time,
          client,
          request: `${method} ${target}`,
          answer: status === 0 ? "none" : [status, code].filter((each) => each !== null).join(" "),
          ...(fault !== null && { fault }),
          explanation,
        })),
        failedHandshakes: handshakes.slice(0, 5).map(({ time, explanation }) => ({ time, explanation })),
      });
    },
  );

  server.registerTool(
    "explain_request",
    {
      title: "Why was it answered like this?",
      description:
        "Everything about one request: the explanation, the checks that it passed and the one that refused it, certificate, token, headers and answer (secrets are redacted), and how to fix the error.",
      inputSchema: { id },
      annotations: { readOnlyHint: true },
    },
    async ({ id: number }) => {
      const detail = await sandbox.request(number);
      const answer = factsAnswer(detail);
      if (detail.errorPage === null) return answer;
      const page = textAnswer(await admin.text(detail.errorPage));
      return { content: [...answer.content, ...page.content] };
    },
  );

  server.registerTool(
    "compare_requests",
    {
      title: "What differs from the last good one?",
      description:
        "What differs between a request and the nearest earlier one like it that succeeded, or another one that you name.",
      inputSchema: { id, with: id.optional().describe("The other request; the last good one when left out") },
      annotations: { readOnlyHint: true },
    },
    async ({ id: number, with: named }) => {
      const detail = await sandbox.request(number);
      const other = named ?? detail.lastGood;
      if (other === null)
        throw new Error(`There is no earlier request like ${number} that succeeded. Name one with "with".`);
      return factsAnswer(compared(detail, await sandbox.request(other)));
    },
  );
}

function compared(one: ExchangeDetail, other: ExchangeDetail) {
  const groups = differences(one, other);
  const rowsOf = (rows: (typeof groups)[number]["rows"]) =>
    Object.fromEntries(
      rows.map(({ name, left = null, right = null }) => [name, { [one.id]: left, [other.id]: right }]),
    );
  return {
    compared: { [one.id]: one.explanation, [other.id]: other.explanation },
    differences: Object.fromEntries(groups.map(({ title, rows }) => [title, rowsOf(rows)])),
  };
}
