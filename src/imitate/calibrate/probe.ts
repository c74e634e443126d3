import type { AssumptionId } from "../../sandbox/assumptions.js";
import type { Observation, ProbeRequest } from "./answer.js";
import type { CallOptions, SeenAnswers, TokenFields } from "./seen-answers.js";

/** One request of the plan. It may depend on the answers before it. */
export interface Step {
  readonly id: string;
  /** A description of what is sent, without any value of the client: for evidence. */
  readonly says: string;
  /** @returns the request; undefined if the answers before it make it unnecessary or impossible */
  readonly request: (known: SeenAnswers) => ProbeRequest | undefined;
}

/** A step that calls a path in any case. */
export function callStep(id: string, says: string, path: string, options?: CallOptions): Step {
  return { id, says, request: (known) => known.call(path, options) };
}

/** A token request that differs from the good one. */
export function tokenStep(id: string, says: string, fields?: TokenFields, options?: CallOptions): Step {
  return { id, says, request: (known) => known.tokenCall(fields, options) };
}

/** A token or a cursor that differs in one character of its middle. */
export function altered(text: string): string {
  const place = Math.floor(text.length / 2);
  return `${text.slice(0, place)}${text[place] === "A" ? "B" : "A"}${text.slice(place + 1)}`;
}

/**
 * How sure a setting is. It is certain if several answers show it, and none of the run shows something else; likely if
 * one answer shows it, or several suggest it; or it is the best guess.
 */
export type Certainty = "certain" | "likely" | "guess";

/** What the answers say about one point. */
export interface Reading {
  /** The key in `sandbox.yaml`: `["assumptions", "http.not-found"]`. */
  readonly place: readonly string[];
  /** The value that makes the sandbox do the same; undefined if no value does. */
  readonly value: unknown;
  /** The steps that show it. */
  readonly evidence: readonly Observation[];
  readonly certainty: Certainty;
  /** What the service does and the sandbox cannot be configured to do, as sentences. */
  readonly remarks: readonly string[];
}

/** One reading. Several answers make it certain, unless it is said how sure it is. */
export function readingOf(
  place: readonly string[],
  value: unknown,
  evidence: readonly Observation[],
  remarks: readonly string[] = [],
  certainty: Certainty = evidence.length > 1 ? "certain" : "likely",
): Reading {
  return { place, value, evidence, certainty, remarks };
}

/** Whether the service ignores or refuses what one request has too much. */
export function readIgnored(known: SeenAnswers, place: readonly string[], step: string): readonly Reading[] {
  const isAccepted = known.accepted(step);
  if (isAccepted === undefined) return [];
  return [readingOf(place, isAccepted ? "ignore" : "refuse", known.observations(step))];
}

/** Those of the assumptions whose id begins with one of these words. An assumption without one has no probe. */
export type CalibrationsOf<Word extends string> = {
  readonly [Id in Extract<AssumptionId, `${Word}.${string}`>]?: Probe;
};

/** How an assumption is determined. */
export interface Probe {
  readonly steps: (known: SeenAnswers) => readonly Step[];
  /** Empty if the answers do not show it. */
  readonly read: (known: SeenAnswers) => readonly Reading[];
}
