import type { ProbeRequest } from "./answer.js";
import type { Known } from "./known.js";
import type { Observation } from "./observation.js";

/** One request of the plan. What it is may depend on the answers before it. */
export interface Step {
  readonly id: string;
  /** What is sent, in words and without any value that is the client's own: for evidence. */
  readonly says: string;
  /** @returns the request; undefined where the answers before it have made it needless or impossible */
  readonly request: (known: Known) => ProbeRequest | undefined;
  /** Whether a broken connection may be the answer to it, and is no failure. */
  readonly mayBreak?: boolean;
}

/** How sure a setting is: an answer shows it, several answers together make it likely, or it is the best guess. */
export type Certainty = "certain" | "likely" | "guess";

/** What the answers say about one point. */
export interface Reading {
  /** The key in `sandbox.yaml`: `["assumptions", "http.not-found"]`. */
  readonly place: readonly string[];
  /** The value that makes the sandbox do the same; undefined where none does. */
  readonly value: unknown;
  /** The steps that show it. */
  readonly evidence: readonly Observation[];
  readonly certainty: Certainty;
  /** What the service does and the sandbox cannot be told to do, as sentences. */
  readonly remarks: readonly string[];
}

/** How an assumption is settled by probes, or why it cannot be. */
export type Calibration = Probe | { readonly unprobed: string };

export interface Probe {
  readonly steps: (known: Known) => readonly Step[];
  /** Nothing where the answers do not show it. */
  readonly read: (known: Known) => readonly Reading[];
}
