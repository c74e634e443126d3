import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { reportFileSchema } from "../../../scripts/generate-exam.js";
import { root } from "../../documentation/markdown.js";
import { afterFile } from "../../support/cleanups.js";
import { workFolder } from "../command.js";

let client: string | undefined;

/** The command that runs the correct client, or a faulty one with CLIENT in its environment. */
export function clientCommand(): string[] {
  if (client === undefined) {
    client = join(workFolder(), "client.mjs");
    // The folder goes with the test file; this module stays for the next one.
    afterFile(() => {
      client = undefined;
    });
    const entry = join(root, "test/exam/command-client.program.ts");
    buildSync({
      entryPoints: [entry],
      outfile: client,
      bundle: true,
      platform: "node",
      format: "esm",
      logLevel: "error",
    });
  }
  return ["--", process.execPath, client];
}

/** A report that the command wrote. */
export function readReport(file: string) {
  const report = reportFileSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  return { ...report, verdicts: report.drills.map(({ name, verdict }) => `${name} ${verdict}`) };
}
