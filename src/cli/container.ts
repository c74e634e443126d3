#!/usr/bin/env node
// The container's entry point. Nothing is imported before the privileges are dropped.
import { readFileSync, statSync } from "node:fs";
import { constants } from "node:os";

/**
 * If this runs as root, it becomes the owner of the certificates folder, so that the user of the host can read what is
 * written there.
 */
function dropPrivileges(folder: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  if (uid === 0) return;
  process.setgroups?.([gid]);
  process.setgid?.(gid);
  process.setuid?.(uid);
}

/**
 * The flags with which process 1 of the container started the sandbox: a health check of the image gets the variables of
 * the container, and not its command (`docker run IMAGE start --admin-port 9000`).
 */
function flagsOfStart(): string[] {
  // `health` has these, too.
  const flags = ["--admin-port", "--admin-host", "--config"];
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

// The first process of a container gets only the signals that it handles. Until the command handles them, they end the
// process here: with success for a sandbox, because it was stopped; with the signal's status for any other command,
// because it did not finish.
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  const status = process.argv[2] === "start" ? 0 : 128 + constants.signals[signal];
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) process.exit(status);
  });
}

// An empty variable counts as unset, as everywhere. The folder of the image is the default here, also for the settings.
process.env["SANDBOX_CERTS"] ||= "/certs";
try {
  dropPrivileges(process.env["SANDBOX_CERTS"]);
} catch (error) {
  process.stderr.write(
    `payments-sandbox: the container cannot become the owner of its certs folder: ${(error as Error).message}. It needs the capabilities SETUID and SETGID, or --user.\n`,
  );
  process.exit(1);
}
// The health check of the image names no port.
if (process.argv.length === 3 && process.argv[2] === "health") process.argv.push(...flagsOfStart());
await import("./main.js");
