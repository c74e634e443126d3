// `npm start`: builds dist/ and becomes the command, in one process.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

endWithShell();
refuseFewFiles();
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dist");

const { bundle } = await import("./bundle.mjs");
await bundle(root, dist);
await import(pathToFileURL(join(dist, "cli.js")).href);

/**
 * npm runs a script through a shell, and passes a signal only to that shell. Many shells end without passing it on, and
 * this process loses its parent: then it ends itself. The alternative is `exec` in the script, which cmd.exe does not
 * have.
 */
function endWithShell() {
  if (process.env.npm_lifecycle_event === undefined || process.platform === "win32") return;
  const shell = process.ppid;
  if (isOrphan()) process.kill(process.pid, "SIGTERM");
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, 100);
  timer.unref();
}

/** Whether the shell ended before this process started. In a container, npm itself may be process 1. */
function isOrphan() {
  if (process.ppid !== 1) return false;
  try {
    return !/npm|yarn|bun|\bsh\b/.test(readFileSync("/proc/1/cmdline", "latin1"));
  } catch {
    return true;
  }
}

/**
 * The build hangs or fails with a low limit on open files. The command checks it as well
 * (src/base/files/open-files.ts), once it is built.
 */
function refuseFewFiles() {
  let limits;
  try {
    limits = readFileSync("/proc/self/limits", "latin1");
  } catch {
    return;
  }
  const [, files] = /^Max open files +(\d+)/m.exec(limits) ?? [];
  if (files === undefined || Number(files) >= 256) return;
  process.stderr.write(
    `payments-sandbox: This process may open only ${files} files and connections at once, and a sandbox needs 256: raise its limit to 1024 or more, with ulimit -n.\n`,
  );
  process.exit(1);
}
