import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "vitest";
import { examples, isInstalled, root, run } from "./programs.js";

// More of ci.test.ts.

it.skipIf(!isInstalled("javac", "--version"))("Testcontainers for Java: the class compiles against stubs", () => {
  const work = mkdtempSync(join(tmpdir(), "testcontainers-"));
  try {
    const stubs = join(root, "test/examples/java-stubs");
    const file = join(examples, "ci/testcontainers/java/SandboxContainer.java");
    run("javac", ["-sourcepath", stubs, "-implicit:none", "-proc:none", "-d", work, file]);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
});
