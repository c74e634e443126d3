import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readEnvironment, snippetFacts } from "../../../src/admin/dashboard/view/environment-file.js";
import { languages } from "../../../src/admin/dashboard/view/snippets.js";
import { startShared, type TestSandbox } from "../fixture.js";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "dashboard-snippets-"));

/** How a snippet is run, as its first line says, and what tells that its language is there. */
const programs = {
  curl: { file: "ping.sh", command: ["sh", "ping.sh"], probe: ["curl", "--version"] },
  node: { file: "ping.mjs", command: ["node", "ping.mjs"], probe: ["node", "--version"] },
  python: { file: "ping.py", command: ["python3", "ping.py"], probe: ["python3", "--version"] },
  java: { file: "Ping.java", command: ["java", "Ping.java"], probe: ["java", "--version"] },
  go: { file: "ping.go", command: ["go", "run", "ping.go"], probe: ["go", "version"] },
} as const;

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startShared();
  await sandbox.mint({ clientId: "mine" });
  // As they are downloaded.
  for (const file of ["cert.pem", "key.pem", "client.p12"]) {
    writeFileSync(join(folder, `mine-${file}`), (await sandbox.admin.get(`/clients/mine/${file}`)).bytes);
  }
  writeFileSync(join(folder, "ca.pem"), (await sandbox.admin.get("/ca.pem")).bytes);
});

afterAll(() => rmSync(folder, { recursive: true }));

function isThere([program, ...parameters]: readonly [string, ...string[]]): boolean {
  try {
    execFileSync(program, parameters, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe("the snippets of the page of clients", () => {
  for (const { id, name, snippet } of languages) {
    const { file, command, probe } = programs[id];
    it.skipIf(!isThere(probe))(`${name}: gets a token and pings`, async () => {
      const facts = snippetFacts(readEnvironment((await sandbox.admin.get("/clients/mine/client.env")).text));
      if (!facts) throw new Error("The client.env lacks something.");
      writeFileSync(join(folder, file), snippet(facts));
      const [program, ...parameters] = command;
      const { stdout } = await run(program, parameters, { cwd: folder, encoding: "utf8" });
      expect(stdout).toMatch(/['"]?status['"]?: ?['"]OK['"]/);
    });
  }
});
