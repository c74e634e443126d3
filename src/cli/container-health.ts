import { readFileSync } from "node:fs";

/** The flags of `start` that say where the admin API is. `health` has the same. */
const flags = ["--admin-port", "--admin-host", "--config"];

/**
 * The flags with which process 1 of the container started the sandbox: a health check of the image gets the variables of
 * the container, and not its command (`docker run IMAGE start --admin-port 9000`).
 */
export function flagsOfStart(): string[] {
  try {
    const words = readFileSync("/proc/1/cmdline", "utf8").split("\0");
    const given = words.slice(words.indexOf("start") + 1);
    return given.flatMap((word, index) => {
      if (flags.some((flag) => word.startsWith(`${flag}=`))) return [word];
      return flags.includes(word) ? [word, given[index + 1] ?? ""] : [];
    });
  } catch {
    // Without /proc, the variables have to say it.
    return [];
  }
}
