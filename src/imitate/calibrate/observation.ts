import type { Outcome, ProbeRequest } from "./answer.js";

/** A request that was sent, and its result. */
export interface Observation {
  /** Its step: the id, and a description of what was sent. */
  readonly step: { readonly id: string; readonly says: string };
  readonly request: Pick<ProbeRequest, "method" | "path" | "headers" | "body" | "identity" | "withoutHost">;
  readonly outcome: Outcome;
}

/** Everything that was seen, by the id of the step. */
export type Observations = ReadonlyMap<string, Observation>;
