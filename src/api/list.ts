import { Refusal } from "../journal/refusal.js";
import { sealCursor } from "../lists/cursor.js";
import { type List, renderEnvelope } from "../lists/list.js";
import { takePage } from "../lists/page.js";
import { continuation, parseListQuery } from "../lists/query.js";
import { jsonAnswer } from "./answer.js";
import { bearerStep, scopeStep } from "./bearer.js";
import { correlationStep } from "./correlation.js";
import { undecodableName } from "./parameters.js";
import { PathTemplate } from "./path.js";
import type { Call, Operation, Step } from "./service.js";

/** A list endpoint: §7 and §8. Path, items and envelope are an assumption, `list.endpoints`. */
export function listOperation(list: List): Operation {
  return {
    name: "list",
    list: list.name,
    method: "GET",
    path: new PathTemplate(list.path),
    summary: `List ${list.name}`,
    steps: [bearerStep, scopeStep, correlationStep, parametersStep(list)],
    answer: (call) => answerPage(list, call),
  };
}

/** §7 VALIDATION_ERROR, INVALID_PAGE_SIZE, INVALID_CURSOR and CURSOR_FILTERS_CHANGED, §8 page size. */
function parametersStep(list: List): Step {
  return {
    name: "parameters",
    checks: "page size, dates and filters, cursor, in this order",
    run({ service, exchange, parameters, pathParameters }) {
      if (parameters.has(undecodableName)) {
        throw new Refusal(
          "VALIDATION_ERROR",
          { kind: "parameter", name: "(query)", reason: "the name of a parameter is not validly percent-encoded" },
          { message: "The query is not validly percent-encoded UTF-8." },
        );
      }
      const parsed = parseListQuery(list, {
        parameters,
        clientId: exchange.token?.clientId ?? "",
        pathParameters,
        now: exchange.now,
        cursorKeys: service.cursorKeys,
      });
      if (!parsed.ok) {
        const { problem } = parsed;
        throw new Refusal(problem.code, { kind: "list", problem }, { message: problem.message });
      }
      exchange.listQuery = parsed.query;
    },
  };
}

function answerPage(list: List, call: Call): Response {
  const { service, exchange } = call;
  const query = exchange.listQuery;
  if (!query) throw new Error("A page was to be made before its query was read.");
  const page = takePage(list, query);
  const cursor =
    page.next === undefined ? undefined : sealCursor(service.cursorKeys, continuation(query, page.next, exchange.now));
  return jsonAnswer(call, 200, renderEnvelope(list, page, cursor), "list.endpoints");
}
