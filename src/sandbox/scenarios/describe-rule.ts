import { enumerated } from "../../base/text/enumerated.js";
import type { GivenCondition } from "./condition.js";
import { needs } from "./expectation.js";
import type { Expectation } from "./expectation-schema.js";
import { actsOnHandshake, operationsOf } from "./fault.js";
import type { Rule } from "./rule.js";
import { ordinal } from "./words.js";

/** What a rule does, in one sentence for people. */
export function describeRule(rule: Rule): string {
  const parts = [who(rule), beginningOf(rule), ...counting(rule)].filter((part) => part !== "");
  return `${parts.join(", ")}: ${rule.words}.`;
}

/** What a correct client does, in sentences for people. */
export function describeExpectation({ outcome, checks, exercises, needs: needed, requests }: Expectation): string {
  const ends = {
    succeeds: "The program of a correct client succeeds.",
    fails: "The program of a correct client fails, and says why.",
    any: "The program of a correct client may succeed or fail.",
  }[outcome];
  const bounds = Object.entries(requests).map(
    ([operation, { min, max } = {}]) =>
      `${operation} ${[min !== undefined && `at least ${min}`, max !== undefined && `at most ${max}`].filter(Boolean).join(" and ")}`,
  );
  return [
    ends,
    checks.length > 0 ? `It passes ${enumerated(checks, "and")}.` : "",
    exercises.length > 0 ? `The drill needs ${enumerated(exercises, "or")} to be exercised.` : "",
    needed.length > 0
      ? `The drill needs a program that sends ${enumerated(
          needed.map((need) => needs[need]),
          "and",
        )}.`
      : "",
    bounds.length > 0 ? `Requests that it sends: ${bounds.join("; ")}.` : "",
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

function who({ when, faults }: Rule): string {
  const usual = actsOnHandshake(faults) ? "every new connection" : enumerated(operationsOf(faults) ?? [], "or");
  return [subjectOf(when) ?? (usual || "every request"), ...wordsOf(when)].join(", ");
}

/** Which requests conditions are about; undefined for all. */
function subjectOf(given: readonly GivenCondition[]): string | undefined {
  return given.flatMap(({ condition, value }) => condition.subject?.(value) ?? []).at(-1);
}

function wordsOf(given: readonly GivenCondition[]): string[] {
  return given.flatMap(({ condition, value }) => condition.words?.(value) ?? []);
}

function beginningOf({ from }: Rule): string {
  return from ? ["from", subjectOf(from) ?? "the first request", ...wordsOf(from), "on"].join(" ") : "";
}

function counting({ skip, every, limit, probability, share }: Rule): string[] {
  return [
    skip > 0 ? `after the first ${skip}` : "",
    every > 1 ? `each ${ordinal(every)}` : "",
    limit === Number.POSITIVE_INFINITY ? "" : limit === 1 ? "once" : `${limit} times at most`,
    probability < 1 ? `with probability ${probability}` : "",
    share === "all" ? "counted for all clients together" : "",
  ];
}
