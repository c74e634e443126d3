import type { AssumptionId } from "../assumptions.js";
import { accessCalibrations } from "./access.js";
import { httpCalibrations } from "./http.js";
import { type CalibrationOptions, Known } from "./known.js";
import { listCalibrations } from "./list.js";
import type { Calibration, Reading, Step } from "./probe.js";
import { requestCalibrations } from "./request.js";
import { renewalStep, sessionSteps } from "./session.js";
import { tokenCalibrations } from "./token.js";

/** How each assumption is settled: by probes, or not at all, and why. Each group stands in a file of the name of its assumptions'. */
export const calibrations: Readonly<Record<AssumptionId, Calibration>> = {
  ...tokenCalibrations,
  ...accessCalibrations,
  ...requestCalibrations,
  ...listCalibrations,
  ...httpCalibrations,
};

/** What one assumption came to. */
export interface Outcome {
  readonly id: AssumptionId;
  readonly readings: readonly Reading[];
}

/**
 * All requests, in the order in which they are sent: the token, what needs no list, lists, and at the end those after which a service may
 * close the connection and those of other connections.
 */
export function planOf(options: CalibrationOptions): readonly Step[] {
  const known = new Known(options, new Map());
  const groups = [requestCalibrations, tokenCalibrations, accessCalibrations, listCalibrations, httpCalibrations];
  const steps = groups
    .flatMap((group): readonly Calibration[] => Object.values(group))
    .flatMap((calibration) => ("steps" in calibration ? calibration.steps(known) : []));
  const ofSession: readonly Step[] = [...sessionSteps, renewalStep];
  const later = steps.filter((step) => !ofSession.includes(step));
  const turn = ({ id }: Step) => (id.startsWith("none.") ? 2 : id.startsWith("other.") ? 1 : 0);
  // The order of the correlation ID's probes matters: the plain ping comes first, because it tells the name of the header.
  const first = later.filter(({ id }) => id === "ping.plain" || id === "ping.unknown-parameter");
  const rest = later.filter((step) => !first.includes(step)).sort((a, b) => turn(a) - turn(b));
  return [...sessionSteps, ...first, ...rest];
}

/** What all answers together say, assumption by assumption. */
export function readAll(known: Known): readonly Outcome[] {
  return (Object.keys(calibrations) as AssumptionId[]).map((id) => {
    const calibration = calibrations[id];
    return { id, readings: "read" in calibration ? calibration.read(known) : [] };
  });
}
