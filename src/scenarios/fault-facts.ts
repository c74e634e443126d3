import type { Fault } from "./definition.js";

interface FaultFacts {
  /** Where it acts: whatever the checks of a request find, among them, or on the answer to a client that they accepted. */
  readonly acts: "always" | "among-checks" | "on-answer";
  /** Of those that make the answer, a rule has only one; the two limits are one. */
  readonly makes?: "error" | "response" | "limit" | "token" | "page";
  /** Whether `alter` cannot change its answer, because it is not the real one. */
  readonly isUnalterable?: true;
}

/** What the checks of a scenario have to know of each fault. */
export const faultFacts: Readonly<Record<keyof Fault, FaultFacts>> = {
  delay: { acts: "always" },
  clock: { acts: "always" },
  error: { acts: "among-checks", makes: "error" },
  respond: { acts: "among-checks", makes: "response", isUnalterable: true },
  alter: { acts: "on-answer" },
  connection: { acts: "always" },
  stream: { acts: "always" },
  rateLimit: { acts: "among-checks", makes: "limit", isUnalterable: true },
  concurrency: { acts: "among-checks", makes: "limit", isUnalterable: true },
  token: { acts: "on-answer", makes: "token" },
  page: { acts: "on-answer", makes: "page" },
};

export const faultKinds = Object.keys(faultFacts) as (keyof Fault)[];

/** Whether a part of a fault acts there. */
export function acts(fault: Fault, where: FaultFacts["acts"]): boolean {
  return faultKinds.some((kind) => fault[kind] !== undefined && faultFacts[kind].acts === where);
}
