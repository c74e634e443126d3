import { execFileSync } from "node:child_process";
import { describe, expect, inject, it } from "vitest";
import { hasTerminal, typeInto } from "../../support/terminal.js";
import { CommandProcess, workFolder } from "../command.js";
import { expectPassedOn, node, outputOf, pythonClient, sandboxed, shell, temporary } from "./sandboxed.js";

// More of run.test.ts.

describe("a command", () => {
  it("can test whether it refuses a defective certificate; the summary says if it did not", async () => {
    const careful = `${pythonClient.split("form =")[0]}
for name in ["EXPIRED", "WRONG_HOST", "UNTRUSTED"]:
    env["SANDBOX_URL"] = env["SANDBOX_" + name + "_URL"]
    try:
        call("/v1/ping")
    except urllib.error.URLError as error:
        print(error.reason.verify_message)
`;
    const refused = await sandboxed(["--", "python3", "-c", careful]);
    expect(refused.stdout.split("\n")).toEqual([
      "certificate has expired",
      expect.stringContaining("Hostname mismatch"),
      "unable to get local issuer certificate",
      "",
    ]);
    expect(refused.stderr).toContain("No request reached the sandbox.");
    expect(refused.stderr).not.toContain("despite");
    expect(refused.stderr).toMatch(/an intended defect \(expired, by the port\)/);
    expect(refused.stderr).toMatch(/an intended defect \(untrusted, by the port\)/);

    // The client means the other host, to which this certificate belongs. Its verification is on.
    const mistaken = `
      const { readFileSync } = require("node:fs");
      const { get } = require("node:https");
      const options = { ca: readFileSync(process.env.SANDBOX_CA_FILE), servername: "elsewhere.test", agent: false };
      get(process.env.SANDBOX_WRONG_HOST_URL + "/v1/ping", options, (answer) => console.log(answer.resume().statusCode));`;
    const { stdout, stderr } = await sandboxed(node(mistaken));
    expect(stdout).toBe("401\n");
    expect(stderr).toMatch(
      /\nThe client went on despite a certificate that it should have refused:\n {2}401 UNAUTHORIZED {2}GET \/v1\/ping\n {6}The client went on .* security bug/,
    );
  });

  it("reads its standard input", async () => {
    const { env } = temporary();
    expect(outputOf(process.execPath, [inject("built").cli, "run", "--", "cat"], env, "hello")).toBe("hello");
  });

  it("can be Java", async ({ skip }) => {
    try {
      execFileSync("java", ["-version"], { stdio: "ignore" });
    } catch {
      skip("java is not installed");
    }
    const java = workFolder({
      "Ping.java": `
        import java.net.URI; import java.net.http.*; import java.nio.file.*; import java.security.KeyStore; import javax.net.ssl.*;
        class Ping {
          public static void main(String[] args) throws Exception {
            var password = System.getenv("SANDBOX_P12_PASSWORD").toCharArray();
            var store = KeyStore.getInstance("PKCS12");
            try (var in = Files.newInputStream(Path.of(System.getenv("SANDBOX_P12_FILE")))) { store.load(in, password); }
            var keys = KeyManagerFactory.getInstance("PKIX"); keys.init(store, password);
            var trust = TrustManagerFactory.getInstance("PKIX"); trust.init(store);
            var tls = SSLContext.getInstance("TLS"); tls.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            var client = HttpClient.newBuilder().sslContext(tls).version(HttpClient.Version.HTTP_1_1).build();
            var form = "grant_type=client_credentials&scope=read&client_id=" + System.getenv("SANDBOX_CLIENT_ID");
            var request = HttpRequest.newBuilder(URI.create(System.getenv("SANDBOX_URL") + "/oauth/v2/oauth-token"))
              .header("Content-Type", "application/x-www-form-urlencoded").POST(HttpRequest.BodyPublishers.ofString(form)).build();
            System.out.println(client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode());
          }
        }`,
    });
    const { stdout, code, stderr } = await sandboxed(["--", "java", `${java}/Ping.java`]);
    expect({ stdout, code, stderr }).toMatchObject({ stdout: "200\n", code: 0 });
  });
});

describe("settings", () => {
  it("are those of `start`: scenario, seed, configuration, log", async () => {
    const cwd = workFolder({
      "sandbox.yaml": "assumptions: { ping.response: { body: { pong: true } } }\n",
    });
    const script = `${pythonClient.split("print")[0]}print(call("/v1/ping", token)["pong"])\nprint(call("/v1/payments", token)["code"])`;
    const { stdout, stderr } = await sandboxed(
      ["--scenario", "invalid-cursor", "--seed", "42", "--log", "requests", "--", "python3", "-c", script],
      { cwd },
    );
    expect(stdout).toBe("True\nINVALID_CURSOR\n");
    expect(stderr).toMatch(/200 {2}POST \/oauth\/v2\/oauth-token/);
    expect(stderr).toContain("can be repeated with --seed 42");
  });

  it("do not affect a command's own flags, with and without --", async () => {
    const { stdout } = await sandboxed(["echo", "--seed", "1"]);
    expect(stdout).toBe("--seed 1\n");
    expect((await sandboxed(["--seed", "2", "--", "echo", "--", "-n"])).stdout).toBe("-- -n\n");
  });
});

describe("the end", () => {
  it.each([
    ["a signal", shell("kill -9 $$"), 137],
    ["an unknown command", ["--", "no-such-command"], 127],
    ["a file that is not executable", ["--", "/etc/passwd"], 126],
    ["a name that is too long", ["--", "x".repeat(300)], 126],
  ])("is that of the command: %s", async (_what, args, expected) => {
    const { code, signal, stderr } = await sandboxed(args);
    expect({ code, signal }).toEqual({ code: expected, signal: null });
    if (expected === 127) expect(stderr).toBe('payments-sandbox: There is no command "no-such-command".\n');
    if (expected === 126)
      expect(stderr).toMatch(
        /^payments-sandbox: The command ".*" cannot be run: (it is not an executable file|.*ENAMETOOLONG)\.\n$/,
      );
  });

  it("of a command by Ctrl+C ends this one by the same signal, so that a shell's loop ends, too", async () => {
    const { code, signal } = await sandboxed(shell("kill -INT $$"));
    expect({ code, signal }).toEqual({ code: null, signal: "SIGINT" });
  });

  it("SIGINT is passed on, and the end of the command is awaited", () => expectPassedOn("SIGINT"));

  it("can be requested before the command has started", async () => {
    const { env, left } = temporary();
    const command = new CommandProcess(["run", ...shell("echo begun; exec sleep 3600")], { env });
    while (left().length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    const { code, stdout } = await command.stop("SIGTERM");
    // The command may have started nevertheless.
    expect(code).toBe(143);
    expect(["", "begun\n"]).toContain(stdout);
    expect(left()).toEqual([]);
  });
});

describe.skipIf(!hasTerminal)("at a terminal (python3)", () => {
  it("Ctrl+C reaches the command once, not twice", async () => {
    const { env, left } = temporary();
    const child = `
      let presses = 0;
      process.on("SIGINT", () => {
        presses += 1;
        // Long enough for a second signal to arrive.
        if (presses === 1) setTimeout(() => { console.log("got " + presses); process.exit(5); }, 300);
      });
      console.log("up");
      setTimeout(() => {}, 15_000);`;
    const command = [process.execPath, inject("built").cli, "run", ...node(child)];
    const { status, output } = await typeInto(command, {
      env: { PATH: process.env["PATH"], ...env },
      after: "up",
      typed: "\u0003",
    });
    expect(output).toMatch(/got 1\b/);
    expect(status).toBe(5);
    expect(left()).toEqual([]);
  });
});
