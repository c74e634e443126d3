#!/usr/bin/env node
// The container's entry point. Nothing is imported before the privileges are dropped.
import { statSync } from "node:fs";
import { constants } from "node:os";

/**
 * Becomes the user who owns the certificates folder, so that the host's user can read what is written there: root only
 * where the folder is root's. A container that was started as another user stays that user.
 */
function dropPrivileges(folder: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  if (uid === 0) return;
  process.setgroups?.([gid]);
  process.setgid?.(gid);
  process.setuid?.(uid);
}

// The kernel keeps from the first process of a container every signal that it does not handle: until the command does, this ends it. A
// sandbox that is told to stop has done its work; a question that was not answered must not look as if all were well.
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  const status = process.argv[2] === "start" ? 0 : 128 + constants.signals[signal];
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) process.exit(status);
  });
}

// An empty variable counts as unset, as it does everywhere; the image's folder is the default here, for the settings as well.
process.env["SANDBOX_CERTS"] ||= "/certs";
try {
  dropPrivileges(process.env["SANDBOX_CERTS"]);
} catch (error) {
  process.stderr.write(
    `payments-sandbox: the container cannot become the owner of its certs folder: ${(error as Error).message}. It needs the capabilities SETUID and SETGID, or --user.\n`,
  );
  process.exit(1);
}
await import("./main.js");
