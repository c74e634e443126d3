import { X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import { mintClient } from "../../../src/sandbox/pki/issue.js";
import { certsInMemory } from "../../../src/sandbox/pki/make.js";
import { identityProfiles } from "../../../src/sandbox/pki/profiles.js";
import { named, TestClock } from "./fixture.js";
import { handshake } from "./handshake.js";

describe("certsInMemory", () => {
  it("contains everything that a folder contains", async () => {
    const clock = new TestClock();
    const certs = await certsInMemory({ hostnames: ["shop.test"], clock });
    const all = await certs.complete;
    expect(certs.clients.map(({ name }) => name)).toEqual(["demo", "other", "chained"]);
    expect(all.map(({ name }) => name)).toEqual(identityProfiles.map(({ name }) => name));
    expect(named(all, "renewed").keyPem).toBe(named(all, "demo").keyPem);
    expect(certs.cursorKey).toHaveLength(32);
    expect(certs.tokenSigningKeyPem).toMatch(/^-----BEGIN PRIVATE KEY-----/);
    expect(new X509Certificate(certs.server.certPem).checkHost("shop.test")).toBe("shop.test");

    const minted = await mintClient(await certs.authority(), { clientId: "more", now: clock.now() });
    const outcome = await handshake(
      { cert: certs.server.certPem, key: certs.server.keyPem, ca: certs.caPem },
      { cert: minted.certPem, key: minted.keyPem, ca: certs.caPem },
    );
    expect(outcome).toEqual({ refusal: undefined, clientTrusted: true });
  });

  it("is a different set each time", async () => {
    const [one, another] = await Promise.all([
      certsInMemory({ clock: new TestClock() }),
      certsInMemory({ clock: new TestClock() }),
    ]);
    expect(one.caPem).not.toBe(another.caPem);
  });

  it("refuses a malformed host name", async () => {
    await expect(certsInMemory({ hostnames: ["a b"], clock: new TestClock() })).rejects.toMatchObject({
      code: "HOSTNAME_INVALID",
    });
  });
});
