import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import type { beforeAll } from "vitest";

/** What a separate process printed, and how it ended. */
export interface Outcome {
  readonly signal: string | undefined;
  readonly printed: Record<string, unknown>;
}

/**
 * Prepares to run `child.ts` in separate processes.
 * @param before vitest's `beforeAll`
 */
export function childProcesses(
  before: typeof beforeAll,
): (task: "opens" | "killed" | "exits" | "lock" | "release", directory: string, user?: number) => Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "pki-child-"));
  const program = join(folder, "child.mjs");
  before(() => {
    chmodSync(folder, 0o755);
    buildSync({
      entryPoints: [fileURLToPath(new URL("child.ts", import.meta.url))],
      outfile: program,
      bundle: true,
      platform: "node",
      format: "esm",
      // forge is CommonJS.
      banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    });
    return () => rmSync(folder, { recursive: true, force: true });
  });
  return (task, directory, user) =>
    new Promise((resolve) => {
      const identity = user === undefined ? {} : { uid: user, gid: user };
      execFile(process.execPath, [program, task, directory], identity, (error, stdout) => {
        resolve({ signal: error?.signal ?? undefined, printed: stdout === "" ? {} : JSON.parse(stdout) });
      });
    });
}
