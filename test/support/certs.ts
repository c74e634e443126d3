import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { systemClock } from "../../src/sandbox/clock.js";
import { openCerts } from "../../src/sandbox/pki/folder.js";

declare module "vitest" {
  interface ProvidedContext {
    /** A complete certificates folder to copy, P-256. Not in every project. */
    readonly wholeCerts?: string;
  }
}

/** Makes one certificates folder for all tests that start a sandbox: copying it takes a twentieth of the time. */
export default async function makeCerts(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "sandbox-certs-"));
  const directory = join(folder, "certs");
  const certs = await openCerts({ directory, hostnames: [], keyType: "ec", fresh: false, clock: systemClock });
  await certs.complete;
  project.provide("wholeCerts", directory);
  return () => rmSync(folder, { recursive: true, force: true });
}
