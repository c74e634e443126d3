import { examine } from "./doctor/examine.js";
import { readInputs } from "./doctor/inputs.js";
import { DoctorReport } from "./doctor/report.js";
import type { DoctorFlags } from "./options.js";

/**
 * `payments-sandbox doctor`: reports what is wrong and how to fix it. Exit status 1 when something is wrong. Never
 * prints keys and tokens.
 * @throws SettingError for a command line that cannot be used
 */
export async function doctor(flags: DoctorFlags): Promise<void> {
  const coloured = process.stdout.isTTY === true && !process.env["NO_COLOR"];
  const report = new DoctorReport((text) => process.stdout.write(text), coloured);
  await examine(readInputs(flags, process.env), report);
  report.conclude();
  if (report.problems > 0) process.exitCode = 1;
}
