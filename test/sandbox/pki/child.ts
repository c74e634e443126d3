import { systemClock } from "../../../src/sandbox/clock.js";
import { openCerts } from "../../../src/sandbox/pki/folder.js";
import { acquireLock } from "../../../src/sandbox/pki/lock.js";

// `processes.ts` runs this in separate processes. It is bundled by esbuild, because Node does not run TypeScript.
const [task, directory = ""] = process.argv.slice(2);

async function open(): Promise<void> {
  const certs = await openCerts({ directory, hostnames: [], keyType: "ec", fresh: false, clock: systemClock });
  if (task === "killed") process.kill(process.pid, "SIGKILL");
  if (task === "exits") process.exit(0);
  await certs.complete;
  console.log(JSON.stringify({ caPem: certs.caPem, server: certs.server, identities: await certs.complete }));
}

try {
  if (task === "lock" || task === "release") {
    const lock = await acquireLock(directory);
    // A process that is told to stop exits while it waits for this.
    if (task === "release") void lock.release();
    process.exit(0);
  }
  await open();
} catch (error) {
  const { name, code, message } = error as { name: string; code: string; message: string };
  console.log(JSON.stringify({ name, code, message }));
}
