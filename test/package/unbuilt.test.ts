import { spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { workFolder } from "../cli/command.js";
import { root } from "../documentation/markdown.js";

it("the command of a clone that is not built says what to type", () => {
  const folder = workFolder();
  cpSync(join(root, "bin"), join(folder, "bin"), { recursive: true });
  const { status, stderr } = spawnSync(process.execPath, [join(folder, "bin", "payments-sandbox.mjs"), "--help"], {
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([1, expect.stringMatching(/is not built: type npm run build there\.\n$/)]);
});
