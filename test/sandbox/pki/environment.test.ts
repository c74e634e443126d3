import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { describe, expect, it } from "vitest";
import { environmentText } from "../../../src/sandbox/pki/environment.js";
import { temporaryFolder } from "./fixture.js";
import { missing, run } from "./programs.js";

const identity = { folder: "clients/demo", clientId: "demo" };

describe("environmentText", () => {
  it("has values without quotes if they need none", () => {
    expect(
      environmentText(identity, { url: "https://localhost:8443", certsPath: "/home/you/certs" }).split("\n"),
    ).toEqual([
      "# Written by the sandbox at its start. In a shell: set -a; . ./client.env; set +a",
      "SANDBOX_URL=https://localhost:8443",
      "SANDBOX_CLIENT_ID=demo",
      "SANDBOX_CA_FILE=/home/you/certs/ca.pem",
      "SANDBOX_CERT_FILE=/home/you/certs/clients/demo/cert.pem",
      "SANDBOX_KEY_FILE=/home/you/certs/clients/demo/key.pem",
      "SANDBOX_IDENTITY_FILE=/home/you/certs/clients/demo/identity.pem",
      "SANDBOX_P12_FILE=/home/you/certs/clients/demo/client.p12",
      "SANDBOX_P12_PASSWORD=sandbox",
      "",
    ]);
  });

  it("joins Windows paths like Windows, on any system", () => {
    expect(environmentText(identity, { url: "https://localhost:8443", certsPath: "C:\\my work\\certs" })).toContain(
      "SANDBOX_KEY_FILE='C:\\my work\\certs\\clients\\demo\\key.pem'\n",
    );
  });

  const paths = [
    "/home/me/my work",
    "/home/o'neill/certs",
    '/home/say "hi"/certs',
    "/home/$(touch pwned)/`id`/$HOME",
    "/home/a#b;c&d|e>f",
    "/home/back\\slash",
    "/home/über/証明",
    "/home/tail ",
  ];

  it.each(paths)("can be read by a dotenv parser: %s", (certsPath) => {
    expect(parseEnv(environmentText(identity, { url: "https://localhost:8443", certsPath }))).toMatchObject({
      SANDBOX_CA_FILE: `${certsPath}/ca.pem`,
    });
  });

  it.skipIf(missing.sh).each([...paths, `/home/both ' and " and $x`])(
    "is read back by a shell: %s",
    async (certsPath) => {
      const file = join(temporaryFolder(), "client.env");
      writeFileSync(file, environmentText(identity, { url: "https://localhost:8443", certsPath }));
      const { output } = await run("sh", "-euc", '. "$1"; printf %s "$SANDBOX_CA_FILE"', "sh", file);
      expect(output).toBe(`${certsPath}/ca.pem`);
    },
  );
});
