import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readBaseline } from "../../src/cli/exam/baseline-file.js";
import { afterTest } from "../support/cleanups.js";
import { jsonProblems } from "./formats/validators.js";

async function read(text: string, faults?: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "baseline-"));
  afterTest(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "known.yaml");
  writeFileSync(file, text);
  return readBaseline(file, { scenarios: undefined }, faults);
}

it("names failures by drill and check, with an optional reason", async () => {
  const { drills: baseline } = await read(`
failures:
  - drill: maintenance
    check: retry.after
    reason: ticket 4711
  - { drill: plain, check: outcome }
  - { drill: run, check: token.form }
`);
  const drill = (name: string) => ({
    name,
    verdict: "pass" as const,
    outcome: { expected: "any", exitStatus: 0, verdict: "pass" } as const,
    checks: [],
  });
  const { stale } = baseline.review([drill("plain")]);
  expect(stale).toMatchObject([{ drill: "plain", check: "outcome", place: expect.stringMatching(/known\.yaml:6:5$/) }]);
});

it.each([
  [
    "failures:\n  - { drill: maintenanc, check: outcome }\n",
    /known\.yaml:2:14: .*"maintenanc" is not a drill\. Did you mean "maintenance"\?/,
  ],
  [
    "failures:\n  - { drill: plain, check: retry.aftr }\n",
    /known\.yaml:2:28: .*unknown check "retry\.aftr"\. Did you mean "retry\.after"\?/,
  ],
  ["failures:\n  - drill: plain\n", /known\.yaml:2:5: The key failures\[0\]\.check is missing\./],
  [
    "failures:\n  - { drill: plain, check: outcome, resaon: x }\n",
    /known\.yaml:2:37: Unknown key "resaon".* Did you mean "reason"\?/,
  ],
  ["failure: []\n", /known\.yaml:1:1: Unknown key "failure"\. Did you mean "failures"\?/],
  [
    "failures:\n  - { drill: plain, check: outcome }\n  - { drill: plain, check: outcome }\n",
    /known\.yaml:3:14: .*twice/,
  ],
  ["failures: [\n", /known\.yaml:\d:\d: /],
  ["failures:\n  - cell: ping\n", /known\.yaml:2:11: failures\[0\]\.cell: give POINT\/FAULT, such as /],
  [
    "failures:\n  - { cell: ping/hang, drill: plain }\n",
    /known\.yaml:2:5: failures\[0\]: give either a cell, or a drill/,
  ],
  [
    "failures:\n  - cell: ping/hang\n  - cell: ping/hang\n",
    /known\.yaml:3:11: failures\[1\]: ping\/hang is given twice\./,
  ],
  ["failures:\n  - reason: none\n", /known\.yaml:2:5: The key failures\[0\]\.drill is missing\./],
])("reports file, line and column of a mistake: %j", async (text, message) => {
  await expect(read(text)).rejects.toThrow(message);
});

it("names findings by their cells, beside failures of drills", async () => {
  const { drills, cells } = await read(`
failures:
  - cell: list.payments.middle/truncate
    reason: ticket 4712
  - cell: ping/hang
  - { drill: plain, check: outcome }
`);
  expect(cells).toEqual([
    { cell: "list.payments.middle/truncate", reason: "ticket 4712", place: expect.stringMatching(/known\.yaml:3:5$/) },
    {
      cell: "ping/hang",
      reason: expect.stringMatching(/known\.yaml:5:5 gives no reason$/),
      place: expect.stringMatching(/known\.yaml:5:5$/),
    },
  ]);
  expect(drills.markedProblem("plain", { about: "outcome", message: "It failed.", fix: "" })).toHaveProperty("known");
});

it("knows the faults, where cells are looked at", async () => {
  const text = "failures:\n  - cell: ping/hnag\n";
  await expect(read(text, ["hang", "reset"])).rejects.toThrow(
    /known\.yaml:2:11: failures\[0\]\.cell: "hnag" is not a fault\. Did you mean "hang"\?/,
  );
  await expect(read(text)).resolves.toBeDefined();
});

it("reports a missing file", async () => {
  await expect(readBaseline("nowhere.yaml", { scenarios: undefined })).rejects.toThrow("There is no such file.");
});

it.each([
  [[{ drill: "plain", check: "outcome", reason: "none" }, { cell: "ping/hang" }], true],
  [[{ cell: "ping" }], false],
  [[{ cell: "ping/hang", drill: "plain" }], false],
  [[{ drill: "plain" }], false],
  [[{ reason: "none" }], false],
])("baseline.schema.json decides as the command does: %j", async (failures, accepted) => {
  expect((await jsonProblems(JSON.stringify({ failures }), "baseline")).length === 0).toBe(accepted);
  await expect(
    read(JSON.stringify({ failures })).then(
      () => true,
      () => false,
    ),
  ).resolves.toBe(accepted);
});
