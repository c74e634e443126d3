import type { AssumptionId } from "../../../src/sandbox/assumptions.js";

/**
 * The assumptions that have a probe, but are not drawn at random: what a service does can be seen, but nothing in
 * `sandbox.yaml` imitates it. docs/reference/calibrate.md describes them, and those without a probe.
 */
export const unrecovered: Readonly<Partial<Record<AssumptionId, string>>> = {
  "token.json-body": "it is only named where forms are refused",
  "http.rate-limit": "it is not provoked; it is taken over when it is met",
  "list.unknown-parent": "it acts on lists with items of the user's own, and an imitation has generated rows",
};
