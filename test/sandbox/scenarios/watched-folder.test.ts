import { mkdirSync, mkdtempSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ScenarioLibrary } from "../../../src/sandbox/scenarios/library.js";
import { afterTest } from "../../support/cleanups.js";
import { eventually } from "../../support/eventually.js";

const answering = (code: string) => `description: x\nrules:\n  - then: { error: ${code} }\n`;

/** A library of a folder that does not exist yet, what saves a file in it, and what it answers by the name of a scenario. */
async function watched() {
  const parent = mkdtempSync(join(tmpdir(), "watched-"));
  afterTest(() => rmSync(parent, { recursive: true, force: true }));
  const folder = join(parent, "scenarios");
  const library = new ScenarioLibrary({ builtIn: "/nonexistent", folder, pollTime: 5 });
  afterTest(() => library.close());
  const save = (name: string, code: string) => writeFileSync(join(folder, `${name}.yaml`), answering(code));
  const code = (name: string) => library.scenario(name)?.rules[0]?.words.replace("the error ", "");
  return { folder, library, save, code };
}

it.each([
  ["before anything was read", false],
  ["after the folders were read", true],
])("a folder that is made later is found: %s", async (_when, isRead) => {
  const { folder, library, save, code } = await watched();
  if (isRead) await library.read();
  else await library.watch();
  mkdirSync(folder);
  save("one", "NOT_FOUND");
  await eventually(() => code("one") === "NOT_FOUND");
  save("one", "FORBIDDEN");
  await eventually(() => code("one") === "FORBIDDEN");
  unlinkSync(join(folder, "one.yaml"));
  await eventually(() => code("one") === undefined);
});

it.each([
  { name: "at once", isMissed: false },
  { name: "after it was missed", isMissed: true },
])("a folder that is removed and made again $name is watched as before", async ({ isMissed }) => {
  const { folder, library, save, code } = await watched();
  mkdirSync(folder);
  save("one", "NOT_FOUND");
  await library.read();
  expect(code("one")).toBe("NOT_FOUND");
  for (const again of ["FORBIDDEN", "UNAUTHORIZED"]) {
    rmSync(folder, { recursive: true });
    if (isMissed) await eventually(() => code("one") === undefined);
    mkdirSync(folder);
    save("one", again);
    await eventually(() => code("one") === again);
    // Files that are saved later take effect as well.
    save(again.toLowerCase(), "NOT_FOUND");
    await eventually(() => code(again.toLowerCase()) === "NOT_FOUND");
  }
});
