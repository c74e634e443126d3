import * as z from "zod";
import { differences } from "../../../admin/differences.js";
import { waitingPageQuery } from "../../../admin/journal-queries.js";
import { ofExchange } from "../../../admin/routes/requests.js";
import type { ExchangeDetail } from "../../../library/answers.js";
import { factsAnswer, textAnswer } from "../answer.js";
import type { Desk } from "../desk.js";
import { type Tool, tool } from "../tool.js";

const id = ofExchange.shape.id.describe("As list_requests has it.");

/** Tools for what reached the sandbox. */
export function requestTools({ sandbox, admin }: Desk): readonly Tool[] {
  return [
    tool({
      name: "list_requests",
      title: "Requests",
      description:
        "What reached the sandbox, newest first: requests and failed handshakes, each explained. If a request is missing, its handshake failed.",
      arguments: waitingPageQuery.extend({
        pageSize: z.int().min(1).max(1000).describe("1 to 1000. Default: 20.").optional(),
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
        "Why a request got its answer, and how to fix it: its checks, certificate, token, headers and answer.",
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
      description: "What differs between a request and the nearest earlier one like it that succeeded.",
      arguments: z.strictObject({
        id,
        with: id.describe("Default: the last good one.").optional(),
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
