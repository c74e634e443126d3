import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { describe, expect, inject, it } from "vitest";
import { CommandProcess, type Outcome, type RunOptions, workFolder } from "../cli/command.js";

/** Gets a token, pings, makes some mistakes: what a test suite of another language would do. */
const pythonClient = `
import json, os, ssl, urllib.error, urllib.parse, urllib.request
env = os.environ
tls = ssl.create_default_context(cafile=env["SANDBOX_CA_FILE"])
tls.load_cert_chain(env["SANDBOX_CERT_FILE"], env["SANDBOX_KEY_FILE"])
def call(path, token=None, form=None, context=tls):
    headers = {"Authorization": "Bearer " + token} if token else {}
    request = urllib.request.Request(env["SANDBOX_URL"] + path, data=form, headers=headers)
    try:
        return json.load(urllib.request.urlopen(request, context=context))
    except urllib.error.HTTPError as error:
        return json.load(error)
form = {"grant_type": "client_credentials", "client_id": env["SANDBOX_CLIENT_ID"], "scope": "read"}
token = call("/oauth/v2/oauth-token", form=urllib.parse.urlencode(form).encode())["access_token"]
print(call("/v1/ping", token)["status"])
print(call("/v1/payments?pageSize=500", token)["code"])
print(call("/v1/payments?pageSize=0", token)["code"])
try:
    call("/v1/ping", token, context=ssl.create_default_context())
except urllib.error.URLError as error:
    print(type(error.reason).__name__)
`;

/** Where the temporary folders of a test's processes lie: empty when they have cleaned up. */
function temporary(): { readonly env: Record<string, string>; readonly left: () => string[] } {
  const folder = workFolder();
  return { env: { TMPDIR: folder }, left: () => readdirSync(folder) };
}

/** Runs a command to its end, and expects that nothing is left of the sandbox. */
async function sandboxed(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const { env, left } = temporary();
  const outcome = await new CommandProcess(["run", ...args], { ...options, env: { ...env, ...options.env } }).ended;
  expect(left()).toEqual([]);
  return outcome;
}

/** What a program prints. */
function outputOf(program: string, args: readonly string[], env: Record<string, string>, input = ""): string {
  const stdio = ["pipe", "pipe", "ignore"] as const;
  return execFileSync(program, args, {
    input,
    stdio: [...stdio],
    env: { PATH: process.env["PATH"], ...env },
  }).toString();
}

const shell = (script: string): string[] => ["--", "sh", "-c", script];
const node = (script: string): string[] => ["--", process.execPath, "-e", script];

describe("a command", () => {
  it("finds a new sandbox by its environment; its output is unchanged", async () => {
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

  it("gets the path of every file, and each file exists", async () => {
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
          "CA_FILE",
          "CERTS",
          "CERT_FILE",
          "CLIENT_ID",
          "KEY_FILE",
          "P12_FILE",
          "P12_PASSWORD",
          "PORT",
          "URL",
        ].map((name) => `SANDBOX_${name}`),
      ],
      mode: "700",
      status: "ok",
      url: expect.stringMatching(/^https:\/\/localhost:\d+$/),
      id: "demo",
      keep: "kept",
    });
  });

  it("reads its standard input", async () => {
    const { env } = temporary();
    expect(outputOf(process.execPath, [inject("built").cli, "run", "--", "cat"], env, "hello")).toBe("hello");
  });

  it("may be Java", async ({ skip }) => {
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

  it.each([
    [["--scenario", "no-such", "--", "true"], /There is no scenario "no-such"/],
    [["--port", "1", "--", "true"], /unknown option '--port'/],
    [[], /missing required argument 'command'/],
  ])("that cannot be used end in status 2: %j", async (args, message) => {
    const { code, stdout, stderr } = await sandboxed(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
  });

  it("leave a command's own flags alone, with and without --", async () => {
    const { stdout } = await sandboxed(["echo", "--seed", "1"]);
    expect(stdout).toBe("--seed 1\n");
    expect((await sandboxed(["--seed", "2", "--", "echo", "--", "-n"])).stdout).toBe("-- -n\n");
  });
});

describe("the end", () => {
  it.each([
    ["`false`", ["--", "false"], 1],
    ["a signal", shell("kill -9 $$"), 137],
    ["an unknown command", ["--", "no-such-command"], 127],
    ["a file that is not executable", ["--", "/etc/passwd"], 126],
  ])("is that of the command: %s", async (_what, args, expected) => {
    const { code, signal, stderr } = await sandboxed(args);
    expect({ code, signal }).toEqual({ code: expected, signal: null });
    if (expected === 127) expect(stderr).toBe('payments-sandbox: There is no command "no-such-command".\n');
    if (expected === 126)
      expect(stderr).toMatch(/^payments-sandbox: The command "\/.*" cannot be run: it is not an executable file\.\n$/);
  });

  it("Ctrl+C ends the command and this process by the same signal, so that a shell's loop ends, too", async () => {
    const { code, signal } = await sandboxed(shell("kill -INT $$"));
    expect({ code, signal }).toEqual({ code: null, signal: "SIGINT" });
  });

  it.each(["SIGTERM", "SIGINT"] as const)("%s is passed on, and waited for", async (name) => {
    const { env, left } = temporary();
    const script = `process.once("${name}", () => setTimeout(() => process.exit(9), 50)); setInterval(() => {}, 1000); console.log("up")`;
    const command = new CommandProcess(["run", ...node(script)], { env });
    await command.waitFor(/up/);
    expect(left()).toHaveLength(1);
    const { code, stderr } = await command.stop(name);
    expect(code).toBe(9);
    expect(stderr).toMatch(/No request reached the sandbox\. Does the command use SANDBOX_URL/);
    expect(left()).toEqual([]);
  });

  it("of a command that does not handle SIGTERM is 143, and none of its ports stays open", async () => {
    const { env, left } = temporary();
    const command = new CommandProcess(["run", ...shell("echo $SANDBOX_ADMIN_URL; exec sleep 60")], { env });
    const [, adminUrl = ""] = await command.waitFor(/(http:\S+)\n/);
    expect((await fetch(`${adminUrl}/health`)).status).toBe(200);
    expect((await command.stop("SIGTERM")).code).toBe(143);
    await expect(fetch(`${adminUrl}/health`)).rejects.toThrow();
    expect(left()).toEqual([]);
  });

  it("may come before the command has begun", async () => {
    const { env, left } = temporary();
    const command = new CommandProcess(["run", ...shell("echo begun; exec sleep 60")], { env });
    while (left().length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    const { code, stdout } = await command.stop("SIGTERM");
    // It may have begun all the same.
    expect(code).toBe(143);
    expect(["", "begun\n"]).toContain(stdout);
    expect(left()).toEqual([]);
  });
});

describe("at a terminal", () => {
  it("Ctrl+C reaches the command once, not twice", async () => {
    const { env, left } = temporary();
    const child = `
      let presses = 0;
      process.on("SIGINT", () => {
        presses += 1;
        // Long enough for a second one to arrive.
        if (presses === 1) setTimeout(() => { console.log("got " + presses); process.exit(5); }, 300);
      });
      console.log("up");
      setTimeout(() => {}, 15_000);`;
    // Python has a pseudo-terminal in its standard library; Node has none.
    const script = `
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
output = b""
pressed = False
while True:
    try:
        data = os.read(terminal, 1000)
    except OSError:
        break
    if not data:
        break
    output += data
    if b"up" in output and not pressed:
        os.write(terminal, b"\\x03")
        pressed = True
print(output.decode(), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;
    const command = [process.execPath, inject("built").cli, "run", ...node(child)];
    const output = outputOf("python3", ["-c", script, ...command], env);
    expect(output).toMatch(/got 1\b/);
    expect(output.trimEnd()).toMatch(/ 5$/);
    expect(left()).toEqual([]);
  });
});
