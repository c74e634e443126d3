import * as z from "zod";
import { drillSubjects } from "../../exam/baseline.js";
import { checkIds } from "../../exam/checks.js";
import { keys, name, oneOf, text } from "../../sandbox/scenarios/schema-values.js";

const failure = z.strictObject(
  {
    drill: name.describe("The name of the drill: `plain`, a scenario, or `run` for `payments-sandbox run`."),
    check: oneOf([...drillSubjects, ...checkIds], "check").describe(
      "The check that fails; `outcome` for the exit status of the command, `requests` for the number of requests.",
    ),
    reason: text.describe("Why it fails, or where the fix is tracked.").optional(),
  },
  keys,
);

/** A baseline: failures that are known. */
export const baselineSchema = z.strictObject(
  { failures: z.array(failure, "give a list of failures").describe("Each failure that is known.") },
  keys,
);
