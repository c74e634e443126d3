import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject } from "vitest";
import type { Configuration } from "../../src/sandbox/config/configuration.js";
import { afterTest } from "../support/cleanups.js";
import { copyFolder } from "../support/copy-folder.js";
import { start, type TestSandbox } from "./fixture.js";

/** A sandbox whose identities are complete, and its certificates folder. */
export async function startInFolder(
  settings: Partial<Configuration> = {},
  options: Parameters<typeof start>[1] = {},
): Promise<{ readonly own: TestSandbox; readonly certs: string }> {
  const folder = mkdtempSync(join(tmpdir(), "rotate-"));
  afterTest(() => rmSync(folder, { recursive: true, force: true }));
  const certs = join(folder, "certs");
  // Its CA must not issue certificates for other names.
  const wholeCerts = inject("wholeCerts");
  const isUsual = !("hostnames" in settings || "nameConstraints" in settings);
  if (isUsual && wholeCerts !== undefined) copyFolder(wholeCerts, certs);
  const own = await start({ certs, hostCerts: certs, keyType: "ec", ...settings }, options);
  await own.sandbox.identities;
  return { own, certs };
}

/**
 * Rotates the certificate of `demo` while a program reads its `identity.pem`, until the program's input ends.
 * @param reader the program, and its words before the path of the file
 * @returns what the program prints: its reads, those without a fitting pair, and the different texts
 */
export async function readWhileRotating(
  { own, certs }: { readonly own: TestSandbox; readonly certs: string },
  [program, ...words]: readonly [string, ...string[]],
  rotations: number,
): Promise<{ readonly reads: number; readonly unfit: number; readonly different: number }> {
  const child = spawn(program, [...words, join(certs, "clients/demo/identity.pem")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  for (let count = 0; count < rotations; count += 1)
    expect((await own.admin.post("/clients/demo/rotate", {})).status).toBe(200);
  child.stdin.end();
  await ended;
  return JSON.parse(output);
}
