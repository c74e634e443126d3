import { hasBody } from "../connection/wire-answer.js";
import type { FaultyCall } from "./faulty-call.js";
import { withHeaders } from "./headers.js";
import { codeIn } from "./injected-answer.js";
import { placeOf } from "./injection.js";
import { faultHeader } from "./own-headers.js";
import type { Call, Operation } from "./service.js";

/**
 * Lets faults change the real answer. An answer in which nothing changes stays as it is, and does not name the rule.
 */
export async function changeAnswer(
  operation: Operation,
  { exchange }: Pick<Call, "exchange">,
  response: Response,
  faulty: FaultyCall,
): Promise<Response> {
  // A client that was not accepted gets the usual refusal.
  if (exchange.stepsPassed < placeOf(operation)) return response;
  let { status } = response;
  let text = await response.text();
  for (const { fault, settings } of faulty.with("onAnswer")) {
    const changed = fault.onAnswer?.(settings, { status, body: text, rowsPath: operation.rowsPath });
    if (changed === undefined) continue;
    faulty.acts();
    faulty.isChunked ||= changed.chunked;
    status = changed.status;
    text = hasBody(status) ? changed.body : "";
    const { "Content-Length": _length, ...own } = withHeaders(exchange.answerHeaders ?? {}, changed.headers);
    exchange.answeredByScenario(
      status,
      withHeaders(own, { [faultHeader]: exchange.injected ?? null }),
      text,
      codeIn(text),
    );
  }
  return new Response(hasBody(status) ? text : null, { status, headers: { ...exchange.answerHeaders } });
}
