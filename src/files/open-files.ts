/** What a person does about the two limits on open files, by the code of the error (errno(3)). */
const advice: ReadonlyMap<string | undefined, string> = new Map([
  [
    "EMFILE",
    "This process may not open as many files and connections as it needs (EMFILE): raise its limit to 1024 or more, with ulimit -n, LimitNOFILE of systemd or --ulimit nofile of Docker.",
  ],
  [
    "ENFILE",
    "All processes together have too many open files (ENFILE): end other programs, or raise the limit of the system, on Linux fs.file-max.",
  ],
]);

/** Causes are followed so far: an error may be its own cause. */
const deepestCause = 8;

/**
 * Whether an error, or its cause, is a limit on open files. Connections, pipes and watched folders count as files.
 * @returns the limit and what to raise, one sentence; undefined for any other error
 */
export function openFilesProblem(error: unknown): string | undefined {
  let current = error;
  for (let depth = 0; depth < deepestCause && current instanceof Error; depth++) {
    const found = advice.get((current as NodeJS.ErrnoException).code);
    if (found !== undefined) return found;
    current = current.cause;
  }
  return undefined;
}
