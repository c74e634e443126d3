#!/usr/bin/env node
import { runProgram } from "./program.js";

// The reader of the output may have ended, as with `| head`. A sandbox continues, and any other command ends as usual.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", ({ code, message }: NodeJS.ErrnoException) => {
    if (code === "EPIPE") return;
    process.exitCode ||= 1;
    if (stream === process.stdout) process.stderr.write(`payments-sandbox: the output cannot be written: ${message}\n`);
  });
}

await runProgram(process.argv.slice(2));
