import type { Outcome, ProbeRequest } from "./answer.js";

/** A request that was sent, and what came of it. */
export interface Observation {
  /** Its step: the id, and in words what was sent. */
  readonly step: { readonly id: string; readonly says: string };
  readonly request: Pick<ProbeRequest, "method" | "path" | "headers" | "body">;
  readonly outcome: Outcome;
}

/** Everything that was seen, by the id of the step. */
export type Observations = ReadonlyMap<string, Observation>;
