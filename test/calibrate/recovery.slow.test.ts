import { it } from "vitest";
import { expectRecovery } from "./recovery.js";

const seeds = Array.from({ length: 36 }, (_, index) => index + 100);

it.each(seeds)("a sandbox with drawn assumptions is recovered: seed %i", expectRecovery);
