import { type AssumptionId, assumptionIds } from "../../sandbox/assumptions.js";
import { accessCalibrations } from "./access.js";
import type { ProbeRequest } from "./answer.js";
import { httpCalibrations } from "./http.js";
import { listCalibrations } from "./list.js";
import { typicalSteps } from "./list-facts.js";
import type { Probe, Reading, Step } from "./probe.js";
import { requestCalibrations } from "./request.js";
import { type CalibrationOptions, SeenAnswers } from "./seen-answers.js";
import { renewalStep, sessionSteps } from "./session.js";
import { tokenCalibrations } from "./token.js";

/**
 * How assumptions are determined. Each group is in a file with the name of its assumptions. They are in the order of
 * their requests: lists come last, because their number is not known and the number of requests is limited.
 * @internal tests compare the assumptions that have a probe with those that are recovered
 */
export const calibrations: { readonly [Id in AssumptionId]?: Probe } = {
  ...requestCalibrations,
  ...tokenCalibrations,
  ...accessCalibrations,
  ...httpCalibrations,
  ...listCalibrations,
};

/** The result for one assumption. */
export interface PointReadings {
  readonly id: AssumptionId;
  readonly readings: readonly Reading[];
}

/**
 * All requests, in the order in which they are sent: the token, requests over the client's own connection, with another
 * certificate, without one, and lists.
 */
export function planOf(options: CalibrationOptions): readonly Step[] {
  const known = new SeenAnswers(options, new Map());
  const steps = Object.values(calibrations).flatMap((probe) => probe.steps(known));
  const turns: readonly ((step: Step) => boolean)[] = [
    // The plain ping shows the name of the correlation ID's header; the other one shows how unknown parameters are
    // treated.
    ({ id }) => id === "ping.plain" || id === "ping.unknown-parameter",
    ({ id }) => !/^(other|none)\./.test(id),
    ({ id }) => id.startsWith("other."),
    ({ id }) => id.startsWith("none."),
  ];
  const turnOf = (step: Step) => turns.findIndex((belongsTo) => belongsTo(step));
  const later = steps.filter((step) => step !== renewalStep && !sessionSteps.includes(step));
  return [...sessionSteps, ...later.toSorted((one, other) => turnOf(one) - turnOf(other))];
}

/** What all answers together say about each assumption. */
export function readAll(known: SeenAnswers): readonly PointReadings[] {
  return assumptionIds.map((id) => ({ id, readings: calibrations[id]?.read(known) ?? [] }));
}

/**
 * The requests of a plan as they would be sent, in their order, and those about lists that keep the interface. Which of
 * them are sent depends on answers. A value that only an answer has is a word in capitals.
 */
export function planText(plan: readonly Step[], options: CalibrationOptions, basePath: string): string {
  const known = new SeenAnswers(options, new Map(), true);
  const steps = [...plan, ...options.lists.flatMap((list) => typicalSteps(known, list))];
  const requests = steps.flatMap(({ says, request: make }) => {
    const request = make(known);
    return request ? [{ says, request }] : [];
  });
  return requests.map(({ says, request }, index) => requestText(index + 1, says, request, basePath)).join("");
}

function requestText(number: number, says: string, request: ProbeRequest, basePath: string): string {
  const { method, path, headers, body, identity } = request;
  const who =
    identity === "client" ? "" : identity === "other" ? ", with the other certificate" : ", without a certificate";
  const lines = [
    `${number}. ${says}${who}`,
    `   ${method} ${decoded(basePath + path)}`,
    ...Object.entries(headers).map(([name, value]) => `   ${name}: ${value}`),
    ...(body === undefined ? [] : [`   ${body}`]),
  ];
  return `${lines.join("\n")}\n`;
}

function decoded(path: string): string {
  return path.replaceAll(/%3A/gi, ":");
}
