import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/**
 * How often it looks, in milliseconds. Events of the system are not used: a folder that a virtual machine shares or a
 * network drive sends none, and they end when a folder is replaced.
 */
const pollTime = 300;

/** Editors write in several steps: after a change, it looks again after this time, until there is no further one. */
const quietTime = 30;

/** Notifies when a file, or a file in a folder, was made, changed or removed. Neither needs to exist. */
export class Watch {
  /** Resolves when it has looked for the first time. Later changes are noticed. */
  readonly ready: Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /** @param time how often it looks, in milliseconds */
  constructor(path: string, onChange: () => void, time: number = pollTime) {
    this.ready = stateOf(path).then((first) => {
      let [before, changed] = [first, false];
      this.#later(time, async () => {
        const now = (await stateOf(path)) ?? before;
        const over = changed && now === before;
        changed = now !== before;
        before = now;
        if (over && !this.#closed) onChange();
        return changed ? Math.min(quietTime, time) : time;
      });
    });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  /** @param look returns after how many milliseconds it looks again */
  #later(time: number, look: () => Promise<number>): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => void look().then((next) => this.#later(next, look)), time);
    this.#timer.unref();
  }
}

/**
 * A text that changes with a file or the files of a folder: their names, sizes and times. Undefined if this cannot be
 * known now: a drive that fails for a moment has not lost its files.
 */
async function stateOf(path: string): Promise<string | undefined> {
  const names = await readdir(path).catch(({ code }: NodeJS.ErrnoException) =>
    code === "ENOENT" || code === "ENOTDIR" ? [] : undefined,
  );
  const paths = names && [path, ...names.sort().map((name) => join(path, name))];
  const facts = paths?.map((each) =>
    stat(each).then(
      ({ size, mtimeMs, ctimeMs, ino }) => [each, size, mtimeMs, ctimeMs, ino].join(" "),
      () => each,
    ),
  );
  return facts && (await Promise.all(facts)).join("\n");
}
