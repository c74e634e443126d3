import { it } from "vitest";
import { expectRecovery } from "./recovery.js";

/** `npm run calibrate:proof` tries hundreds. */
const [first, count] = (process.env["CALIBRATE_SEEDS"] ?? "100,6").split(",").map(Number) as [number, number];

// Six turns have every value of each assumption whose values can be counted.
it.each(Array.from({ length: count }, (_, index) => [first + index, index] as const))(
  "a sandbox with drawn assumptions is recovered: seed %i, turn %i",
  expectRecovery,
);
