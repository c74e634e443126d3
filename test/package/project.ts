import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";
import { workFolder } from "../cli/command.js";
import { programPatience } from "../support/patience.js";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** A project of a user, in its own folder, with the built package installed. */
export function project(
  files: Readonly<Record<string, string>>,
  packages: Readonly<Record<string, string>> = {},
): string {
  const folder = workFolder();
  const installed = { "business-payments-sandbox": inject("built").folder, ...packages };
  for (const [name, target] of Object.entries(installed)) {
    const link = join(folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(target, link);
  }
  for (const [name, text] of Object.entries({ "package.json": '{"type":"module"}', ...files })) {
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs Node in a project until it ends. */
export function runNode(cwd: string, args: readonly string[]): Promise<Ended> {
  return runProgram(cwd, process.execPath, args);
}

/**
 * Runs a program in a project until it ends, with only the path of this process's environment. A program that does not
 * end by itself is killed, and has the status 1.
 */
export function runProgram(
  cwd: string,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const options = { cwd, env: { PATH: process.env["PATH"], NO_COLOR: "1", ...env }, timeout: programPatience };
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      const status = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
      resolve({ code: status, stdout, stderr });
    });
  });
}

/** Runs a program that uses the package until it ends. */
export async function program(body: string) {
  const folder = project({ "main.js": `import * as library from "business-payments-sandbox";\n${body}` });
  return { ...(await runNode(folder, ["main.js"])), folder };
}
