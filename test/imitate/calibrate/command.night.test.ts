import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { parse } from "yaml";
import { CommandProcess, run, start } from "../../cli/command.js";
import { root } from "../../documentation/markdown.js";
import { hasTerminal, typeInto } from "../../support/terminal.js";
import { target } from "./command-line.js";

// What command.test.ts cannot do in its own process.

describe("payments-sandbox calibrate", () => {
  let folder: string;
  let flags: readonly string[];
  let answered: () => Promise<number>;

  beforeAll(async () => {
    ({ folder, flags, answered } = target(await start()));
  });

  it("the nightly job compares, with the secrets of the repository", async () => {
    expect((await run(["calibrate", ...flags], { cwd: folder })).code).toBe(0);
    const workflow = parse(readFileSync(join(root, "examples/ci/calibrate.yml"), "utf8"));
    const { env, steps } = workflow.jobs.drift;
    const script: string = steps.at(-1).run;
    const flag = (name: string) => flags[flags.indexOf(name) + 1] as string;
    const secrets = {
      CLIENT_CERT: readFileSync(flag("--cert"), "utf8"),
      CLIENT_KEY: readFileSync(flag("--key"), "utf8"),
    };
    expect(Object.keys(env).sort()).toEqual([...Object.keys(secrets), "CLIENT_ID", "SERVICE_URL"].sort());
    const job = (changes: Readonly<Record<string, string>> = {}) =>
      spawnSync("bash", ["-e", "-c", script.replace("sandbox/dist/cli.js", inject("built").cli)], {
        cwd: folder,
        encoding: "utf8",
        env: {
          PATH: process.env["PATH"],
          RUNNER_TEMP: folder,
          // The job's service is one that Node trusts.
          NODE_EXTRA_CA_CERTS: flag("--ca"),
          SERVICE_URL: flag("--url"),
          CLIENT_ID: "demo",
          ...secrets,
          ...changes,
        },
      });
    const { status, stdout } = job({ CLIENT_ID: "typo" });
    expect([status, stdout]).toEqual([1, ""]);
    expect(`${job({ SERVICE_URL: "http://x" }).stderr}`).toMatch(/--url is "http:\/\/x"/);
  });

  it.each([
    ["a person", "SIGINT"],
    ["a supervisor", "SIGTERM"],
  ] as const)("ended by %s, it writes what it has found until then", async (_who, signal) => {
    const slowly = flags.with(flags.indexOf("--rate") + 1, "0.01");
    const before = await answered();
    const command = new CommandProcess(["calibrate", ...slowly, "--out", `${signal}.yaml`], { cwd: folder });
    await expect.poll(answered).toBeGreaterThan(before);
    const { code, stdout, stderr } = await command.stop(signal);
    expect(code).toBe(1);
    expect(stderr).toMatch(/1 request sent\.\nStopped: You stopped it\./);
    expect(stdout).toMatch(/^(.*\n)*1 of 1 answer is the same\.\nWritten: SIG\w+\.yaml/);
  });

  it.skipIf(!hasTerminal).each([
    ["yes\n", /The service did not answer the token request: no answer \(/],
    ["y\n", /Nothing was sent\.\s*$/],
    ["\u0004", /Nothing was sent\.\s*$/],
    ["\u0003", /Nothing was sent\.\s*$/],
  ])("at the prompt, %j is typed (python3)", async (typed, shown) => {
    // This machine by an address that is not known as its own, and a port on which nothing listens.
    const elsewhere = flags.with(flags.indexOf("--url") + 1, "https://0.0.0.0:1/api");
    const command = [process.execPath, inject("built").cli, "calibrate", ...elsewhere, "--out", "prompt.yaml"];
    const { status, output } = await typeInto(command, { cwd: folder, after: "Type yes", typed });
    expect(output).toMatch(/calibrate sends at most \d+ requests to 0\.0\.0\.0:1, 100 a second\. Type yes to go on: /);
    expect([status, output]).toEqual([1, expect.stringMatching(shown)]);
  });
});
