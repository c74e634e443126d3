import { availableParallelism } from "node:os";
import { expect, it } from "vitest";
import { minute } from "../../src/base/text/duration.js";
import { examRequest } from "../../src/cli/exam/request.js";

it("without flags, an exam has four more jobs than there are cores, a minute for each command, and fails on must", async () => {
  const { drills, jobs, timeout, verbose, report } = await examRequest({});
  expect({ drills, jobs, timeout, verbose }).toEqual({
    drills: [],
    jobs: availableParallelism() + 4,
    timeout: minute,
    verbose: false,
  });
  expect(report).toMatchObject({ files: [], failOn: "must", baseline: undefined });
});

it("drills can be separated by commas", async () => {
  expect((await examRequest({ drill: ["plain,outage", "slow*"] })).drills).toEqual(["plain", "outage", "slow*"]);
});

it.each([
  [{ jobs: "0" }, '--jobs is "0"; give a whole number from 1 to 9999.'],
  [{ drill: [""] }, '--drill is ""; give the name of a drill.'],
  [{ drill: ["plain", ","] }, '--drill is ","; give the name of a drill.'],
  [{ timeout: "0s" }, "more than 0 and at most 24d."],
  [{ jobs: "two" }, '--jobs is "two"; give a whole number from 1 to 9999.'],
  [{ timeout: "60" }, '--timeout is "60"; give a number with a unit'],
  [{ timeout: "0s" }, '--timeout is "0s"; give a number with a unit'],
  [{ timeout: "40d" }, "at most 24d"],
  [{ failOn: "never" }, "give one of must, should"],
  [{ scenario: "outage" }, "--drill chooses drills"],
  [{ ignore: ["tls.resue"] }, "did you mean tls.reuse?"],
])("%j is reported", async (flags, message) => {
  await expect(examRequest(flags)).rejects.toThrow(message);
});
