import { describe, expect, it } from "vitest";
import { systemClock } from "../../../src/sandbox/clock.js";
import { generateKeys, privateKeyPem } from "../../../src/sandbox/pki/keys.js";
import { certsInMemory } from "../../../src/sandbox/pki/make.js";
import { encodeBundle } from "../../../src/sandbox/pki/pkcs12.js";
import { bundleIsRead } from "./bundle.js";
import { named } from "./fixture.js";
import { handshake } from "./handshake.js";

// With an RSA key, and read by Java: pkcs12.slow.test.ts.
describe("a PKCS#12 bundle", () => bundleIsRead("ec"));

describe("encodeBundle", () => {
  it("accepts names that are not ASCII", async () => {
    const { caPem, clients, server } = await certsInMemory({ clock: systemClock });
    const bundle = await encodeBundle({ ...named(clients, "demo"), name: "Zoë 証", caPem });
    const outcome = await handshake(
      { cert: server.certPem, key: server.keyPem, ca: caPem },
      { pfx: bundle, passphrase: "sandbox", ca: caPem },
    );
    expect(outcome.clientTrusted).toBe(true);
  });

  it("refuses data that is not a certificate", async () => {
    const { caPem } = await certsInMemory({ clock: systemClock });
    const { privateKey } = await generateKeys("ec");
    const contents = { name: "x", certPem: "no", keyPem: privateKeyPem(privateKey), caPem };
    await expect(encodeBundle(contents)).rejects.toThrow();
  });
});
