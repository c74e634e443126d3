import { quote } from "../../../base/text/printable.js";
import type { ListProblem } from "../../lists/problems.js";
import { paragraph } from "../format.js";
import type { CauseKind, RefusedRequest } from "./cause-kind.js";
import { dependsOnClock, explainListProblem } from "./list-problem.js";

/** The causes that are in a request itself, and those for which it is not responsible. */
export const requestCauses = {
  "correlation-id": {
    explain: ({ reason, format, required }: WrongCorrelationId) =>
      `The correlation ID was refused: ${reason}. Send ${format}, once${required ? "" : ", or leave the header out"}.`,
  },
  parameter: {
    explain: (facts: WrongParameter, request) =>
      paragraph(`The parameter ${facts.name} was refused: ${facts.reason}.`, parameterFix(facts, request)),
  },
  "media-type": {
    explain: ({ sent }: { sent: string | undefined }) =>
      `The body was sent as ${sent === undefined ? "no (or more than one) content type" : quote(sent)}. Send Content-Type: application/x-www-form-urlencoded, in UTF-8.`,
  },
  "content-coding": {
    explain: ({ sent }: { sent: string | undefined }) =>
      `The body was sent with ${sent === undefined ? "more than one Content-Encoding" : `Content-Encoding: ${quote(sent)}`}. Send the form as it is.`,
  },
  list: {
    explain: ({ problem }: { problem: ListProblem }) => explainListProblem(problem),
    dependsOnTime: ({ problem }: { problem: ListProblem }) => dependsOnClock(problem),
  },
  "no-such-path": {
    explain: ({ known }: { known: readonly string[] }, request) =>
      paragraph(
        `Nothing answers at this path. Paths are compared letter by letter; there are ${known.join(", ")}.`,
        explainJoin(known, request),
      ),
  },
  "no-such-parent": {
    explain: ({ name, value }: { name: string; value: string }) =>
      `No item of the list has ${name} ${quote(value.slice(0, 100))}.`,
  },
  method: {
    explain: ({ allowed }: { allowed: readonly string[] }, { method }) =>
      `The path answers to ${allowed.join(", ")} only, and ${method} was sent.`,
  },
  "body-too-large": {
    explain: ({ limit }: { limit: number }) => `The body is larger than ${limit} bytes.`,
  },
  protocol: {
    explain: ({ reason }: { reason: string }) => reason,
    isUnchecked: true,
  },
  example: {
    explain: () => "The request asked for the example error with produceError=true.",
  },
  injected: {
    explain: () => "Nothing was wrong with the request up to here.",
    isUnchecked: true,
  },
  "unknown-scenario": {
    explain: ({ message }: { message: string }) => message,
  },
  unavailable: {
    explain: ({ reason }: { reason: string }) =>
      `The sandbox shares its state with others, and could not be sure of it: ${reason}`,
  },
  internal: {
    explain: ({ error }: { error: unknown }) =>
      `The sandbox failed; this is a bug in it: ${error instanceof Error ? error.message : String(error)}`,
    isUnchecked: true,
  },
} as const satisfies Record<string, CauseKind>;

type WrongCorrelationId = {
  readonly reason: string;
  /** What to send, such as "a UUID". */
  readonly format: string;
  readonly required: boolean;
};

type WrongParameter = {
  readonly name: string;
  readonly reason: string;
};

/** A base URL and a path that were joined wrongly: a part of the path is missing, or occurs twice. */
function explainJoin(known: readonly string[], { target }: RefusedRequest): string {
  const path = (target.split("?", 1)[0] ?? "").replaceAll(/\/+/g, "/");
  const end = /(?:\/[^/]+){2}$/.exec(path)?.[0] ?? path;
  const meant =
    path.length < 2
      ? undefined
      : (known.find((candidate) => candidate.endsWith(path) || path.endsWith(candidate)) ??
        known.find((candidate) => candidate.endsWith(end)));
  return meant === undefined ? "" : `Did you mean ${meant}? Look at how the client joins its base URL and the path.`;
}

/** What to send instead, if it is known. */
function parameterFix({ name, reason }: WrongParameter, { client, operation }: RefusedRequest): string {
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
