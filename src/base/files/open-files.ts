import { readFileSync } from "node:fs";

/**
 * Fewest open files with which a sandbox starts. It loads most of its own files in parallel, and keeps some for
 * connections.
 */
const fewest = 256;

/** What to raise, and how. */
const advice = "raise its limit to 1024 or more, with ulimit -n, LimitNOFILE of systemd or --ulimit nofile of Docker";

const sentences: ReadonlyMap<string | undefined, string> = new Map([
  ["EMFILE", `This process may not open as many files and connections as it needs (EMFILE): ${advice}.`],
  [
    "ENFILE",
    "All processes together have too many open files (ENFILE): end other programs, or raise the limit of the system, on Linux fs.file-max.",
  ],
]);

/** Causes are followed so far: an error may be its own cause. */
const deepestCause = 8;

/** The limit on open files is too low for a sandbox. The message says what to raise. */
class OpenFilesError extends Error {
  override readonly name = "OpenFilesError";
}

/**
 * Whether an error, or its cause, is a limit on open files. Connections, pipes and watched folders count as files.
 * @returns the limit and what to raise, one sentence; undefined for any other error
 */
export function openFilesProblem(error: unknown): string | undefined {
  let current = error;
  for (let depth = 0; depth < deepestCause && current instanceof Error; depth++) {
    const found = sentences.get((current as NodeJS.ErrnoException).code);
    if (found !== undefined) return found;
    current = current.cause;
  }
  return undefined;
}

/** How many files this process may open at once. Infinity where the system does not say it: everywhere but on Linux. */
export function openFilesLimit(): number {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1")) ?? [];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** @throws OpenFilesError when a process with this limit cannot run a sandbox */
export function requireOpenFiles(limit: number): void {
  if (limit >= fewest) return;
  throw new OpenFilesError(
    `This process may open only ${limit} files and connections at once, and a sandbox needs ${fewest}: ${advice}.`,
  );
}
