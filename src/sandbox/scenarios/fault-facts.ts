import type { Fault } from "./definition.js";

interface FaultFacts {
  /** When it acts: on every request, as one of the checks, or on the answer after all checks have passed. */
  readonly acts: "always" | "among-checks" | "on-answer";
  /** What it makes the answer with. A rule has only one of these; the two limits count as one. */
  readonly makes?: "error" | "response" | "limit" | "token" | "page";
  /** Whether `alter` cannot change its answer, because it is not the real answer. */
  readonly isUnalterable?: true;
}

/** What the checks of a scenario must know about each fault. */
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

/** Whether any part of a fault acts at this point. */
export function acts(fault: Fault, where: FaultFacts["acts"]): boolean {
  return faultKinds.some((kind) => fault[kind] !== undefined && faultFacts[kind].acts === where);
}
