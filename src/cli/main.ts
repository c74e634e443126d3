#!/usr/bin/env node
import { openFilesProblem } from "../base/files/open-files.js";

// The reader of the output may have ended, as with `| head`. A sandbox continues, and any other command ends as usual.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", ({ code, message }: NodeJS.ErrnoException) => {
    if (code === "EPIPE") return;
    process.exitCode ||= 1;
    if (stream === process.stdout) process.stderr.write(`payments-sandbox: the output cannot be written: ${message}\n`);
  });
}

// Without a listener, Node opens a debugger on a port of this machine at SIGUSR1. All its users could run code here,
// and read the keys.
process.on("SIGUSR1", () => {});

// The command has many files. With a low limit on open files, Node cannot load them.
try {
  const { runProgram } = await import("./program.js");
  await runProgram(process.argv.slice(2));
} catch (error) {
  const problem = openFilesProblem(error);
  if (problem === undefined) throw error;
  process.stderr.write(`payments-sandbox: ${problem}\n`);
  process.exitCode = 1;
}
