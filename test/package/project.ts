import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";
import { workFolder } from "../cli/command.js";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** A project of a user, in a folder of its own, in which the built package is installed. */
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

/** Runs Node in a project, to its end. One that does not end by itself is killed, and has the status 1. */
export function runNode(cwd: string, args: readonly string[], patience = 15_000): Promise<Ended> {
  const env = { PATH: process.env["PATH"], NO_COLOR: "1" };
  return new Promise((resolve) => {
    execFile(process.execPath, [...args], { cwd, env, timeout: patience }, (error, stdout, stderr) => {
      const status = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
      resolve({ code: status, stdout, stderr });
    });
  });
}
