import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { programPatience } from "../support/patience.js";
import { packAndInstall } from "./packed.js";
import { type Ended, root, runProgram } from "./project.js";

/** What the client for curl calls. None of it is Node. */
const programs = "awk bash cat curl date env head jq mktemp rm sed sleep tr".split(" ");

const pathOf = (program: string) =>
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((file) => existsSync(file));

/** Why it cannot be tried here. */
function obstacle(): string | undefined {
  if (process.platform !== "linux") return "this is not Linux";
  const missing = programs.filter((program) => pathOf(program) === undefined);
  if (missing.length > 0) return `${missing.join(", ")} is not installed`;
  return readFileSync(process.execPath).includes("NODE_SEA_FUSE")
    ? undefined
    : "this Node.js cannot carry applications";
}

const skipped = obstacle();

describe.skipIf(skipped)(`the single executable${skipped === undefined ? "" : ` (SKIPPED: ${skipped})`}`, () => {
  let home: string;
  let binary: string;

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), "sandbox-binary-"));
    binary = join(home, "payments-sandbox");
    const { folder } = await packAndInstall();
    const made = await runProgram(root, process.execPath, [
      ...["scripts/build-binary.mjs", "--package", folder, "--out", binary],
    ]);
    if (made.code !== 0) throw new Error(made.stderr);
    mkdirSync(join(home, "bin"));
    mkdirSync(join(home, "empty"));
    for (const program of programs) symlinkSync(pathOf(program) as string, join(home, "bin", program));
  }, programPatience);
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  /** Runs it in an empty folder, with two variables in the environment; Node is not in the path. */
  const run = (args: readonly string[], cache = join(home, "cache")): Promise<Ended> =>
    runProgram(join(home, "empty"), "/usr/bin/env", [
      ...["-i", `PATH=${join(home, "bin")}`, `XDG_CACHE_HOME=${cache}`, `TMPDIR=${home}`, binary, ...args],
    ]);
  const client = ["bash", join(root, "examples/curl/client.sh")];

  it("runs a command with a sandbox of its own", async () => {
    const { code, stdout, stderr } = await run(["run", "--", ...client]);
    expect(stderr).toMatch(/The sandbox saw \d+ requests/);
    expect(stderr).toMatch(/list payouts +200/);
    expect(stdout + stderr).not.toMatch(/warning/i);
    expect(code).toBe(0);
    expect(readdirSync(join(home, "empty"))).toEqual([]);
  });

  it("examines a client", async () => {
    const { code, stdout } = await run(["exam", "--drill", "plain", "--", ...client]);
    expect(stdout).toContain("The exam is passed.");
    expect(code).toBe(0);
  });

  it("has the scenarios and the documents inside", async () => {
    const { stdout } = await run(["scenarios"]);
    expect(stdout).toContain("maintenance");
    const [folder = ""] = readdirSync(join(home, "cache", "payments-sandbox"));
    const unpacked = join(home, "cache", "payments-sandbox", folder);
    for (const file of ["docs/guide/exam.md", "dist/dashboard/app.js", "examples/README.md", "llms.txt"])
      expect(existsSync(join(unpacked, file)), file).toBe(true);
  });

  it("passes a program's status on, and its own name is no argument", async () => {
    expect((await run(["run", "--", "bash", "-c", "exit 7"])).code).toBe(7);
    const { stdout } = await run(["--help"]);
    expect(stdout).toContain("Usage: payments-sandbox");
  });

  it("unpacks again what was removed", async () => {
    await run(["--version"]);
    const place = join(home, "cache", "payments-sandbox");
    const [folder = ""] = readdirSync(place);
    rmSync(join(place, folder, "dist", "cli.js"));
    expect(await run(["--version"])).toMatchObject({ code: 0, stderr: "" });
    expect(readdirSync(place)).toEqual([folder]);
  });

  it("several that start at the same time unpack once", async () => {
    const cache = join(home, "together");
    const ended = await Promise.all(Array.from({ length: 4 }, () => run(["--version"], cache)));
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(readdirSync(join(cache, "payments-sandbox"))).toHaveLength(1);
  });

  it("runs nothing from a folder that others can write to", async () => {
    const cache = join(home, "open");
    mkdirSync(join(cache, "payments-sandbox"), { recursive: true });
    chmodSync(join(cache, "payments-sandbox"), 0o777);
    expect((await run(["--version"], cache)).code).toBe(0);
    expect(readdirSync(join(cache, "payments-sandbox"))).toEqual([]);
  });

  it("needs only the system's own libraries", () => {
    const libraries = execFileSync("ldd", [binary], { encoding: "utf8" });
    expect(libraries).not.toContain("not found");
    expect(libraries).not.toMatch(/libnode/);
  });
});
