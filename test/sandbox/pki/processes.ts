import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as passed } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import type { beforeAll } from "vitest";
import { forNode } from "../../../scripts/for-node.mjs";
import { makeReadable, type User } from "../../support/users.js";

/** What a separate process does. */
export interface ChildTask {
  /** The certificates folder to open. */
  readonly directory: string;
  readonly fresh?: boolean | undefined;
  /** How far its clock is ahead, in milliseconds. */
  readonly later?: number | undefined;
  /** How it ends once it has what the server needs. Otherwise it waits for all identities, and prints them. */
  readonly end?: "killed" | "exits" | undefined;
  /**
   * The number, from 1, of the call to the file system before which it is killed, among those that change something.
   */
  readonly killAtCall?: number | undefined;
}

/** What a separate process printed, and how it ended. */
export interface Outcome {
  readonly signal: string | undefined;
  readonly printed: Record<string, unknown>;
  /** From the moment at which it began to open the folder until its end, in milliseconds. */
  readonly took: number;
}

/** How a process is run: as another user, or killed this many milliseconds after it began to open the folder. */
interface Circumstances {
  readonly user?: User | undefined;
  readonly killAfter?: number;
}

/**
 * Prepares to run `child.ts` in separate processes.
 * @param before vitest's `beforeAll`
 */
export function childProcesses(
  before: typeof beforeAll,
): (task: ChildTask, circumstances?: Circumstances) => Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "pki-child-"));
  const program = join(folder, "child.mjs");
  before(async () => {
    const input = fileURLToPath(new URL("child.ts", import.meta.url));
    await build({ ...forNode, input, output: { file: program, codeSplitting: false } });
    makeReadable(folder);
    return () => rmSync(folder, { recursive: true, force: true });
  });
  return async (task, { user, killAfter } = {}) => {
    const child = fork(program, [JSON.stringify(task)], {
      stdio: ["ignore", "pipe", "inherit", "ipc"],
      // Vitest's own options name files of the repository, which another user may not be able to reach.
      execArgv: [],
      cwd: folder,
      ...user,
    });
    const ended = once(child, "exit");
    const printed = child.stdout === null ? Promise.resolve("") : text(child.stdout);
    await once(child, "message");
    const began = performance.now();
    if (killAfter !== undefined) {
      await passed(killAfter);
      child.kill("SIGKILL");
    }
    const [, signal] = await ended;
    const took = performance.now() - began;
    const output = await printed;
    return { signal: signal ?? undefined, printed: output === "" ? {} : JSON.parse(output), took };
  };
}
