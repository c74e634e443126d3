import { it } from "vitest";
import { expectRecovery } from "./recovery.js";

it.each([1])("a sandbox with drawn assumptions is recovered: seed %i", expectRecovery);
