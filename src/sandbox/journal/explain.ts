import { nearest } from "../../base/text/nearest.js";
import { quote } from "../../base/text/printable.js";
import type { ConnectionEnd } from "../connection/connection-facts.js";
import type { UnprocessedReason } from "../connection/passage.js";
import { faultHandle } from "../scenarios/engine.js";
import { type Cause, kindOf } from "./causes.js";
import type { Exchange } from "./exchange.js";
import { explainDefect } from "./explain-handshake.js";
import type { ExplanationContext } from "./explanation-context.js";
import { paragraph, span } from "./format.js";
import { redactText } from "./redact.js";

/** Says what happened and why, and how to fix it. The one source of console, admin API and dashboard. */
export function explain(exchange: Exchange, context: ExplanationContext): string {
  const { refusal } = exchange;
  return redactText(
    paragraph(
      explainDefect(exchange.connection),
      explainInjected(exchange),
      refusal ? kindOf(refusal.reason).explain(refusal.reason, exchange, context) : explainSuccess(exchange, context),
      refusal ? clockHint(refusal.reason, exchange) : "",
      explainUnknown(exchange),
      explainFault(exchange),
      explainUndelivered(exchange),
    ),
  );
}

function explainSuccess(exchange: Exchange, { explainAnswer }: ExplanationContext): string {
  const { status, steps, stepsPassed, unprocessed } = exchange;
  if (unprocessed !== undefined)
    return `No answer was given: the request was not processed, because ${unprocessedReasons[unprocessed]}`;
  if (status === 0) return "No answer was given.";
  // If a step gave it, a rule answered instead of the operation.
  if (status < 200 || status > 299 || stepsPassed < steps.length) return "";
  return explainAnswer(exchange);
}

const unprocessedReasons: Readonly<Record<UnprocessedReason, string>> = {
  "connection-ended": "its connection ended before its turn. Send it again on another connection.",
  "stream-reset": "its stream was reset before that.",
};

const endings: Readonly<Record<ConnectionEnd | "unknown", string>> = {
  "client-closed": "The client closed the connection",
  "client-reset": "The client reset the connection",
  "server-closed": "The sandbox closed the connection",
  "server-reset": "The sandbox reset the connection",
  unknown: "The connection was closed",
};

/** Why a part of the answer was not sent, if the rule of a scenario did not cause it. */
function explainUndelivered({ delivered, status, stream, connection, isCut }: Exchange): string {
  if (delivered !== false || status === 0 || isCut) return "";
  if (connection?.httpVersion !== "HTTP/2")
    return `${endings[connection?.end ?? "unknown"]} before the whole answer was sent.`;
  // Without a stream, the cause explains the end of the connection. Otherwise a fault of another stream may have broken
  // it.
  return stream === undefined
    ? ""
    : "The stream was reset, or its connection was closed, before the whole answer was sent.";
}

/** Parameters that have no effect, and similar names. */
function explainUnknown({ unknownParameters, steps }: Exchange): string {
  if (unknownParameters.length === 0) return "";
  const known = steps.flatMap(({ parameters }) => parameters ?? []);
  const hints = unknownParameters.map((name) => {
    const [near] = nearest(name, known);
    return near === undefined ? quote(name) : `${quote(name)} (did you mean ${quote(near)}?)`;
  });
  return `There is no query parameter ${hints.join(", ")}.`;
}

/** What a scenario did. It comes before everything about the request itself. */
function explainInjected({ fault, injected, status, bodyLength }: Exchange): string {
  if (!fault || injected === undefined) return "";
  const { scenario, rule } = fault.key;
  const isWithoutBody = fault.rule.needsBody && status > 0 && bodyLength === 0;
  return paragraph(
    `The rule ${rule} of the scenario ${scenario} acted: ${fault.rule.words}.`,
    isWithoutBody ? "The answer has no body, so there was nothing to cut or divide." : "",
  );
}

function explainFault({ fault, injected }: Exchange): string {
  if (!fault) return "";
  if (injected === undefined) return `The rule ${faultHandle(fault.key)} matched, but did not act.`;
  return `To repeat the fault, send the header Sandbox-Replay: ${injected}.`;
}

/**
 * Clocks that differ by less than this, in milliseconds, count as equal: reading them takes time, and delays round up.
 */
const noticeable = 2000;

/** Says that the sandbox's clock was moved, if that may be the reason. */
function clockHint(cause: Cause, { now, receivedAt, client }: Exchange): string {
  const ahead = now - receivedAt;
  if (!kindOf(cause).dependsOnTime?.(cause) || Math.abs(ahead) < noticeable) return "";
  const reset = client ? `DELETE /clients/${client.id}/clock (or DELETE /clock, for all)` : "DELETE /clock";
  return `The sandbox's clock${client ? ` for ${client.id}` : ""} is ${span(ahead)} ${ahead > 0 ? "ahead of" : "behind"} the machine's: ${reset} on the admin port returns it to real time.`;
}
