#!/usr/bin/env node
// The command of the package. npm links it from a clone as well, which may not be built.
import { existsSync } from "node:fs";
import * as nodeModule from "node:module";
import { fileURLToPath } from "node:url";

// From Node 22.1 on, compiled code is kept: a fifth less CPU until a sandbox is ready. It is kept beside the code, and
// not in the common folder for temporary files, because others could put theirs there. A folder that cannot be written
// has none.
nodeModule.enableCompileCache?.(fileURLToPath(new URL("../dist/.compiled", import.meta.url)));

const command = new URL("../dist/cli.js", import.meta.url);
if (existsSync(command)) {
  await import(command.href);
} else {
  const clone = fileURLToPath(new URL("..", import.meta.url));
  process.stderr.write(`payments-sandbox: The clone ${clone} is not built: type npm run build there.\n`);
  process.exitCode = 1;
}
