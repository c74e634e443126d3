import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { examine } from "../../../src/cli/doctor/examine.js";
import { readInputs } from "../../../src/cli/doctor/inputs.js";
import { DoctorReport } from "../../../src/cli/doctor/report.js";
import type { DoctorFlags } from "../../../src/cli/options.js";
import { type StartedSandbox, type StartOptions, startSandbox } from "../../../src/index.js";

/** A sandbox with its certificates in a folder, and a folder for a test's own files. */
export interface Clinic {
  readonly sandbox: StartedSandbox;
  /** Path of a file in the certificates folder. */
  certs(name: string): string;
  /** Writes a file, and returns its path. */
  file(name: string, content: string | Uint8Array): string;
  /** The findings for an identity in files, with the sandbox's CA and URLs unless others are given. */
  examine(flags: DoctorFlags): Promise<string[]>;
}

/** One sandbox for all tests of a file. */
export function clinic(options: StartOptions = {}): Clinic {
  let sandbox: StartedSandbox | undefined;
  const folder = mkdtempSync(join(tmpdir(), "doctor-"));
  mkdirSync(join(folder, "files"));
  const running = () => {
    if (!sandbox) throw new Error("The sandbox is not running.");
    return sandbox;
  };
  beforeAll(async () => {
    sandbox = await startSandbox({ certs: join(folder, "certs"), keyType: "ec", ...options });
  });
  afterAll(async () => {
    await sandbox?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const certs = (name: string) => join(folder, "certs", name);
  return {
    get sandbox() {
      return running();
    },
    certs,
    file: (name, content) => {
      const path = join(folder, "files", name);
      writeFileSync(path, content);
      return path;
    },
    examine: (flags) => {
      const { url, adminUrl } = running();
      return findings({ url, adminUrl, ca: certs("ca.pem"), ...flags });
    },
  };
}

/** The findings as they are printed: one for each, with its fix. Fails when a secret is printed. */
export async function findings(flags: DoctorFlags): Promise<string[]> {
  let text = "";
  const report = new DoctorReport((more) => {
    text += more;
  }, false);
  await examine(readInputs(flags, {}), report);
  expect(text).not.toMatch(/PRIVATE KEY-----|ey[A-Za-z0-9_-]{20,}\./);
  if (flags.password) expect(text.replaceAll('"sandbox"', "")).not.toContain(`"${flags.password}"`);
  return text.split(/\n(?! {2}→)/).filter((line) => line !== "");
}

/** The findings of one kind: `✗`, `!`. */
export function marked(mark: "✗" | "!" | "–", lines: readonly string[]): string[] {
  return lines.filter((line) => line.startsWith(mark));
}
