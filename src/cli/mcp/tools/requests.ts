import * as z from "zod";
import { requestPageQuery } from "../../../admin/journal-queries.js";
import { ofExchange } from "../../../admin/routes/requests.js";
import type { ExchangeDetail } from "../../../library/answers.js";
import { differences } from "../../../sandbox/journal/differences.js";
import { factsAnswer, textAnswer } from "../answer.js";
import type { Desk } from "../desk.js";
import { type Tool, tool } from "../tool.js";

const id = ofExchange.shape.id.describe("The id of a request, as list_requests has it.");

/** Tools for what reached the sandbox. */
export function requestTools({ sandbox, admin }: Desk): readonly Tool[] {
  return [
    tool({
      name: "list_requests",
      title: "Requests",
      description:
        "The requests that reached the sandbox, newest first, each with an explanation; and the newest handshakes that failed, with theirs. If a client's request is not here, its handshake failed. q is a query such as client:demo status:4xx -op:ping code:INVALID_CURSOR text.",
      arguments: requestPageQuery.extend({
        pageSize: z.int().min(1).max(1000).describe("1 to 1000; 20 when left out.").optional(),
      }),
      annotations: { readOnlyHint: true },
      call: async ({ pageSize = 20, ...query }) => {
        const [requests, handshakes] = await Promise.all([
          admin.call("GET /requests", { query: { ...query, pageSize: String(pageSize) } }),
          admin.call("GET /handshakes", { query: { pageSize: "5" } }),
        ]);
        return factsAnswer({
          requests: requests.items.map(({ id, time, client, method, target, status, code, fault, explanation }) => ({
            id,
            time,
            client,
            request: `${method} ${target}`,
            answer: status === 0 ? "none" : [status, code].filter((each) => each !== null).join(" "),
            ...(fault !== null && { fault }),
            explanation,
          })),
          nextCursor: requests.nextCursor,
          failedHandshakes: handshakes.items.map(({ time, explanation }) => ({ time, explanation })),
        });
      },
    }),
    tool({
      name: "explain_request",
      title: "Why was it answered like this?",
      description:
        "Everything about one request: the explanation, the checks that it passed and the one that refused it, certificate, token, headers and answer (secrets are redacted), and how to fix the error.",
      arguments: z.strictObject({ id }),
      annotations: { readOnlyHint: true },
      call: async ({ id: number }) => {
        const detail = await sandbox.request(number);
        const answer = factsAnswer(detail);
        if (detail.errorPage === null) return answer;
        const page = textAnswer(await admin.text(detail.errorPage));
        return { content: [...answer.content, ...page.content] };
      },
    }),
    tool({
      name: "compare_requests",
      title: "What differs from the last good one?",
      description:
        "What differs between a request and the nearest earlier one like it that succeeded, or another one that you name.",
      arguments: z.strictObject({
        id,
        with: id.describe("The other request; the last good one when left out.").optional(),
      }),
      annotations: { readOnlyHint: true },
      call: async ({ id: number, with: named }) => {
        const detail = await sandbox.request(number);
        const other = named ?? detail.lastGood;
        if (other === null)
          throw new Error(`There is no earlier request like ${number} that succeeded. Name one with "with".`);
        return factsAnswer(compared(detail, await sandbox.request(other)));
      },
    }),
  ];
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
