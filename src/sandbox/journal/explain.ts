import { second } from "../../base/text/duration.js";
import { upperFirst } from "../../base/text/letters.js";
import { nearest } from "../../base/text/nearest.js";
import { thousands } from "../../base/text/numbers.js";
import { quote } from "../../base/text/printable.js";
import type { UnprocessedReason } from "../connection/passage.js";
import { faultHandle } from "../scenarios/fault-handle.js";
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
      explainUndelivered(exchange),
      refusal ? kindOf(refusal.reason).explain(refusal.reason, exchange, context) : explainSuccess(exchange, context),
      refusal ? clockHint(refusal.reason, exchange) : "",
      explainUnknown(exchange),
      explainFault(exchange),
    ),
  );
}

function explainSuccess(exchange: Exchange, { explainAnswer }: ExplanationContext): string {
  const { status, steps, stepsPassed, unprocessed, delivered } = exchange;
  if (unprocessed !== undefined)
    return `No answer was given: the request was not processed, because ${unprocessedReasons[unprocessed]}`;
  if (status === 0) return "No answer was given.";
  // It was made, and has not arrived.
  if (delivered === false) return "";
  // If a step gave it, a rule answered instead of the operation.
  if (status < 200 || status > 299 || stepsPassed < steps.length) return "";
  return explainAnswer(exchange);
}

const unprocessedReasons: Readonly<Record<UnprocessedReason, string>> = {
  "connection-ended": "its connection ended before its turn. Send it again on another connection.",
  "stream-reset": "its stream was reset before that.",
};

/**
 * What became of an answer that was not passed to the network as a whole: how much of it was, who ended it, and how. The
 * cause explains why a request was not processed.
 */
function explainUndelivered(exchange: Exchange): string {
  const { delivered, unprocessed, endedBy, duration, stream, connection } = exchange;
  if (delivered !== false || unprocessed !== undefined) return "";
  const at = duration < second ? `${Math.max(1, Math.round(duration))} ms` : `${(duration / second).toFixed(1)} s`;
  const part = partSent(exchange);
  switch (endedBy) {
    case "client":
      return `The client gave up after ${at}: it ${endOf(exchange, "did")}${part && `, when ${part}`}.`;
    case "scenario": {
      const before =
        connection?.end === "client-closed" ? " The client had ended its side of the connection before." : "";
      return part && `${upperFirst(part)}, then ${endOf(exchange, "was")}, by the scenario.${before}`;
    }
    case "time-limit":
      return `A time limit of the sandbox ended the ${stream === undefined ? "connection" : "stream"}${part && `, when ${part}`}.`;
    case "sandbox":
      return `The sandbox ended the ${connection?.end === undefined ? "stream" : "connection"}${part && `, when ${part}`}.`;
    default:
      return `${stream === undefined ? "The connection was closed" : "The stream was reset, or its connection was closed"}${part && `, when ${part}`}.`;
  }
}

/** How much of an answer was sent; empty without an answer. */
function partSent({ status, sent, bodyLength }: Exchange): string {
  if (status === 0) return "";
  if (sent === undefined) return "it is not known how much of the answer was sent";
  if (bodyLength === 0) return "the answer was not sent";
  return `${thousands(sent)} of ${thousands(bodyLength)} bytes of the body were sent`;
}

/** How one side ended the stream or the connection: as what it did, or as what came. */
function endOf({ reset, connection }: Exchange, form: "did" | "was"): string {
  if (reset !== undefined)
    return form === "did" ? `reset the stream with ${reset}` : `a reset of the stream with ${reset}`;
  const isReset = connection?.end?.endsWith("-reset") === true;
  if (form === "did")
    return isReset
      ? "reset the connection"
      : connection?.end === undefined
        ? "reset the stream"
        : "closed the connection";
  return isReset ? "a reset of the connection" : "the end of the connection";
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

function explainFault({ fault, injected, refusal, status }: Exchange): string {
  if (!fault) return "";
  const reason = refusal === undefined && status !== 0 && fault.rule.idle !== undefined ? `: ${fault.rule.idle}` : "";
  if (injected === undefined) return `The rule ${faultHandle(fault.key)} matched, but did not act${reason}.`;
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
  const reset = client
    ? `DELETE /clients/${client.id}/clock on the admin port returns it to the sandbox's time, DELETE /clock returns that to real time`
    : "DELETE /clock on the admin port returns it to real time";
  return `The sandbox's clock${client ? ` for ${client.id}` : ""} is ${span(ahead)} ${ahead > 0 ? "ahead of" : "behind"} the machine's: ${reset}.`;
}
