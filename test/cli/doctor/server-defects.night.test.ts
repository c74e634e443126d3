import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { serverDefects } from "../../../src/sandbox/connection/server-defect.js";
import { CommandProcess, run, workFolder } from "../command.js";

const noCurl = spawnSync("curl", ["--version"]).status !== 0;

/** Name and verdict of each line. */
function table(stdout: string): Record<string, string> {
  const lines = stdout.split("\n\n")[0]?.split("\n") ?? [];
  return Object.fromEntries(lines.map((line) => [line.slice(0, 22).trim(), line.slice(22, 40).trim()]));
}

describe("payments-sandbox doctor --server-defects", () => {
  const ping = `curl -sS -o /dev/null --cacert "$SANDBOX_CA_FILE" "$SANDBOX_URL/v1/ping"`;
  const expected = {
    "the usual one": "accepts",
    ...Object.fromEntries(serverDefects.map((name) => [name, "refuses"])),
  };

  it.skipIf(noCurl)("prints what a careful client accepts, and exits with 0 (curl)", async () => {
    const { code, stdout } = await run(["doctor", "--server-defects", "--", "sh", "-c", ping]);
    expect(table(stdout)).toEqual({ ...expected, "common-name-only": "accepts" });
    expect(stdout).toMatch(
      /^common-name-only +accepts +weak; Node\.js, curl, Python, Java and openssl do so, too, by default$/m,
    );
    expect(stdout).toMatch(/\n\nThe client accepts nothing that all others refuse\.\n$/);
    expect(code).toBe(0);
  });

  it.skipIf(noCurl)("exits with 1 for a client that checks nothing (curl)", async () => {
    const careless = ping.replace("curl", "curl --insecure");
    const { code, stdout } = await run(["doctor", "--server-defects", "--", "sh", "-c", careless]);
    expect(new Set(Object.values(table(stdout)))).toEqual(new Set(["accepts"]));
    expect(stdout).toMatch(/^expired +accepts +a security bug: all other clients refuse it$/m);
    expect(stdout).toContain("\n\nThe client accepts 8 certificates that it must refuse:");
    expect(code).toBe(1);
  });

  it("says nothing about a command that does not reach the sandbox, and shows what it printed", async () => {
    const { code, stdout, stderr } = await run([
      "doctor",
      "--server-defects",
      "--",
      "sh",
      "-c",
      "echo lost >&2; exit 3",
    ]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/No request came over a good certificate.*It printed:\n {2}lost\n$/);
  });

  it("needs a command, and the flag", async () => {
    const without = await run(["doctor", "--server-defects"]);
    expect(without).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("doctor --server-defects -- node client.mjs"),
    });
    expect(await run(["doctor", "--", "true"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("only with --server-defects"),
    });
    expect(await run(["doctor", "--server-defects", "--", "/no/such"])).toMatchObject({ code: 127 });
  });
});

it.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("doctor --server-defects ends its command with %s, and exits with %i", async (signal, status) => {
  const folder = workFolder();
  const waits = ["sh", "-c", "touch begun; exec sleep 60"];
  const doctor = new CommandProcess(["doctor", "--server-defects", "--", ...waits], { cwd: folder });
  while (!existsSync(join(folder, "begun"))) await new Promise((resolve) => setTimeout(resolve, 20));
  expect((await doctor.stop(signal)).code).toBe(status);
});
