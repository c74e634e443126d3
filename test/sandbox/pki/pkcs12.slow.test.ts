import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../src/sandbox/clock.js";
import { certsInMemory } from "../../../src/sandbox/pki/make.js";
import { encodeBundle } from "../../../src/sandbox/pki/pkcs12.js";
import { bundleIsRead } from "./bundle.js";
import { named, temporaryFolder } from "./fixture.js";
import { missing, run } from "./programs.js";

// More of pkcs12.test.ts.

describe("a PKCS#12 bundle with an RSA key", () => bundleIsRead("rsa"));

it.skipIf(missing.keytool)("is read by Java as key store and trust store (keytool)", async () => {
  const { caPem, clients } = await certsInMemory({ clock: systemClock });
  const path = join(temporaryFolder(), "client.p12");
  writeFileSync(path, await encodeBundle({ ...named(clients, "demo"), caPem }));
  const { status, output } = await run("keytool", "-list", "-keystore", path, "-storepass", "sandbox");
  expect(status).toBe(0);
  expect(output).toContain("2 entries");
  expect(output).toMatch(/demo, .*PrivateKeyEntry/);
  expect(output).toMatch(/sandbox-ca, .*trustedCertEntry/);
});
