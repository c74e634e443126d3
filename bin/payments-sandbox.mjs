#!/usr/bin/env node
// The command of the package. npm links it from a clone as well, which may not be built.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const command = new URL("../dist/cli.js", import.meta.url);
if (existsSync(command)) {
  await import(command.href);
} else {
  const clone = fileURLToPath(new URL("..", import.meta.url));
  process.stderr.write(`payments-sandbox: The clone ${clone} is not built: type npm run build there.\n`);
  process.exitCode = 1;
}
