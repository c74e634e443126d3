import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

export const examples = fileURLToPath(new URL("../../examples", import.meta.url));

/** Whether a program can be started here. */
export function isInstalled(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { stdio: "ignore" }).error === undefined;
}

/**
 * Runs a program to its end.
 * @returns what it printed, on both streams;
 * @throws Error when it failed
 */
export function run(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly input?: string } = {},
): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: "utf8", ...options });
  if (error) throw error;
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${status}:\n${stdout}${stderr}`);
  return stdout + stderr;
}
