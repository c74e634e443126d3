import type { switches as shipped } from "../../../src/sandbox/node-tuning/switches.js";

/** Takes the place of `src/sandbox/node-tuning/switches.ts` in the project `untuned` (vitest.config.ts). */
export const switches: typeof shipped = {
  lightRequests: false,
  emptyBodies: false,
  groupedWrites: false,
  sharedHeaders: false,
};
