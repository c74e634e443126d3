import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { reportSchema } from "../../../src/report/report-schema.js";
import { root } from "../../documentation/markdown.js";
import { afterFile } from "../../support/cleanups.js";
import { workFolder } from "../command.js";

const built = new Map<string, string>();

/**
 * The command that runs a program with the correct client, or a faulty one that a variable chooses: CLIENT for that of
 * the exam.
 */
export function clientCommand(program = "test/exam/command-client.program.ts"): string[] {
  let client = built.get(program);
  if (client === undefined) {
    client = join(workFolder(), "client.mjs");
    built.set(program, client);
    // The folder goes with the test file; this module stays for the next one.
    afterFile(() => {
      built.delete(program);
    });
    const bundler = join(root, "node_modules", "rolldown", "bin", "cli.mjs");
    execFileSync(process.execPath, [bundler, join(root, program), "--file", client, "--platform", "node"], {
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
  return ["--", process.execPath, client];
}

/** A report that the command wrote. */
export function readReport(file: string) {
  const report = reportSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  return { ...report, verdicts: report.drills.map(({ name, verdict }) => `${name} ${verdict}`) };
}
