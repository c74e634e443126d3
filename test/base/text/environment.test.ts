import { expect, it } from "vitest";
import { readEnvironment } from "../../../src/base/text/environment.js";

it("a client.env is read with any quoting of its values", () => {
  const variables = readEnvironment(
    "# note\nSANDBOX_URL=https://localhost:1\nSANDBOX_A='it'\\''s'\nSANDBOX_B=\"x y\"\n",
  );
  expect([...variables]).toEqual([
    ["SANDBOX_URL", "https://localhost:1"],
    ["SANDBOX_A", "it's"],
    ["SANDBOX_B", "x y"],
  ]);
});
