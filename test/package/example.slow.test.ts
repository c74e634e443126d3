import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { patience } from "../support/patience.js";
import { project, root, runNode } from "./project.js";

describe("the example for Vitest", () => {
  it("runs 100 tests in parallel on one sandbox, with the packed package", async () => {
    const source = join(root, "examples/vitest");
    const files = Object.fromEntries(
      readdirSync(source).map((name) => [name, readFileSync(join(source, name), "utf8")]),
    );
    const vitest = join(root, "node_modules/vitest");
    const folder = project(files, { vitest });
    const { code, stdout, stderr } = await runNode(folder, [
      join(vitest, "vitest.mjs"),
      "run",
      `--testTimeout=${patience}`,
      `--hookTimeout=${patience}`,
    ]);
    expect(`${stdout}${stderr}`).toMatch(/Tests +100 passed \(100\)/);
    expect(code).toBe(0);
  });
});
