import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { examples, isInstalled, root, run } from "./programs.js";

const work = mkdtempSync(join(tmpdir(), "certificates-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));

const drills = [
  "certificate-renewed-in-a-walk",
  "certificate-renewed-same-key",
  "certificate-rotation-half-done",
  "certificate-expires",
  "certificate-revoked",
  "certificate-near-its-end",
];

/** The recipes that read their files again: what each needs, how it is prepared in a copy of its folder, and its command. */
const recipes: Readonly<
  Record<string, readonly [program: string, command: readonly string[], prepare?: readonly string[]]>
> = {
  "node-https": ["node", [process.execPath, "main.mjs"]],
  "node-undici": ["npm", [process.execPath, "main.mjs"], ["install", "--ignore-scripts", "--no-audit", "--no-fund"]],
  python: ["python3", ["python3", "-B", "main.py"]],
  ruby: ["ruby", ["ruby", "main.rb"]],
  go: ["go", ["./client"], ["build", "-o", "client", "."]],
  java: [
    "javac",
    ["java", "-cp", "classes", "Main"],
    ["-d", "classes", "ApiException.java", "Json.java", "Main.java", "PaymentsClient.java"],
  ],
};

for (const [name, [program, command, preparing]] of Object.entries(recipes)) {
  const isMissing = !isInstalled(program, "--version");
  it.skipIf(isMissing)(`examples/${name} goes on when its certificate changes`, () => {
    const cwd = join(work, name);
    cpSync(join(examples, name), cwd, { recursive: true });
    if (preparing) run(program, preparing, { cwd });
    const report = join(work, `${name}.json`);
    const words = ["exam", "--drill", ...drills, "--report", report, "--", ...command];
    run(process.execPath, [join(root, "bin/payments-sandbox.mjs"), ...words], { cwd });
    const { drills: judged } = JSON.parse(readFileSync(report, "utf8"));
    const outcomes = judged.map((drill: { name: string; verdict: string; outcome: { exitStatus: number } }) => [
      drill.name,
      drill.verdict,
      drill.outcome.exitStatus,
    ]);
    expect(outcomes).toEqual(drills.map((drill) => [drill, "pass", 0]));
  });
}
