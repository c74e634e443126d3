import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { chooseDrills } from "../../src/cli/exam/drills.js";
import { readScenarios } from "../../src/library/read-scenarios.js";
import type { ScenarioLibrary } from "../../src/sandbox/scenarios/library.js";
import { afterTest } from "../support/cleanups.js";

const own = {
  "mine.yaml":
    "description: Ours. A correct client smiles. It sings.\nexpect: { outcome: fails }\nrules: [{ name: all, then: { delay: 1ms } }]\n",
  "free.yaml": "description: Free.\nrules: [{ name: all, then: { delay: 1ms } }]\n",
};

async function libraryWith(files: Readonly<Record<string, string>>): Promise<ScenarioLibrary> {
  const folder = mkdtempSync(join(tmpdir(), "drills-"));
  afterTest(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return readScenarios(folder);
}

let builtIn: ScenarioLibrary;

beforeAll(async () => {
  builtIn = await readScenarios(undefined);
});

const names = (library: ScenarioLibrary, wanted: readonly string[] = []) =>
  chooseDrills(library, wanted).map(({ name }) => name);

it("a pattern with many stars is fast", () => {
  expect(() => names(builtIn, [`${"*".repeat(200)}zz`])).toThrow(/no scenario with "expect" has such a name/);
  expect(names(builtIn, [`${"*".repeat(200)}plain`])).toEqual(["plain"]);
});

describe("without --drill", () => {
  it("the drills are plain and every scenario with `expect`, including the user's own", async () => {
    const drills = chooseDrills(await libraryWith(own), []);
    const all = drills.map(({ name }) => name);
    expect(all.slice(0, 2)).toEqual(["plain", "announced-lifetime-differs"]);
    expect(all).toContain("mine");
    expect(all).not.toContain("free");
    expect(all).not.toContain("everything");
    expect(drills.every(({ named }) => !named)).toBe(true);
    expect(drills[0]).toMatchObject({ scenario: undefined, expected: { outcome: "succeeds", checks: [] } });
    expect(drills.find(({ name }) => name === "mine")).toMatchObject({
      scenario: "mine",
      expected: { outcome: "fails" },
      advice: "A correct client smiles.",
    });
  });

  it("no shipped drill holds a request for more than 30 seconds", () => {
    const ofDrills = builtIn.all().filter(({ scenario }) => scenario?.expectation !== undefined);
    const holds = ofDrills.flatMap(({ name, scenario }) =>
      (scenario?.rules ?? []).flatMap(({ faults }) =>
        faults.flatMap(({ fault, settings }) => {
          if (fault.takesTime !== true) return [];
          const numbers = JSON.stringify(settings).match(/\d+(?:\.\d+)?/g) ?? [];
          return [[name, Math.max(...numbers.map(Number))] as const];
        }),
      ),
    );
    expect(new Set(holds.map(([name]) => name))).toContain("hang");
    expect(holds.filter(([, longest]) => longest > 30_000)).toEqual([]);
  });

  it("every shipped drill says what a correct client does", () => {
    const [, ...drills] = chooseDrills(builtIn, []);
    expect(drills.filter(({ advice }) => !advice.startsWith("A correct client "))).toEqual([]);
  });

  it("a scenario that cannot be read is reported with its position", async () => {
    const library = await libraryWith({ "mine.yaml": "expects: {}\nrules: []\n" });
    expect(() => chooseDrills(library, [])).toThrow(/mine\.yaml:1:1: Unknown key "expects"/);
    expect(names(library, ["plain"])).toEqual(["plain"]);
    expect(() => chooseDrills(library, ["mine"])).toThrow(/mine\.yaml:1:1: Unknown key "expects"/);
  });

  it("every file that cannot be used is reported, also one with an invalid name", async () => {
    const library = await libraryWith({
      "mine.yaml": "",
      "yours.yaml": "rules: 5\n",
      "Bad Name.yaml": own["free.yaml"],
    });
    expect(() => chooseDrills(library, [])).toThrow(/mine\.yaml.*yours\.yaml.*Bad Name\.yaml/s);
  });

  it("a scenario must not have the name of the drill without a scenario", async () => {
    const library = await libraryWith({ "plain.yaml": "rules: []\n" });
    expect(() => chooseDrills(library, [])).toThrow("A scenario is called plain");
  });
});

describe("--drill", () => {
  it.each([
    [
      ["outage", "plain"],
      ["outage", "plain"],
    ],
    [["token-r*"], ["token-revoked"]],
    [
      ["*-cursor", "plain"],
      ["empty-page-with-cursor", "invalid-cursor", "plain"],
    ],
    [
      ["*limited*", "rate-limited"],
      ["rate-limited", "rate-limited-with-date"],
    ],
    [["everything"], ["everything"]],
  ])("%j: %j, in this order, each once", (wanted, found) => {
    expect(names(builtIn, wanted)).toEqual(found);
    expect(chooseDrills(builtIn, wanted).every(({ named }) => named)).toBe(true);
  });

  it("accepts a scenario that expects nothing", async () => {
    const [drill] = chooseDrills(await libraryWith(own), ["free"]);
    expect(drill).toMatchObject({
      expected: { outcome: "any" },
      advice: "payments-sandbox scenarios free shows what happens.",
    });
  });

  it.each([
    ["maintenanc", /"maintenanc", which is not a drill\. Did you mean "maintenance"\?/],
    ["plan", /Did you mean "plain"\?/],
    ["zzz*", /"zzz\*"; no scenario with "expect" has such a name/],
    [".*", /no scenario with "expect" has such a name/],
  ])("%s is reported", (wanted, message) => {
    expect(() => chooseDrills(builtIn, [wanted])).toThrow(message);
  });
});
