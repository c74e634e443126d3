import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ScenarioLibrary } from "../../../src/sandbox/scenarios/library.js";
import { afterTest } from "../../support/cleanups.js";
import { eventually } from "../../support/eventually.js";

const answering = (code: string) => `description: x\nrules:\n  - then: { error: ${code} }\n`;

it.each([
  { name: "at once", isMissed: false },
  { name: "after it was missed", isMissed: true },
])("a folder that is removed and made again $name is watched as before", async ({ isMissed }) => {
  const parent = mkdtempSync(join(tmpdir(), "replaced-"));
  afterTest(() => rmSync(parent, { recursive: true, force: true }));
  const folder = join(parent, "scenarios");
  const save = (name: string, code: string) => writeFileSync(join(folder, `${name}.yaml`), answering(code));
  mkdirSync(folder);
  save("one", "NOT_FOUND");
  const library = await ScenarioLibrary.open({
    builtIn: "/nonexistent",
    folder,
    watching: { poll: false, pollTime: 5 },
  });
  afterTest(() => library.close());
  const code = (name: string) => library.scenario(name)?.rules[0]?.words.replace("the error ", "");
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
