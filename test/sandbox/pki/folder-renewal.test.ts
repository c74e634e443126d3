import { X509Certificate } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { day, named, open, openWhole, snapshot, TestClock, wholeFolder } from "./fixture.js";

describe("a renewal", () => {
  async function folderAfter(
    days: number,
  ): Promise<{ directory: string; before: Record<string, string>; clock: TestClock }> {
    const clock = new TestClock();
    const directory = await wholeFolder({ clock });
    const before = snapshot(directory);
    clock.instant += days * day;
    return { directory, before, clock };
  }

  function changed(before: Record<string, string>, after: Record<string, string>): string[] {
    return Object.keys(after)
      .filter((file) => after[file] !== before[file])
      .sort();
  }

  it("is not made while more than a day is left", async () => {
    const { directory, before, clock } = await folderAfter(300);
    await openWhole(directory, { clock });
    expect(changed(before, snapshot(directory))).toEqual([]);
  });

  it("is made within a day of the end, under the same CA, with the same keys", { tags: "slow" }, async () => {
    const { directory, before, clock } = await folderAfter(395.5);
    const certs = await openWhole(directory, { clock });
    const due = ["chained", "demo", "other"].map((name) => `clients/${name}`);
    const misfits = ["lookalike", "not-yet-valid", "renewed", "unregistered", "untrusted", "wrong-usage"];
    const folders = [...due, ...misfits.map((name) => `misfits/${name}`)];
    expect(changed(before, snapshot(directory))).toEqual(
      [
        ...folders.flatMap((folder) => ["cert.pem", "client.p12", "identity.pem"].map((file) => `${folder}/${file}`)),
        "server.pem",
      ].sort(),
    );
    const all = await certs.complete;
    const demo = new X509Certificate(named(all, "demo").certPem);
    const renewed = new X509Certificate(named(all, "renewed").certPem);
    expect(Date.parse(demo.validTo)).toBeGreaterThan(clock.now() + 390 * day);
    expect(renewed.publicKey.equals(demo.publicKey)).toBe(true);
    expect(renewed.fingerprint256).not.toBe(demo.fingerprint256);
    expect(
      new X509Certificate(named(all, "untrusted").certPem).verify(new X509Certificate(certs.caPem).publicKey),
    ).toBe(false);
  });

  it("is made for a misfit that has lost its defect", { tags: "slow" }, async () => {
    const { directory, before, clock } = await folderAfter(364.5);
    const certs = await openWhole(directory, { clock });
    expect(changed(before, snapshot(directory))).toEqual([
      "misfits/not-yet-valid/cert.pem",
      "misfits/not-yet-valid/client.p12",
      "misfits/not-yet-valid/identity.pem",
    ]);
    const x509 = new X509Certificate(named(await certs.complete, "not-yet-valid").certPem);
    expect(Date.parse(x509.validFrom)).toBeGreaterThan(clock.now() + 300 * day);
  });

  it("is made when the clock was turned back to before a certificate is valid", { tags: "slow" }, async () => {
    const clock = new TestClock();
    const directory = await wholeFolder({ clock });
    clock.instant -= 2 * day;
    const certs = await openWhole(directory, { clock });
    expect(Date.parse(new X509Certificate(certs.server.certPem).validFrom)).toBeLessThan(clock.now());
    const expired = new X509Certificate(named(await certs.complete, "expired").certPem);
    expect(Date.parse(expired.validTo)).toBeLessThan(clock.now());
  });

  it("gives `renewed` the new key if demo was lost", { tags: "slow" }, async () => {
    const directory = await wholeFolder();
    rmSync(join(directory, "clients/demo"), { recursive: true });
    const certs = await openWhole(directory);
    const all = await certs.complete;
    expect(named(all, "renewed").keyPem).toBe(named(all, "demo").keyPem);
    expect(readFileSync(join(directory, "misfits/renewed/key.pem"), "utf8")).toBe(named(all, "demo").keyPem);
    await expect(openWhole(directory)).resolves.toBeDefined();
  });

  it.each([
    ["has expired", 3651, /expires on .*--fresh-certs/],
    ["is about to expire", 3649.5, /expires on .*--fresh-certs/],
    ["is not valid yet", -41, /is not valid before .*clock.*--fresh-certs/],
  ])("is not made for a CA that %s, which is an error", async (_, days, message) => {
    const { directory, before, clock } = await folderAfter(days);
    await expect(open(directory, { clock })).rejects.toMatchObject({
      code: "CA_NOT_VALID",
      message: expect.stringMatching(message),
    });
    expect(changed(before, snapshot(directory))).toEqual([]);
    await expect(openWhole(directory, { clock, fresh: true })).resolves.toBeDefined();
  });
});
