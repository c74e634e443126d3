import { expect, it } from "vitest";
import { reportRequest } from "../../../src/cli/run/report.js";

it.each([
  [{ failOn: "may\u202e" }, String.raw`--fail-on is "may\u202e"; give one of never, must, should.`],
  [{ ignore: ["\u009b31m"] }, String.raw`--ignore names "\u009b31m", which is not a check; there are `],
])("the value of a flag does not reach the terminal as it is: %j", async (flags, message) => {
  await expect(reportRequest(flags, ["never", "must", "should"])).rejects.toThrow(message);
});
