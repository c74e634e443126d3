import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { makeReadable } from "./users.js";

declare module "vitest" {
  interface ProvidedContext {
    /** The package as it is shipped, in its own folder. */
    readonly built: {
      readonly folder: string;
      readonly cli: string;
      readonly container: string;
      readonly certs: string;
    };
  }
}

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The folders of tests that run the command. A run of single files below others needs no build. */
const running = /^(\.\/)?test\/(cli|documentation|imitate|package|replicas)\b/;
const chosen = process.argv.filter((word) => /^(\.\/)?test\/./.test(word));
const isNeeded = chosen.length === 0 || chosen.some((path) => running.test(path));

/**
 * Builds the command once for all tests that run it, outside `dist/`, and lets it make a certificates folder to copy.
 */
export default async function build(project: TestProject): Promise<() => void> {
  if (!isNeeded) return () => {};
  const folder = mkdtempSync(join(tmpdir(), "sandbox-build-"));
  const cli = join(folder, "dist", "cli.js");
  const certs = join(folder, "certs");
  const script = [join(root, "scripts/build.mjs"), "--quick", "--out", join(folder, "dist")];
  const { status, stderr } = spawnSync(process.execPath, script, { encoding: "utf8" });
  if (status !== 0) throw new Error(`The build failed.\n${stderr}`);
  for (const name of ["package.json", "scenarios"]) cpSync(join(root, name), join(folder, name), { recursive: true });
  // Some tests run it as another user.
  makeReadable(folder);
  await makeCerts(folder, cli, certs);
  project.provide("built", { folder, cli, container: join(folder, "dist", "container.js"), certs });
  return () => rmSync(folder, { recursive: true, force: true });
}

async function makeCerts(folder: string, cli: string, certs: string): Promise<void> {
  const settings = ["--port", "0", "--admin-port", "0", "--key-type", "ec", "--certs", certs];
  const child = spawn(process.execPath, [cli, "start", ...settings], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  let output = "";
  for await (const chunk of child.stdout) {
    output += chunk;
    const admin = /admin (http:\S+)\)/.exec(output)?.[1];
    if (admin === undefined) continue;
    while (!(await fetch(`${admin}/health`)).ok) await new Promise((resolve) => setTimeout(resolve, 20));
    break;
  }
  child.kill("SIGTERM");
  await ended;
}
