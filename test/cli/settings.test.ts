import { describe, expect, it } from "vitest";
import { freePort } from "../support/ports.js";
import { copyOfCerts, start, workFolder } from "./command.js";

describe("a flag takes precedence over its variable, the variable over the file, the file over the default", () => {
  it("for ports, folders, names and the scenario", { tags: "slow" }, async () => {
    const [port, fromFile] = [await freePort(), await freePort()];
    const cwd = workFolder({
      "sandbox.yaml": `port: ${fromFile}\nadminPort: ${port}\ncerts: not-this\nhostnames: [not-this.test]\nseed: from-file\nscenario: from-file\nadminAuth: token\nadminToken: from-file\n`,
    });
    const certs = copyOfCerts();
    const sandbox = await start(
      ["--certs", certs, "--port", "0", "--admin-port", "0", "--hostname", "a.test", "--hostname", "b.test"],
      {
        cwd,
        env: {
          SANDBOX_PORT: "1",
          SANDBOX_CERTS: "not-this-either",
          SANDBOX_SCENARIO: "flaky",
          SANDBOX_ADMIN_AUTH: "none",
        },
      },
    );
    expect(sandbox.stderr).toBe("");
    // The flag takes precedence over the variable and the file…
    expect(Number(new URL(sandbox.url).port)).not.toBe(fromFile);
    expect(sandbox.stdout).toContain(`Certs     ${certs}  `);
    // … the variable over the file …
    expect(sandbox.stdout).toContain("Scenario  flaky  (seed from-file;");
    expect(sandbox.stdout).not.toContain("requires a token");
    // … and the file over the default.
    expect(sandbox.stdout).toContain("Config    sandbox.yaml");
    const pem = await (await fetch(`${sandbox.adminUrl}/ca.pem`)).text();
    expect(pem).toContain("BEGIN CERTIFICATE");
  });
});
