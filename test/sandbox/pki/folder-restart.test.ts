import { X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { mintClient } from "../../../src/sandbox/pki/issue.js";
import { constraintsFormOf } from "../../../src/sandbox/pki/name-constraints.js";
import { identityProfiles } from "../../../src/sandbox/pki/profiles.js";
import { folderToCopy, named, open, openWhole, snapshot, TestClock, wholeFolder } from "./fixture.js";
import { handshake } from "./handshake.js";

const copiedFolder = folderToCopy(beforeAll);

describe("a later start", () => {
  it("changes nothing, and returns the same", async () => {
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

  it("recognises every kind of name in the server's certificate", async () => {
    const hostnames = [
      "Bücher.example",
      "pay_ments",
      "app",
      "10.1.2.3",
      "FD00::0007",
      "::ffff:10.0.0.1",
      "deep.below.test.",
    ];
    const directory = await wholeFolder({ hostnames });
    const before = snapshot(directory);
    await openWhole(directory, { hostnames });
    expect(snapshot(directory)).toEqual(before);
  });

  it("has an authority that can issue more", async () => {
    const clock = new TestClock();
    const certs = await openWhole(await wholeFolder({ clock }), { clock });
    const minted = await mintClient(await certs.authority(), { clientId: "more", now: clock.now() });
    const outcome = await handshake(
      { cert: certs.server.certPem, key: certs.server.keyPem, ca: certs.caPem },
      { cert: minted.certPem, key: minted.keyPem, ca: certs.caPem },
    );
    expect(outcome).toEqual({ refusal: undefined, clientTrusted: true });
  });

  it("ignores README.md, .gitignore and files that systems create in folders", async () => {
    const directory = copiedFolder();
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

  it("uses the existing keys if no type is given", async () => {
    const directory = copiedFolder();
    rmSync(join(directory, "clients/demo"), { recursive: true });
    const certs = await openWhole(directory, { keyType: undefined });
    expect(new X509Certificate(certs.clients[0]?.certPem ?? "").publicKey.asymmetricKeyType).toBe("ec");
  });

  it("works without the CA's key as long as nothing must be issued", async () => {
    const directory = copiedFolder();
    rmSync(join(directory, "ca.key.pem"));
    const certs = await openWhole(directory);
    await expect(certs.authority()).rejects.toMatchObject({ code: "CA_KEY_MISSING" });
    await expect(open(directory, { hostnames: ["shop.test"] })).rejects.toMatchObject({ code: "CA_KEY_MISSING" });
  });

  it("issues a server certificate for an added name, with the same key", async () => {
    const directory = copiedFolder();
    const before = await openWhole(directory);
    const certs = await openWhole(directory, { hostnames: ["shop.test"] });
    expect(new X509Certificate(certs.server.certPem).checkHost("shop.test")).toBe("shop.test");
    expect(certs.server.keyPem).toBe(before.server.keyPem);
    expect(certs.caPem).toBe(before.caPem);
    // It keeps it if the name is no longer configured.
    expect((await openWhole(directory)).server).toEqual(certs.server);
  });

  it("refuses a name that the CA does not permit, and names --fresh-certs", async () => {
    const directory = copiedFolder();
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

describe("the name constraints of a CA", () => {
  const caOf = ({ caPem }: { caPem: string }) => ({ certPem: caPem });

  it("have the form of the setting when it is made, and another one is an error", { tags: "slow" }, async () => {
    const directory = await wholeFolder({ constraints: "strict" });
    const before = snapshot(directory);
    expect(constraintsFormOf(caOf(await openWhole(directory)))).toBe("strict");
    await expect(open(directory, { constraints: "names" })).rejects.toMatchObject({
      name: "CertsError",
      code: "NAME_CONSTRAINTS",
      message: expect.stringMatching(
        /ca\.pem was made with the name constraints "strict", not "names"\..*--fresh-certs/,
      ),
    });
    expect(snapshot(directory)).toEqual(before);
    expect(constraintsFormOf(caOf(await openWhole(directory, { constraints: "names", fresh: true })))).toBe("names");
  });

  it("have the form `names` if there is no setting", async () => {
    expect(constraintsFormOf(caOf(await openWhole(copiedFolder())))).toBe("names");
  });

  it("permit every address, with the form `names`", { tags: "slow" }, async () => {
    const certs = await openWhole(copiedFolder(), { hostnames: ["10.1.2.3"] });
    expect(new X509Certificate(certs.server.certPem).checkIP("10.1.2.3")).toBe("10.1.2.3");
    await expect(open(await wholeFolder({ constraints: "strict" }), { hostnames: ["10.1.2.3"] })).rejects.toMatchObject(
      {
        code: "HOSTNAME_NOT_PERMITTED",
      },
    );
  });
});

describe("an interrupted first start", () => {
  const states: Record<string, string[]> = {
    "only the CA's key": ["ca.key.pem"],
    "only the CA": ["ca.key.pem", "ca.pem"],
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

  it.each(Object.entries(states))("is completed: %s", { tags: "slow" }, async (_, kept) => {
    const directory = copiedFolder();
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
    // This fails if anything does not fit together.
    const again = await openWhole(directory);
    const demo = named(again.clients, "demo");
    expect(named(await again.complete, "renewed").keyPem).toBe(demo.keyPem);
    expect(snapshot(directory)).toEqual(after);
  });

  it("makes a missing bundle from the existing files", async () => {
    const directory = copiedFolder();
    rmSync(join(directory, "clients/demo/client.p12"));
    rmSync(join(directory, "misfits/expired/client.p12"));
    const before = readFileSync(join(directory, "clients/demo/cert.pem"));
    await openWhole(directory);
    expect(existsSync(join(directory, "clients/demo/client.p12"))).toBe(true);
    expect(existsSync(join(directory, "misfits/expired/client.p12"))).toBe(true);
    expect(readFileSync(join(directory, "clients/demo/cert.pem"))).toEqual(before);
  });
});
