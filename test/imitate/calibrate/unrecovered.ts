import type { AssumptionId } from "../../../src/sandbox/assumptions.js";

/**
 * The assumptions that have a probe, but are not drawn at random: what a service does can be seen, but nothing in
 * `sandbox.yaml` imitates it. docs/calibrate.md describes them, and those without a probe.
 */
export const unrecovered: Readonly<Partial<Record<AssumptionId, string>>> = {
  "checks.order": "the sandbox has one order",
  "http.rate-limit": "it is not provoked; it is taken over when it is met",
  "list.cursor": "what can be configured of it is the lifetime of cursors, which is hours",
  "list.page-size-change": "the sandbox has one behaviour",
  "list.filter-comparison": "the sandbox has one behaviour",
  "list.unknown-parent": "it acts on lists with items of the user's own, and an imitation has generated rows",
};
