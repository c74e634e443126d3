import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { needsOrdinaryUser, ordinaryUser } from "../../support/users.js";
import { copyOfCerts, run, start } from "../command.js";
import { inProcess } from "../in-process.js";
import { nodeBehindProxy } from "../run/proxied-clients.js";

/** The variables of a `client.env`. */
function environment(path: string): Record<string, string> {
  const lines = readFileSync(path, "utf8").split("\n");
  return Object.fromEntries(lines.filter((line) => /^\w+=/.test(line)).map((line) => line.split(/=(.*)/s).slice(0, 2)));
}

describe("payments-sandbox doctor", () => {
  it("checks the identity of the environment, or that of its flags", async () => {
    const { certs, url, adminUrl } = await start();
    const env = environment(`${certs}/clients/demo/client.env`);
    const well = await inProcess(["doctor"], { env });
    expect(well).toMatchObject({ code: 0, stderr: "" });
    expect(well.stdout).toMatch(/\n\nAll is well: this client gets tokens, and answers\.\n$/);
    expect(well.stdout).toMatch(/^✓ PKCS#12 /m);

    const identity = ["--cert", `${certs}/misfits/expired/cert.pem`, "--key", `${certs}/misfits/expired/key.pem`];
    const places = ["--url", url, "--admin-url", adminUrl, "--ca", `${certs}/ca.pem`];
    const ill = await inProcess(["doctor", ...identity, ...places, "--client-id", "demo"]);
    expect(ill).toMatchObject({ code: 1, stderr: "" });
    expect(ill.stdout).toMatch(/\n\n3 problems\.\n$/);
    // No colours without a terminal.
    expect(ill.stdout).not.toContain("\u001b");
  });

  it("names what sends clients to a proxy, and the line that fixes it", async () => {
    const { certs } = await start();
    const client = { ...environment(`${certs}/clients/demo/client.env`), HTTPS_PROXY: "http://a:hidden@127.0.0.1:9" };
    const diverted = await inProcess(["doctor"], { env: { ...client, no_proxy: "it's.example" } });
    expect(diverted.code).toBe(0);
    expect(diverted.stdout).toMatch(
      /^! HTTPS_PROXY is set, and NO_PROXY does not name localhost: .*-Dhttps\.proxyHost/m,
    );
    expect(diverted.stdout).toMatch(/\n\n1 warning\.\n$/);
    expect(diverted.stdout).not.toContain("hidden");
    const [, line = ""] = /^ {2}→ (export NO_PROXY=.*)$/m.exec(diverted.stdout) ?? [];
    const script = `${line}; printenv NO_PROXY no_proxy`;
    const [value = "", same] = execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\n");
    expect([value, same]).toEqual([expect.stringMatching(/^it's\.example,localhost,/), value]);
    const fixed = await inProcess(["doctor"], { env: { ...client, NO_PROXY: value, no_proxy: value } });
    expect(fixed.stdout).toMatch(/\n\nAll is well: /);
  });

  it("says that a client id comes from a variable of the shell, and not that one was given", {
    tags: "slow",
  }, async () => {
    const { certs, url, adminUrl } = await start();
    const identity = ["--cert", `${certs}/clients/demo/cert.pem`, "--key", `${certs}/clients/demo/key.pem`];
    const places = ["--url", url, "--ca", `${certs}/ca.pem`, "--admin-url"];
    const env = { SANDBOX_CLIENT_ID: "other" };
    const { stdout } = await inProcess(["doctor", ...identity, ...places, adminUrl], { env });
    expect(stdout).toMatch(
      /^✗ The certificate is registered for the client "demo", and the client id is "other", from the variable SANDBOX_CLIENT_ID\.\n {2}→ Send client_id=demo/m,
    );
    const blind = await inProcess(["doctor", ...identity, ...places, "http://localhost:1"], { env });
    expect(blind.stdout).toMatch(
      /^✗ A token was refused: 400 INVALID_CLIENT.*\n {2}→ The client id "other" comes from the variable SANDBOX_CLIENT_ID\./m,
    );
    for (const [args, variables] of [
      [["--client-id", "other"], env],
      [["--client-id", "other"], {}],
      [[], {}],
    ] as const) {
      const { stdout: silent } = await inProcess(["doctor", ...identity, ...places, adminUrl, ...args], {
        env: variables,
      });
      expect(silent).not.toContain("SANDBOX_CLIENT_ID");
    }
  });

  it("connects directly, also if Node.js sends requests to a proxy", { tags: "slow" }, async () => {
    const { adminUrl } = await start();
    const env = { HTTP_PROXY: "http://127.0.0.1:9", ...nodeBehindProxy() };
    const { stdout } = await run(["doctor", "--url", adminUrl.replace("http:", "https:")], { env });
    expect(stdout).toMatch(/^✗ .* is the sandbox's admin API, which uses plain HTTP\./m);
  });

  it("finds that there is no certificate, and checks the server anyway", { tags: "slow" }, async () => {
    const { certs, url, adminUrl } = await start();
    const { code, stdout, stderr } = await inProcess(["doctor", "--url", url, "--admin-url", adminUrl]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(stdout).toMatch(
      /^✗ There is no client certificate: .*\n {2}→ Every request needs one\. Give --cert certs\/clients\/demo\/cert\.pem/m,
    );
    expect(stdout).toMatch(/^✓ The server at .* is trusted/m);
    expect(stdout).toMatch(/^– A token and a ping were not tried/m);
    expect(stdout).toMatch(/\n\n1 problem[.,]/);
    const withCa = await inProcess(["doctor", "--url", url, "--admin-url", adminUrl, "--ca", `${certs}/ca.pem`]);
    expect(withCa.stdout).toMatch(/\n\n1 problem\.\n$/);
    // Nothing listens there, which is another finding.
    const alone = await inProcess(["doctor", "--url", "https://localhost:1", "--admin-url", "http://localhost:1"]);
    expect(alone).toMatchObject({ code: 1, stderr: "" });
    expect(alone.stdout).toMatch(/^✗ There is no client certificate/m);
    expect(alone.stdout).toMatch(/^✗ Nothing listens at localhost, port 1\./m);
  });

  it.skipIf(!ordinaryUser)(`says that it has no permission to read a file ${needsOrdinaryUser}`, async () => {
    const certs = copyOfCerts();
    const [cert, key] = ["cert.pem", "key.pem"].map((name) => `${certs}/clients/demo/${name}`) as [string, string];
    chmodSync(key, 0o000);
    const { code, stdout } = await run(["doctor", "--cert", cert, "--key", key], { ...ordinaryUser, cwd: "/" });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^✗ Key .*key\.pem may not be read by this user\.\n {2}→ Run as the owner of the file/m);
  });

  it.each<[string[], Record<string, string>, RegExp]>([
    [["--cert", "a.pem"], {}, /--key is missing/],
    [["--cert", "a.pem"], { SANDBOX_KEY_FILE: "b.pem" }, /--key is missing/],
    [[], { SANDBOX_CERT_FILE: "a.pem" }, /SANDBOX_KEY_FILE is missing/],
    [["--cert", "a", "--key", "b", "--p12", "c"], {}, /--cert with --key, or --p12, but not both/],
    [["--p12", "c", "--url", "localhost:8443"], {}, /The URL "localhost:8443" must have the form https:\/\/HOST:PORT/],
    [["--p12", "c", "--admin-url", "https://x"], {}, /The admin URL "https:\/\/x" must have the form http:\/\//],
    [["--pem", "c"], {}, /There is no option --pem/],
  ])("refuses a command line that cannot be used: %j %j", async (args, env, message) => {
    const { code, stdout, stderr } = await inProcess(["doctor", ...args], { env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
  });
});
