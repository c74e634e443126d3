import { type Clock, monotonicNow, systemClock } from "../../../src/sandbox/clock.js";
import { type FileOperations, systemFiles } from "../../../src/sandbox/pki/file-operations.js";
import { openCerts } from "../../../src/sandbox/pki/folder.js";
import type { ChildTask } from "./processes.js";

// `processes.ts` runs this in separate processes. It is bundled, because Node does not run TypeScript.
const { directory, fresh = false, later = 0, end, killAtCall }: ChildTask = JSON.parse(process.argv[2] ?? "");
const clock: Clock = { now: () => systemClock.now() + later };

let calls = 0;
const files: FileOperations = { ...systemFiles };
for (const name of ["mkdirSync", "writeFileSync", "renameSync", "rmdirSync", "rmSync"] as const) {
  const original = systemFiles[name] as (...parameters: unknown[]) => unknown;
  const counted = (...parameters: unknown[]): unknown => {
    calls += 1;
    if (calls === killAtCall) process.kill(process.pid, "SIGKILL");
    return original(...parameters);
  };
  Object.assign(files, { [name]: counted });
}

try {
  // The parent measures the moment of a kill from here.
  process.send?.("opening");
  const startedAt = systemClock.now() - monotonicNow();
  const certs = await openCerts({ directory, hostnames: [], keyType: "ec", fresh, startedAt, clock, files });
  if (end === "killed") process.kill(process.pid, "SIGKILL");
  if (end === "exits") process.exit(0);
  const identities = await certs.complete;
  console.log(JSON.stringify({ caPem: certs.caPem, server: certs.server, identities, calls }));
} catch (error) {
  const { name, code, message } = error as { name: string; code: string; message: string };
  console.log(JSON.stringify({ name, code, message }));
}
// An open channel to the parent would keep the process.
process.disconnect?.();
