import type { AssumptionId } from "../../src/assumptions.js";

/**
 * The assumptions that have a probe, and that no sandbox is given at random: what a service does can be seen, and nothing in `sandbox.yaml`
 * imitates it. Those without a probe say why beside it (`unprobed`). docs/calibrate.md tells of both.
 */
export const unrecovered: Readonly<Partial<Record<AssumptionId, string>>> = {
  "checks.order": "the sandbox has one order",
  "http.rate-limit": "it is not provoked; it is taken over when it is met",
  "list.cursor": "what can be configured of it is the lifetime of cursors, which is hours",
  "list.page-size-change": "the sandbox has one behaviour",
  "list.filter-comparison": "the sandbox has one behaviour",
  "list.unknown-parent": "it acts on lists with items of the user's own, and an imitation has generated rows",
};
