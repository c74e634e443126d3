import { type AssumptionId, assumptionIds } from "../assumptions.js";
import { accessCalibrations } from "./access.js";
import { httpCalibrations } from "./http.js";
import { type CalibrationOptions, Known } from "./known.js";
import { listCalibrations } from "./list.js";
import type { Calibration, Reading, Step } from "./probe.js";
import { requestCalibrations } from "./request.js";
import { renewalStep, sessionSteps } from "./session.js";
import { tokenCalibrations } from "./token.js";

/**
 * How each assumption is settled: by probes, or not at all, and why. Each group stands in a file of the name of its assumptions'. They are in
 * the order in which they are asked: lists come last, because their number is not known and that of requests is limited.
 */
export const calibrations: Readonly<Record<AssumptionId, Calibration>> = {
  ...requestCalibrations,
  ...tokenCalibrations,
  ...accessCalibrations,
  ...httpCalibrations,
  ...listCalibrations,
};

/** What one assumption came to. */
export interface Outcome {
  readonly id: AssumptionId;
  readonly readings: readonly Reading[];
}

/**
 * All requests, in the order in which they are sent: the token, what is asked over the client's own connection, with another certificate
 * and without one, and lists.
 */
export function planOf(options: CalibrationOptions): readonly Step[] {
  const known = new Known(options, new Map());
  const steps = Object.values(calibrations).flatMap((each) => ("steps" in each ? each.steps(known) : []));
  const ofSession: readonly Step[] = [...sessionSteps, renewalStep];
  const turns: readonly ((step: Step) => boolean)[] = [
    // The plain ping tells the name of the correlation ID's header, and the other how unknown parameters are treated.
    ({ id }) => id === "ping.plain" || id === "ping.unknown-parameter",
    ({ id }) => !/^(other|none|list)\./.test(id),
    ({ id }) => id.startsWith("other."),
    ({ id }) => id.startsWith("none."),
    () => true,
  ];
  const turnOf = (step: Step) => turns.findIndex((isIts) => isIts(step));
  const later = steps.filter((step) => !ofSession.includes(step));
  return [...sessionSteps, ...later.toSorted((one, other) => turnOf(one) - turnOf(other))];
}

/** What all answers together say, assumption by assumption. */
export function readAll(known: Known): readonly Outcome[] {
  return assumptionIds.map((id) => {
    const calibration = calibrations[id];
    return { id, readings: "read" in calibration ? calibration.read(known) : [] };
  });
}
