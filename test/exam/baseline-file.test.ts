import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readBaseline } from "../../src/cli/exam/baseline-file.js";
import { afterTest } from "../support/cleanups.js";

async function read(text: string) {
  const folder = mkdtempSync(join(tmpdir(), "baseline-"));
  afterTest(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "known.yaml");
  writeFileSync(file, text);
  return readBaseline(file, { scenarios: undefined });
}

it("names failures by drill and check, with an optional reason", async () => {
  const baseline = await read(`
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
])("reports file, line and column of a mistake: %j", async (text, message) => {
  await expect(read(text)).rejects.toThrow(message);
});

it("reports a missing file", async () => {
  await expect(readBaseline("nowhere.yaml", { scenarios: undefined })).rejects.toThrow("There is no such file.");
});
