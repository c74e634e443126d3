import type { switches as shipped } from "../../src/node-tuning/switches.js";

/** Takes the place of `src/node-tuning/switches.ts` in the project `untuned` (vitest.config.ts). */
export const switches: typeof shipped = {
  lightRequests: false,
  emptyBodies: false,
  groupedWrites: false,
  sharedHeaders: false,
};
