import { hash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type beforeAll, onTestFinished } from "vitest";
import type { Clock } from "../../../src/sandbox/clock.js";
import type { Certs, CertsOptions, Identity } from "../../../src/sandbox/pki/certs.js";
import { openCerts } from "../../../src/sandbox/pki/folder.js";
import { copyFolder } from "../../support/copy-folder.js";

export const day = 86_400_000;

/**
 * A clock that does not move until it is set. It starts at the current time, because the tools that check certificates
 * use that.
 */
export class TestClock implements Clock {
  instant = Date.now();
  now(): number {
    return this.instant;
  }
}

/** An empty folder, removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "pki-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Opens a certificates folder, with P-256 keys by default. */
export function open(directory: string, options: Partial<CertsOptions> = {}): Promise<Certs> {
  return openCerts({ directory, hostnames: [], keyType: "ec", fresh: false, clock: new TestClock(), ...options });
}

/** Opens a folder and waits until every identity exists. */
export async function openWhole(directory: string, options: Partial<CertsOptions> = {}): Promise<Certs> {
  const certs = await open(directory, options);
  await certs.complete;
  return certs;
}

/** A new, complete certificates folder, including the paths in `client.env`. */
export async function wholeFolder(options: Partial<CertsOptions> = {}): Promise<string> {
  const directory = join(temporaryFolder(), "certs");
  const certs = await openWhole(directory, options);
  await certs.writeEnvironment({ url: "https://localhost:8443", certsPath: directory });
  return directory;
}

/**
 * Makes one complete folder for the tests of a file. Each test gets a copy, because making it takes ten times as long
 * as copying it.
 * @param before vitest's `beforeAll`
 */
export function folderToCopy(before: typeof beforeAll): () => string {
  let original = "";
  before(async () => {
    original = mkdtempSync(join(tmpdir(), "pki-"));
    await openWhole(original);
    return () => rmSync(original, { recursive: true, force: true });
  });
  return () => {
    const copy = join(temporaryFolder(), "certs");
    copyFolder(original, copy);
    return copy;
  };
}

/** What the sandbox or a system adds to a certificates folder without showing it: the names that begin with a dot. */
export function hiddenNames(directory: string): string[] {
  return readdirSync(directory).filter((name) => name.startsWith("."));
}

/**
 * Every file below a folder, by its path, with the time of its last change and a hash of its content. Not the folder of
 * the last generation.
 */
export function snapshot(directory: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || basename(entry.parentPath).startsWith(".generation-")) continue;
    const path = join(entry.parentPath, entry.name);
    files[path.slice(directory.length + 1)] = `${statSync(path).mtimeMs} ${hash("sha256", readFileSync(path))}`;
  }
  return files;
}

/** The permission bits of a file or folder. */
export function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

/** Cuts a file in half. */
export function truncate(path: string): void {
  const bytes = readFileSync(path);
  // A new file, because only root can write to one of mode 0400.
  rmSync(path);
  writeFileSync(path, bytes.subarray(0, bytes.length / 2));
}

/** One identity by its name. */
export function named(identities: readonly Identity[], name: string): Identity {
  const identity = identities.find((candidate) => candidate.name === name);
  if (!identity) throw new Error(`there is no identity ${name}`);
  return identity;
}
