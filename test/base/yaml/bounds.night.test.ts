import { it } from "vitest";
import { configurationLimits } from "../../../src/base/yaml/document.js";
import { expectLimits } from "./bounded.js";

// More of bounds.test.ts: texts of the permitted size.

it("characters and tokens of a configuration", () => expectLimits(configurationLimits));
