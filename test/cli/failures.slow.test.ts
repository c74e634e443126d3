import { describe, it } from "vitest";
import { issueCertificate } from "../support/certificates.js";
import { copyOfCerts, workFolder } from "./command.js";
import { expectOneLine, free, start } from "./one-line.js";

// More of failures.test.ts.

describe.concurrent("one clear line and status 2", () => {
  it.each([
    [["--hostname", "a b"], /"a b" cannot be a name of the server/],
    [["--config", "nowhere.yaml"], /nowhere\.yaml/],
  ])("a flag: %j", async (args, text) => {
    expectOneLine(await start([...free, "--certs", copyOfCerts(), ...args]), 2, text);
  });

  it.each([
    ["a list", "lists:\n  x:\n    path: /v1/ping\n", /sandbox\.yaml:3:11: .*\/v1\/ping.*ping/],
    ["a client", "clients:\n  - clientId: demo\n    certificates: [c.pem]\n", /sandbox\.yaml:2:15: .*"demo"/],
  ])("the configuration, with file, line and column: %s", async (_name, text, message) => {
    const cwd = workFolder({ "sandbox.yaml": text, "c.pem": issueCertificate({ commonName: "c" }).cert });
    expectOneLine(await start([...free, "--certs", copyOfCerts()], { cwd }), 2, message);
  });
});
