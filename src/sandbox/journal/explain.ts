import { lowerFirst } from "../../base/text/letters.js";
import { nearest } from "../../base/text/nearest.js";
import { quote } from "../../base/text/printable.js";
import type { ConnectionEnd } from "../connection/connection-facts.js";
import type { UnprocessedReason } from "../connection/passage.js";
import { operations } from "../operations.js";
import { faultHandle } from "../scenarios/engine.js";
import type { Exchange } from "./exchange.js";
import {
  explainBinding,
  explainEnded,
  explainOtherHolder,
  explainUnregistered,
  explainUsage,
  explainValidity,
  noCertificate,
} from "./explain-certificate.js";
import { explainDefect } from "./explain-handshake.js";
import { dependsOnClock, explainListProblem } from "./explain-list.js";
import type { ExplanationContext } from "./explanation-context.js";
import { instant, paragraph, span } from "./format.js";
import { redactText } from "./redact.js";
import type { Cause } from "./refusal.js";

/** Says what happened and why, and how to fix it. The one source of console, admin API and dashboard. */
export function explain(exchange: Exchange, context: ExplanationContext): string {
  const { refusal } = exchange;
  return redactText(
    paragraph(
      explainDefect(exchange.connection),
      explainInjected(exchange),
      refusal ? explainCause(refusal.reason, exchange, context) : explainSuccess(exchange, context),
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
  "too-many-open": "too many requests were open in the sandbox. Its stream was refused: send it again.",
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
  if (!dependsOnTime(cause) || Math.abs(ahead) < noticeable) return "";
  const reset = client ? `DELETE /clients/${client.id}/clock (or DELETE /clock, for all)` : "DELETE /clock";
  return `The sandbox's clock${client ? ` for ${client.id}` : ""} is ${span(ahead)} ${ahead > 0 ? "ahead of" : "behind"} the machine's: ${reset} on the admin port returns it to real time.`;
}

function dependsOnTime(cause: Cause): boolean {
  if (cause.kind === "list") return dependsOnClock(cause.problem);
  return ["token-expired", "certificate-expired", "certificate-ended", "certificate-not-yet-valid"].includes(
    cause.kind,
  );
}

function explainCause(cause: Cause, exchange: Exchange, context: ExplanationContext): string {
  switch (cause.kind) {
    case "no-certificate":
      return noCertificate;
    case "certificate-unregistered":
      return explainUnregistered(exchange, context);
    case "certificate-of-another-client":
      return explainOtherHolder(cause, exchange, context);
    case "unknown-client":
      return `There is no client ${quote(cause.asked)}. The certificate of this connection belongs to ${exchange.client?.id}: send client_id=${exchange.client?.id}, or register the client (POST /clients on the admin port, or \`clients\` in sandbox.yaml).`;
    case "certificate-expired":
    case "certificate-not-yet-valid":
      return explainValidity(cause, exchange, context);
    case "certificate-ended":
      return explainEnded(cause, exchange, context);
    case "certificate-usage":
      return explainUsage(exchange, context);
    case "token-missing":
      return explainMissingToken(cause.reason, exchange, context);
    case "other-scheme":
      return "The Authorization header has another scheme than Bearer, which is judged like a bad token (`bearer.other-scheme`). Send `Authorization: Bearer TOKEN`.";
    case "token-repeated":
      return "The Authorization header was sent more than once. Send it once: often an interceptor and the request itself both set it.";
    case "token-in-url":
      return "The access token was sent as a query parameter. Send it in the Authorization header only; URLs end up in logs.";
    case "token-unusable":
      return `The access token is not one of this sandbox: ${lowerFirst(cause.reason)} Get a new one; tokens of a sandbox with another certs folder, or of one that had its certificates in memory and was restarted, are not valid here.`;
    case "token-expired":
      return `The access token was issued to ${cause.issuedTo} and expired at ${instant(cause.expiredAt)}; at the sandbox it is ${instant(cause.now)}, ${span(cause.now - cause.expiredAt)} later. Tokens live ${span(tokenLifetime(exchange))}: get a new one shortly before that, or on a 401.`;
    case "token-of-another-certificate":
      return explainBinding(cause, exchange, context);
    case "token-revoked":
      return `The access token, which was issued to ${cause.issuedTo}, was revoked by a scenario. Get a new token on a 401, and do not send the old one again.`;
    case "token-of-removed-client":
      return `The access token was issued to ${cause.issuedTo}, but its certificate now belongs to ${exchange.client?.id}. Get a new token.`;
    case "scope-too-small":
      return `The access token has the scope ${quote(cause.granted.join(" "))}; this needs ${quote(cause.needed)}. Ask for scope=${cause.needed}.`;
    case "scope-not-allowed":
      return `The scope ${quote(cause.asked)} is more than ${exchange.client?.id} may ask for, which is ${quote(cause.allowed.join(" "))}. Ask for less, or create the client with more: \`scopes\` in POST /clients on the admin port, or in \`clients\` of sandbox.yaml.`;
    case "grant-not-allowed":
      return `The client ${cause.client} is registered without the grant client_credentials (\`grantTypes\` in sandbox.yaml).`;
    case "correlation-id":
      return `The correlation ID was refused: ${cause.reason}. Send ${cause.format}, once${cause.required ? "" : ", or leave the header out"}.`;
    case "parameter":
      return paragraph(`The parameter ${cause.name} was refused: ${cause.reason}.`, parameterFix(cause, exchange));
    case "media-type":
      return `The body was sent as ${cause.sent === undefined ? "no (or more than one) content type" : quote(cause.sent)}. Send Content-Type: application/x-www-form-urlencoded, in UTF-8.`;
    case "content-coding":
      return `The body was sent with ${cause.sent === undefined ? "more than one Content-Encoding" : `Content-Encoding: ${quote(cause.sent)}`}. Send the form as it is.`;
    case "client-authentication":
      return `The client sent ${cause.method}. It is authenticated by its certificate alone: configure the OAuth library for tls_client_auth (or self_signed_tls_client_auth), or "none".`;
    case "list":
      return explainListProblem(cause.problem);
    case "no-such-path":
      return paragraph(
        `Nothing answers at this path. Paths are compared letter by letter; there are ${cause.known.join(", ")}.`,
        explainJoin(cause.known, exchange),
      );
    case "no-such-parent":
      return `No item of the list has ${cause.name} ${quote(cause.value.slice(0, 100))}.`;
    case "method":
      return `The path answers to ${cause.allowed.join(", ")} only, and ${exchange.method} was sent.`;
    case "body-too-large":
      return `The body is larger than ${cause.limit} bytes.`;
    case "protocol":
      return cause.reason;
    case "example":
      return "The request asked for the example error with produceError=true.";
    case "injected":
      return "Nothing was wrong with the request up to here.";
    case "unavailable":
      return `The sandbox shares its state with others, and could not be sure of it: ${cause.reason}`;
    case "unknown-scenario":
      return exchange.refusal?.message ?? "";
    case "internal":
      return `The sandbox failed; this is a bug in it: ${cause.error instanceof Error ? cause.error.message : String(cause.error)}`;
  }
}

function explainMissingToken(reason: string, { peer }: Exchange, { basePath }: ExplanationContext): string {
  const endpoint = `POST ${basePath}${operations.token.path}`;
  return paragraph(
    `No usable access token: ${reason}.`,
    peer.kind === "none"
      ? `There is no client certificate either: connect with one, such as clients/demo, get a token from ${endpoint} with it, and send \`Authorization: Bearer TOKEN\`.`
      : `Get one from ${endpoint} over this connection's certificate and send \`Authorization: Bearer TOKEN\`.`,
  );
}

/** A base URL and a path that were joined wrongly: a part of the path is missing, or occurs twice. */
function explainJoin(known: readonly string[], { target }: Exchange): string {
  const path = (target.split("?", 1)[0] ?? "").replaceAll(/\/+/g, "/");
  const end = /(?:\/[^/]+){2}$/.exec(path)?.[0] ?? path;
  const meant =
    path.length < 2
      ? undefined
      : (known.find((candidate) => candidate.endsWith(path) || path.endsWith(candidate)) ??
        known.find((candidate) => candidate.endsWith(end)));
  return meant === undefined ? "" : `Did you mean ${meant}? Look at how the client joins its base URL and the path.`;
}

function tokenLifetime({ token }: Exchange): number {
  return token ? token.expiresAt - token.issuedAt : 0;
}

/** What to send instead, if it is known. */
function parameterFix(
  { name, reason }: Extract<Cause, { kind: "parameter" }>,
  { client, operation }: Exchange,
): string {
  if (operation === "ping" && name === "produceError")
    return "Send produceError=true or produceError=false, once, or leave it out.";
  if (operation !== "token") return "";
  const expected: Readonly<Record<string, string | undefined>> = {
    grant_type: "grant_type=client_credentials",
    client_id: client && `client_id=${client.id}`,
    scope: client && `scope=${client.scopes.join(" ")}`,
  };
  const place = /in the URL/.test(reason) ? "in the body, not in the URL" : "once, in the body";
  return Object.hasOwn(expected, name) && expected[name] ? `Send ${expected[name]} ${place}.` : "";
}
