#!/usr/bin/env node
// The container's entry point. Nothing is imported before the privileges are dropped.
import { statSync } from "node:fs";

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

try {
  dropPrivileges(process.env["SANDBOX_CERTS"] ?? "/certs");
} catch (error) {
  process.stderr.write(
    `payments-sandbox: the container cannot become the owner of its certs folder: ${(error as Error).message}. It needs the capabilities SETUID and SETGID, or --user.\n`,
  );
  process.exit(1);
}
await import("./main.js");
