import { jsonObject } from "../../base/text/json-object.js";
import type { AnswerHeaders } from "../connection/header-names.js";
import { hasBody } from "../connection/wire-answer.js";
import { headersOfResponse, withHeaders } from "./headers.js";
import { faultHeader } from "./own-headers.js";
import type { Call } from "./service.js";

/** An answer that a rule gives in full. It is thrown because it ends the steps, as a refusal does. */
export class InjectedAnswer extends Error {
  override readonly name = "InjectedAnswer";
  constructor(
    readonly status: number,
    readonly headers: AnswerHeaders,
    readonly body: string,
  ) {
    super("a scenario answers");
  }
}

/**
 * The injected answer as a response: what the rule says, and in addition only the correlation ID and the header that
 * names the fault. It may be compressed afterwards.
 */
export function injectedResponse({ service, exchange }: Call, { status, headers, body }: InjectedAnswer): Response {
  const own = { [service.assumptions.values["correlation.header"]]: exchange.correlationId };
  const given = withHeaders<AnswerHeaders[string]>(own, headers);
  const all =
    exchange.injected === undefined
      ? given
      : withHeaders<AnswerHeaders[string]>(given, { [faultHeader]: exchange.injected });
  const sent = hasBody(status) ? body : null;
  exchange.answeredByScenario(status, all, sent ?? "", codeIn(sent ?? ""));
  return new Response(sent, { status, headers: headersOfResponse(all) });
}

/** The error code in an answer that a rule gave or changed. */
export function codeIn(body: string): string | undefined {
  const { code } = jsonObject(body);
  return typeof code === "string" ? code : undefined;
}
