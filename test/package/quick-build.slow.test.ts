import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { workFolder } from "../cli/command.js";
import { root, runNode } from "./project.js";

it("the declarations stay during a quick build, which removes everything else that an earlier build has made", async () => {
  const dist = workFolder({ "chunk-of-an-earlier-build.js": "" });
  mkdirSync(join(dist, "types"));
  writeFileSync(join(dist, "types/index.d.ts"), "export {};\n");
  const built = await runNode(root, [join(root, "scripts/build.mjs"), "--quick", "--out", dist]);
  expect(built).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(readdirSync(dist)).toEqual(expect.arrayContaining(["cli.js", "index.js", "types"]));
  expect(readdirSync(dist)).not.toContain("chunk-of-an-earlier-build.js");
  expect(readFileSync(join(dist, "types/index.d.ts"), "utf8")).toBe("export {};\n");
});
