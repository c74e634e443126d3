import { type AssumptionId, assumption, configurationKey } from "../sandbox/assumptions.js";
import type { Finding } from "./finding.js";
import type { ExchangeObservation } from "./observation.js";

/**
 * Notes a refusal by the sandbox itself as a failure. It is proven if the interface says that the request is wrong. A
 * request that only an assumption refuses may be good for the service: then it is a warning, which names the assumption.
 * @param what the sentence, without its full stop
 */
export function failRefused(finding: Finding, { id, refusal }: ExchangeObservation, what: string): void {
  const by = refusal?.assumption;
  if (by === undefined) finding.fail(`${what}.`, [id]);
  else finding.suspect(`${what}, by the assumption ${by}.`, [id]);
}

/** By which assumption the sandbox refuses requests that may be good, and how it is changed: a sentence. */
export function assumedRefusal(id: AssumptionId): string {
  const key = configurationKey(id);
  const change = key === null ? "nothing changes it" : `${key} in sandbox.yaml changes it`;
  return `The sandbox refused requests by its assumption ${id} (${assumption(id).point}), which the interface leaves open: ${change}.`;
}
