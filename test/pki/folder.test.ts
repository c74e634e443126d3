import { X509Certificate } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { describe, expect, it } from "vitest";
import { mintClient } from "../../src/pki/issue.js";
import { identityProfiles } from "../../src/pki/profiles.js";
import { day, modeOf, named, open, openWhole, snapshot, TestClock, temporaryFolder, wholeFolder } from "./fixture.js";
import { handshake } from "./handshake.js";

const onWindows = process.platform === "win32";

describe("a first start", () => {
  it("makes every file, and leaves nothing else behind", async () => {
    const directory = await wholeFolder();
    const identityFiles = ["cert.pem", "client.env", "client.p12", "key.pem"];
    const expected = [
      ...["ca.key.pem", "ca.pem", "cursor.key", "server.key.pem", "server.pem", "token-signing.key.pem"],
      ...["clients/demo", "clients/other"].flatMap((folder) => identityFiles.map((file) => `${folder}/${file}`)),
      ...["expired", "lookalike", "not-yet-valid", "renewed", "unregistered", "untrusted", "wrong-usage"].flatMap(
        (name) => identityFiles.map((file) => `misfits/${name}/${file}`),
      ),
    ];
    expect(Object.keys(snapshot(directory)).sort()).toEqual(expected.sort());
    expect(readdirSync(directory).filter((name) => name.startsWith("."))).toEqual([]);
  });

  it.skipIf(onWindows)("lets nobody but the owner read a key", async () => {
    const directory = temporaryFolder();
    chmodSync(directory, 0o755);
    await openWhole(directory);
    for (const folder of ["", "clients", "misfits", "clients/demo", "misfits/expired"]) {
      expect([folder, modeOf(join(directory, folder))]).toEqual([folder, 0o700]);
    }
    expect(modeOf(join(directory, "ca.key.pem"))).toBe(0o400);
    const keys = [
      "server.key.pem",
      "token-signing.key.pem",
      "cursor.key",
      "clients/demo/key.pem",
      "clients/demo/client.p12",
    ];
    for (const file of keys) expect([file, modeOf(join(directory, file))]).toEqual([file, 0o600]);
    for (const file of ["ca.pem", "server.pem", "clients/demo/cert.pem"]) {
      expect([file, modeOf(join(directory, file))]).toEqual([file, 0o644]);
    }
  });

  it("is ready with the CA, the server and both clients, before the misfits are there", async () => {
    const directory = temporaryFolder();
    const certs = await open(directory);
    expect(certs.clients.map(({ name }) => name)).toEqual(["demo", "other"]);
    expect(existsSync(join(directory, "misfits/wrong-usage"))).toBe(false);
    const all = await certs.complete;
    expect(all.map(({ name }) => name)).toEqual(identityProfiles.map(({ name }) => name));
    for (const { folder, certPem, keyPem } of all) {
      expect(readFileSync(join(directory, folder, "cert.pem"), "utf8")).toBe(certPem);
      expect(readFileSync(join(directory, folder, "key.pem"), "utf8")).toBe(keyPem);
    }
  });

  it("makes RSA keys when nothing else is asked for", async () => {
    const directory = temporaryFolder();
    const certs = await openWhole(directory, { keyType: undefined });
    const files = ["ca.pem", "server.pem", ...identityProfiles.map(({ kind, name }) => `${kind}s/${name}/cert.pem`)];
    for (const file of files) {
      const { publicKey } = new X509Certificate(readFileSync(join(directory, file)));
      expect([file, publicKey.asymmetricKeyDetails?.modulusLength]).toEqual([file, 2048]);
    }
    const outcome = await handshake(
      { cert: certs.server.certPem, key: certs.server.keyPem, ca: certs.caPem },
      { cert: certs.clients[0]?.certPem, key: certs.clients[0]?.keyPem, ca: certs.caPem },
    );
    expect(outcome).toEqual({ refusal: undefined, clientTrusted: true });
  });

  it("makes a folder in a folder that is not there yet", async () => {
    const directory = join(temporaryFolder(), "deep", "certs");
    await openWhole(directory);
    expect(existsSync(join(directory, "ca.pem"))).toBe(true);
  });

  it("covers the standing names and the configured ones", async () => {
    const certs = await openWhole(temporaryFolder(), { hostnames: ["Shop.Test", "10.1.2.3", "bank.example"] });
    const x509 = new X509Certificate(certs.server.certPem);
    expect(x509.subjectAltName).toBe(
      "DNS:localhost, DNS:sandbox, DNS:host.docker.internal, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, DNS:shop.test, IP Address:10.1.2.3, DNS:bank.example",
    );
    const outcome = await handshake({ cert: certs.server.certPem, key: certs.server.keyPem }, { ca: certs.caPem });
    expect(outcome.refusal).toBeUndefined();
  });
});

describe("the identities", () => {
  it("are what their table says", async () => {
    const clock = new TestClock();
    const certs = await openWhole(temporaryFolder(), { clock });
    const all = await certs.complete;
    const x509 = (name: string): X509Certificate => new X509Certificate(named(all, name).certPem);
    const ca = new X509Certificate(certs.caPem);
    const demo = x509("demo");

    expect(x509("renewed").publicKey.equals(demo.publicKey)).toBe(true);
    expect(x509("renewed").subject).toBe(demo.subject);
    expect(x509("renewed").fingerprint256).not.toBe(demo.fingerprint256);
    expect(x509("lookalike").subject).toBe(demo.subject);
    expect(x509("lookalike").publicKey.equals(demo.publicKey)).toBe(false);
    expect(x509("untrusted").issuer).toBe(ca.subject);
    expect(x509("untrusted").verify(ca.publicKey)).toBe(false);
    expect(Date.parse(x509("expired").validTo)).toBeLessThan(clock.now());
    expect(Date.parse(x509("not-yet-valid").validFrom)).toBeGreaterThan(clock.now());
    expect(x509("wrong-usage").keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
    expect(demo.keyUsage).toEqual(["1.3.6.1.5.5.7.3.2"]);
    for (const { name } of all) {
      expect([name, x509(name).verify(ca.publicKey)]).toEqual([name, name !== "untrusted"]);
      expect(x509(name).subject).not.toMatch(/CN=.*\./);
      // No misfit is refused because the CA was not there yet.
      expect(Date.parse(x509(name).validFrom)).toBeGreaterThanOrEqual(Date.parse(ca.validFrom));
      expect(Date.parse(x509(name).validTo)).toBeLessThanOrEqual(Date.parse(ca.validTo));
    }
  });

  it("are all in the folder's README, word for word", () => {
    const readme = readFileSync(new URL("../../certs/README.md", import.meta.url), "utf8");
    for (const { name, purpose } of identityProfiles) expect(readme).toContain(`| \`${name}\` | ${purpose} |`);
  });
});

describe("a later start", () => {
  it("changes nothing, and gives the same", async () => {
    const directory = await wholeFolder();
    const before = snapshot(directory);
    const [one, another] = [await openWhole(directory), await openWhole(directory)];
    await another.writeEnvironment({ url: "https://localhost:8443", certsPath: directory });
    expect(snapshot(directory)).toEqual(before);
    expect(one.caPem).toBe(another.caPem);
    expect(one.server).toEqual(another.server);
    expect(await one.complete).toEqual(await another.complete);
    expect(one.tokenSigningKeyPem).toBe(another.tokenSigningKeyPem);
    expect(one.cursorKey).toEqual(another.cursorKey);
  });

  it("has an authority that issues more", async () => {
    const clock = new TestClock();
    const certs = await openWhole(await wholeFolder({ clock }), { clock });
    const minted = await mintClient(await certs.authority(), { clientId: "more", now: clock.now() });
    const outcome = await handshake(
      { cert: certs.server.certPem, key: certs.server.keyPem, ca: certs.caPem },
      { cert: minted.certPem, key: minted.keyPem, ca: certs.caPem },
    );
    expect(outcome).toEqual({ refusal: undefined, clientTrusted: true });
  });

  it("ignores README.md, .gitignore and what systems leave in folders", async () => {
    const directory = await wholeFolder();
    for (const name of [
      "README.md",
      ".gitignore",
      ".DS_Store",
      "Thumbs.db",
      "clients/.DS_Store",
      "clients/demo/.hidden",
    ]) {
      writeFileSync(join(directory, name), "");
    }
    mkdirSync(join(directory, "lost+found"));
    await expect(openWhole(directory)).resolves.toBeDefined();
    await expect(openWhole(directory, { fresh: true })).resolves.toBeDefined();
    expect(existsSync(join(directory, "README.md"))).toBe(true);
  });

  it("takes the keys as they are when no type is asked for", async () => {
    const directory = await wholeFolder({ keyType: "ec" });
    rmSync(join(directory, "clients/demo"), { recursive: true });
    const certs = await openWhole(directory, { keyType: undefined });
    expect(new X509Certificate(certs.clients[0]?.certPem ?? "").publicKey.asymmetricKeyType).toBe("ec");
  });

  it("goes on without the CA's key as long as nothing must be issued", async () => {
    const directory = await wholeFolder();
    rmSync(join(directory, "ca.key.pem"));
    const certs = await openWhole(directory);
    await expect(certs.authority()).rejects.toMatchObject({ code: "CA_KEY_MISSING" });
    await expect(open(directory, { hostnames: ["shop.test"] })).rejects.toMatchObject({ code: "CA_KEY_MISSING" });
  });

  it("issues the server a certificate for a name that was added, with the same key", async () => {
    const directory = await wholeFolder();
    const before = await openWhole(directory);
    const certs = await openWhole(directory, { hostnames: ["shop.test"] });
    expect(new X509Certificate(certs.server.certPem).checkHost("shop.test")).toBe("shop.test");
    expect(certs.server.keyPem).toBe(before.server.keyPem);
    expect(certs.caPem).toBe(before.caPem);
    // And keeps it when the name is not asked for any more.
    expect((await openWhole(directory)).server).toEqual(certs.server);
  });

  it("refuses a name that the CA may not vouch for, and names --fresh-certs", async () => {
    const directory = await wholeFolder();
    const before = snapshot(directory);
    await expect(open(directory, { hostnames: ["bank.example"] })).rejects.toMatchObject({
      name: "CertsError",
      code: "HOSTNAME_NOT_PERMITTED",
      message: expect.stringMatching(/"bank\.example".*--fresh-certs/),
    });
    expect(snapshot(directory)).toEqual(before);
    const certs = await openWhole(directory, { hostnames: ["bank.example"], fresh: true });
    expect(new X509Certificate(certs.server.certPem).checkHost("bank.example")).toBe("bank.example");
  });
});

describe("--fresh-certs", () => {
  it("makes every file anew", async () => {
    const directory = await wholeFolder();
    const before = snapshot(directory);
    const certs = await openWhole(directory, { fresh: true });
    await certs.writeEnvironment({ url: "https://localhost:8443", certsPath: directory });
    const after = snapshot(directory);
    expect(Object.keys(after)).toEqual(Object.keys(before));
    for (const [file, content] of Object.entries(after)) expect([file, content]).not.toEqual([file, before[file]]);
    expect(readdirSync(directory).filter((name) => name.startsWith("."))).toEqual([]);
  });

  it("changes the type of the keys", async () => {
    const directory = await wholeFolder({ keyType: "ec" });
    await expect(open(directory, { keyType: "rsa" })).rejects.toMatchObject({
      code: "KEY_TYPE",
      message: expect.stringMatching(/was made with EC keys, not RSA.*--fresh-certs/),
    });
    const certs = await openWhole(directory, { keyType: "rsa", fresh: true });
    expect(new X509Certificate(certs.caPem).publicKey.asymmetricKeyType).toBe("rsa");
  });

  it("works on an empty folder", async () => {
    await expect(openWhole(temporaryFolder(), { fresh: true })).resolves.toBeDefined();
  });
});

describe("client.env", () => {
  const settings = { url: "https://localhost:9443", certsPath: "/on the host/certs" };

  it("is written for every identity, with the host's paths", async () => {
    const directory = temporaryFolder();
    const certs = await open(directory);
    await certs.writeEnvironment(settings);
    for (const { folder, clientId } of await certs.complete) {
      expect(parseEnv(readFileSync(join(directory, folder, "client.env"), "utf8"))).toEqual({
        SANDBOX_URL: "https://localhost:9443",
        SANDBOX_CLIENT_ID: clientId,
        SANDBOX_CA_FILE: "/on the host/certs/ca.pem",
        SANDBOX_CERT_FILE: `/on the host/certs/${folder}/cert.pem`,
        SANDBOX_KEY_FILE: `/on the host/certs/${folder}/key.pem`,
        SANDBOX_P12_FILE: `/on the host/certs/${folder}/client.p12`,
        SANDBOX_P12_PASSWORD: "sandbox",
      });
    }
    expect(new Set((await certs.complete).map(({ clientId }) => clientId))).toEqual(new Set(["demo", "other"]));
  });

  it("is in a client's folder from the start when the settings are known beforehand", async () => {
    const directory = temporaryFolder();
    await open(directory, { environment: settings });
    expect(readdirSync(join(directory, "clients/demo")).sort()).toEqual([
      "cert.pem",
      "client.env",
      "client.p12",
      "key.pem",
    ]);
  });

  it("changes with the port", async () => {
    const directory = await wholeFolder();
    const certs = await openWhole(directory);
    await certs.writeEnvironment(settings);
    expect(readFileSync(join(directory, "misfits/renewed/client.env"), "utf8")).toContain("https://localhost:9443");
  });
});

describe("an interrupted first start", () => {
  const states: Record<string, string[]> = {
    "nothing but the CA's key": ["ca.key.pem"],
    "the CA alone": ["ca.key.pem", "ca.pem"],
    "no server certificate yet": ["ca.key.pem", "ca.pem", "server.key.pem", "cursor.key"],
    "one client": ["ca.key.pem", "ca.pem", "server.key.pem", "server.pem", "clients/demo"],
    "no misfits": [
      "ca.key.pem",
      "ca.pem",
      "server.key.pem",
      "server.pem",
      "token-signing.key.pem",
      "cursor.key",
      "clients",
    ],
    "one misfit": ["ca.key.pem", "ca.pem", "server.key.pem", "server.pem", "clients", "misfits/expired"],
  };

  it.each(Object.entries(states))("is completed: %s", async (_, kept) => {
    const directory = await wholeFolder();
    const isKept = (path: string): boolean => kept.some((name) => path === name || path.startsWith(`${name}/`));
    const before = snapshot(directory);
    for (const path of Object.keys(before)) if (!isKept(path)) rmSync(join(directory, path));
    for (const { kind, name } of identityProfiles) {
      if (!isKept(`${kind}s/${name}`)) rmSync(join(directory, `${kind}s/${name}`), { recursive: true });
    }
    await openWhole(directory);
    const after = snapshot(directory);
    for (const path of Object.keys(before)) {
      if (isKept(path)) expect([path, after[path]]).toEqual([path, before[path]]);
      else if (!path.endsWith("client.env")) expect([path, path in after]).toEqual([path, true]);
    }
    // Everything fits together, or this would say what does not.
    const again = await openWhole(directory);
    const demo = named(again.clients, "demo");
    expect(named(await again.complete, "renewed").keyPem).toBe(demo.keyPem);
    expect(snapshot(directory)).toEqual(after);
  });

  it("makes a bundle that is missing from what is there", async () => {
    const directory = await wholeFolder();
    rmSync(join(directory, "clients/demo/client.p12"));
    rmSync(join(directory, "misfits/expired/client.p12"));
    const before = readFileSync(join(directory, "clients/demo/cert.pem"));
    await openWhole(directory);
    expect(existsSync(join(directory, "clients/demo/client.p12"))).toBe(true);
    expect(existsSync(join(directory, "misfits/expired/client.p12"))).toBe(true);
    expect(readFileSync(join(directory, "clients/demo/cert.pem"))).toEqual(before);
  });
});

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

  it("is made within a day of the end, under the same CA, with the same keys", async () => {
    const { directory, before, clock } = await folderAfter(395.5);
    const certs = await openWhole(directory, { clock });
    const due = ["demo", "other"].map((name) => `clients/${name}`);
    const misfits = ["lookalike", "not-yet-valid", "renewed", "unregistered", "untrusted", "wrong-usage"];
    const folders = [...due, ...misfits.map((name) => `misfits/${name}`)];
    expect(changed(before, snapshot(directory))).toEqual(
      [...folders.flatMap((folder) => [`${folder}/cert.pem`, `${folder}/client.p12`]), "server.pem"].sort(),
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

  it("is made for a misfit that is no misfit any more", async () => {
    const { directory, before, clock } = await folderAfter(364.5);
    const certs = await openWhole(directory, { clock });
    expect(changed(before, snapshot(directory))).toEqual([
      "misfits/not-yet-valid/cert.pem",
      "misfits/not-yet-valid/client.p12",
    ]);
    const x509 = new X509Certificate(named(await certs.complete, "not-yet-valid").certPem);
    expect(Date.parse(x509.validFrom)).toBeGreaterThan(clock.now() + 300 * day);
  });

  it("is made when the clock went back before a certificate begins", async () => {
    const clock = new TestClock();
    const directory = await wholeFolder({ clock });
    clock.instant -= 2 * day;
    const certs = await openWhole(directory, { clock });
    expect(Date.parse(new X509Certificate(certs.server.certPem).validFrom)).toBeLessThan(clock.now());
    const expired = new X509Certificate(named(await certs.complete, "expired").certPem);
    expect(Date.parse(expired.validTo)).toBeLessThan(clock.now());
  });

  it("gives `renewed` the new key when demo was lost", async () => {
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
  ])("is not made of a CA that %s: that is an error", async (_, days, message) => {
    const { directory, before, clock } = await folderAfter(days);
    await expect(open(directory, { clock })).rejects.toMatchObject({
      code: "CA_NOT_VALID",
      message: expect.stringMatching(message),
    });
    expect(changed(before, snapshot(directory))).toEqual([]);
    await expect(openWhole(directory, { clock, fresh: true })).resolves.toBeDefined();
  });
});
