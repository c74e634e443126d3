import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { FailingFiles } from "../../support/failing-files.js";
import { failStarts } from "./failing-starts.js";
import { folderToCopy, open } from "./fixture.js";
import { situations } from "./kills.js";

const copiedFolder = folderToCopy(beforeAll);

describe("a start in which a file operation fails", () => {
  // All of them: failing-starts.night.test.ts.
  const every = 80;
  it.each(situations)("leaves the folder as before, or complete: %s", { tags: "slow" }, (situation) =>
    failStarts(situation, copiedFolder, { first: 1 + Math.floor(Math.random() * every), every }),
  );

  it("--fresh-certs removes the next CA last; if it cannot, the start says so, and the next one does", async () => {
    const directory = copiedFolder();
    const next = join(directory, "ca-next.pem");
    copyFileSync(join(directory, "ca.pem"), next);
    const files = new FailingFiles();
    // The first removal is that of the generation before.
    files.failFrom(2, "rmSync");
    const refused = open(directory, { fresh: true, files: files.operations });
    await expect(refused).rejects.toThrow(`Cannot write ${next}: no space is left (ENOSPC). It is not a CA of this`);
    expect(existsSync(next)).toBe(true);
    await open(directory);
    expect(existsSync(next)).toBe(false);
  });
});
