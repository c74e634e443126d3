import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { closeFolder, needsOrdinaryUser, ordinaryUser } from "../../support/users.js";
import { CommandProcess, workFolder } from "../command.js";
import { inProcess } from "../in-process.js";
import { expectPassedOn, node, pythonClient, sandboxed, shell, temporary } from "./sandboxed.js";

describe("a command", () => {
  it("has a separate sandbox, even if others share their state", { tags: "slow" }, async () => {
    const { code, stderr } = await inProcess(["run", ...node("")], { env: { SANDBOX_SHARED: "redis://127.0.0.1:1" } });
    expect([code, stderr]).toEqual([0, expect.not.stringContaining("Redis")]);
  });

  it("finds a new sandbox through its environment, and its output is not changed", async () => {
    const { code, stdout, stderr } = await sandboxed(["--", "python3", "-c", pythonClient]);
    expect(stdout.split("\n")).toEqual([
      "OK",
      "INVALID_PAGE_SIZE",
      "INVALID_PAGE_SIZE",
      "SSLCertVerificationError",
      "",
    ]);
    expect(code).toBe(0);
    expect(stderr).toContain("payments-sandbox: The sandbox saw 4 requests:");
    expect(stderr).toMatch(/^ {2}token +200 ×1$/m);
    expect(stderr).toMatch(/^ {2}list payments +400 INVALID_PAGE_SIZE ×2$/m);
    expect(stderr).toMatch(/^ {2}400 INVALID_PAGE_SIZE {2}GET \/v1\/payments\?pageSize=500 \(×2\)\n {6}\S.*1 to 100/m);
    expect(stderr).toMatch(/Connections without a request:\n {2}The client refused.*ca\.pem/);
    expect(stderr).not.toContain("--seed");
  });

  it("names the rules of its scenarios that no request matched", { tags: "slow" }, async () => {
    const rules = [
      "  - { name: met, when: { operation: token }, limit: 1, then: { error: SERVICE_UNAVAILABLE } }",
      "  - { name: lost, when: { list: payouts }, then: { error: NOT_FOUND } }",
      "  - { name: hidden, when: { client: demmo }, then: { error: NOT_FOUND } }",
    ].join("\n");
    const cwd = workFolder({ "mine.yaml": `description: x\nrules:\n${rules}\n` });
    const command = ["--", "python3", "-c", pythonClient];
    const { stderr } = await inProcess(["run", "--scenarios", ".", "--scenario", "mine", ...command], { cwd });
    expect(stderr).toContain("No request matched the rules lost and hidden of the scenario mine.\n");
    const { stderr: other } = await inProcess(["run", ...command], { cwd });
    expect(other).not.toContain("No request matched");
  });

  it("gets the places of all files, and they exist", { tags: "slow" }, async () => {
    const script = `
      const { accessSync, readFileSync, statSync } = require("node:fs");
      const { createSecureContext } = require("node:tls");
      const { dirname } = require("node:path");
      const env = process.env;
      const cert = readFileSync(env.SANDBOX_CERT_FILE), key = readFileSync(env.SANDBOX_KEY_FILE);
      createSecureContext({ cert, key, ca: readFileSync(env.SANDBOX_CA_FILE) });
      createSecureContext({ pfx: readFileSync(env.SANDBOX_P12_FILE), passphrase: env.SANDBOX_P12_PASSWORD });
      const folder = dirname(env.SANDBOX_CA_FILE);
      accessSync(folder + "/misfits/wrong-usage/client.p12");
      fetch(env.SANDBOX_ADMIN_URL + "/health").then((answer) => answer.json()).then((health) => {
        const own = Object.keys(env).filter((name) => name.startsWith("SANDBOX_")).sort();
        const mode = (statSync(folder).mode & 0o777).toString(8);
        console.log(JSON.stringify({ own, mode, status: health.status, url: env.SANDBOX_URL, id: env.SANDBOX_CLIENT_ID, keep: env.KEEP }));
      });`;
    const { stdout } = await sandboxed(node(script), {
      env: { KEEP: "kept", SANDBOX_PORT: "1", SANDBOX_CERTS: "/nowhere" },
    });
    expect(JSON.parse(stdout)).toEqual({
      own: [
        ...[
          "ADMIN_URL",
          "ANSWERS",
          "CA_FILE",
          "CERTS",
          "CERT_FILE",
          "CLIENT_ID",
          "EXPIRED_URL",
          "IDENTITY_FILE",
          "JUNIT",
          "KEY_FILE",
          "P12_FILE",
          "P12_PASSWORD",
          "PORT",
          "UNTRUSTED_URL",
          "URL",
          "WRONG_HOST_URL",
        ].map((name) => `SANDBOX_${name}`),
      ],
      mode: "700",
      status: "ok",
      url: expect.stringMatching(/^https:\/\/localhost:\d+$/),
      id: "demo",
      keep: "kept",
    });
  });
});

describe("settings", () => {
  it.each([
    [["--scenario", "no-such", "--", "true"], /There is no scenario "no-such"/],
    [["--port", "1", "--", "true"], /There is no option --port/],
    [["--ignore", "tls.reuse", "--", "true"], /--ignore needs --report or --fail-on/],
    [[], /There is no command to run: put -- before it, as in payments-sandbox run -- node client\.mjs\./],
    [["--ignore", "tls.reuse", "node", "x"], /There is no command to run: put -- before it/],
    // What the user wrote is escaped on its way to the terminal.
    [["--fail-on", "may\u202e", "--", "true"], /--fail-on is "may\\u202e"; give one of never, must, should\./],
    [["--ignore", "\u009b31m", "--", "true"], /--ignore names "\\u009b31m", which is not a check; there are /],
    [["--report", "--", "true"], /There is no command to run: put -- before it/],
  ])("that cannot be used end in status 2: %j", async (args, message) => {
    const { code, stdout, stderr } = await inProcess(["run", ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
  });

  it("that are invalid are reported with file, line and column, and a misspelt variable gets a suggestion", async () => {
    const cwd = workFolder({ "sandbox.yaml": "lists:\n  a: { path: no-slash }\n" });
    const { code, stderr } = await inProcess(["run", "--", "true"], { cwd, env: { SANDBOX_SENARIO: "slow" } });
    expect(code).toBe(2);
    expect(stderr).toContain("sandbox.yaml:2:14: lists.a.path: must begin with /");
    expect(stderr).toContain("SANDBOX_SENARIO is not the variable of a setting. Did you mean SANDBOX_SCENARIO?");
  });
});

describe("the end", () => {
  it("is that of the command", async () => {
    const { code, signal } = await sandboxed(["--", "false"]);
    expect({ code, signal }).toEqual({ code: 1, signal: null });
  });

  it.skipIf(!ordinaryUser)(
    `is 127 without such a command, and a closed folder in PATH ${needsOrdinaryUser}`,
    { tags: "slow" },
    async () => {
      const closed = workFolder();
      closeFolder(closed, 0o000);
      const env = { PATH: `${closed}:${process.env["PATH"]}`, TMPDIR: tmpdir() };
      const { code, stderr } = await sandboxed(["--", "no-such-command"], { env, cwd: "/", ...ordinaryUser });
      expect([code, stderr]).toEqual([127, 'payments-sandbox: There is no command "no-such-command".\n']);
    },
  );

  it.each(["SIGTERM", "SIGUSR2"] as const)(
    "%s is passed on, and the end of the command is awaited",
    { tags: "slow" },
    expectPassedOn,
  );

  it("of a command that does not handle SIGTERM is 143, and none of its ports stays open", {
    tags: "slow",
  }, async () => {
    const { env, left } = temporary();
    const command = new CommandProcess(["run", ...shell("echo $SANDBOX_ADMIN_URL; exec sleep 3600")], { env });
    const [, adminUrl = ""] = await command.waitFor(/(http:\S+)\n/);
    expect((await fetch(`${adminUrl}/health`)).status).toBe(200);
    expect((await command.stop("SIGTERM")).code).toBe(143);
    await expect(fetch(`${adminUrl}/health`)).rejects.toThrow();
    expect(left()).toEqual([]);
  });
});
