import { X509Certificate } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { describe, expect, it } from "vitest";
import { CertsError } from "../../../src/sandbox/pki/certs.js";
import { identityProfiles } from "../../../src/sandbox/pki/profiles.js";
import {
  hiddenNames,
  modeOf,
  named,
  open,
  openWhole,
  snapshot,
  TestClock,
  temporaryFolder,
  wholeFolder,
} from "./fixture.js";
import { handshake } from "./handshake.js";

const onWindows = process.platform === "win32";

describe("a first start", () => {
  it("makes every file, and leaves nothing else behind but the number of what it published", async () => {
    const directory = await wholeFolder();
    const identityFiles = ["cert.pem", "client.env", "client.p12", "identity.pem", "key.pem"];
    const expected = [
      ...["ca.key.pem", "ca.pem", "cursor.key", "server.key.pem", "server.pem", "token-signing.key.pem"],
      ...["clients/chained", "clients/demo", "clients/other"].flatMap((folder) =>
        identityFiles.map((file) => `${folder}/${file}`),
      ),
      ...["expired", "lookalike", "not-yet-valid", "renewed", "unregistered", "untrusted", "wrong-usage"].flatMap(
        (name) => identityFiles.map((file) => `misfits/${name}/${file}`),
      ),
    ];
    expect(Object.keys(snapshot(directory)).sort()).toEqual(expected.sort());
    // The server's files and the clients, then the misfits.
    expect(hiddenNames(directory)).toEqual([".generation-2"]);
  });

  it.skipIf(onWindows)("makes keys that only the owner can read", async () => {
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
      expect([file, modeOf(join(directory, file))]).toEqual([file, 0o644 & ~process.umask()]);
    }
  });

  it("is ready with the CA, the server and the clients, before the misfits exist", async () => {
    const directory = temporaryFolder();
    const certs = await open(directory);
    expect(certs.clients.map(({ name }) => name)).toEqual(["demo", "other", "chained"]);
    expect(existsSync(join(directory, "misfits/wrong-usage"))).toBe(false);
    const all = await certs.complete;
    expect(all.map(({ name }) => name)).toEqual(identityProfiles.map(({ name }) => name));
    for (const { folder, certPem, keyPem } of all) {
      expect(readFileSync(join(directory, folder, "cert.pem"), "utf8")).toBe(certPem);
      expect(readFileSync(join(directory, folder, "key.pem"), "utf8")).toBe(keyPem);
    }
  });

  it("makes a folder in a folder that does not exist yet", async () => {
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
  it("match their table", async () => {
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
      const indirect = ["chained", "untrusted"].includes(name);
      expect([name, x509(name).verify(ca.publicKey)]).toEqual([name, !indirect]);
      expect(x509(name).subject).not.toMatch(/CN=.*\./);
      // No misfit is refused because the CA was not valid yet.
      expect(Date.parse(x509(name).validFrom)).toBeGreaterThanOrEqual(Date.parse(ca.validFrom));
      expect(Date.parse(x509(name).validTo)).toBeLessThanOrEqual(Date.parse(ca.validTo));
    }
  });
});

describe("--fresh-certs", () => {
  it("makes every file again", { tags: "slow" }, async () => {
    const directory = await wholeFolder();
    const before = snapshot(directory);
    const certs = await openWhole(directory, { fresh: true });
    await certs.writeEnvironment({ url: "https://localhost:8443", certsPath: directory });
    const after = snapshot(directory);
    expect(Object.keys(after)).toEqual(Object.keys(before));
    for (const [file, content] of Object.entries(after)) {
      // The paths and the address stay the same.
      if (!file.endsWith("client.env")) expect([file, content]).not.toEqual([file, before[file]]);
    }
    expect(hiddenNames(directory)).toEqual([".generation-3"]);
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
    const identities = await certs.complete;
    await certs.writeEnvironment(settings);
    for (const { folder, clientId } of identities) {
      expect(parseEnv(readFileSync(join(directory, folder, "client.env"), "utf8"))).toEqual({
        SANDBOX_URL: "https://localhost:9443",
        SANDBOX_CLIENT_ID: clientId,
        SANDBOX_CA_FILE: "/on the host/certs/ca.pem",
        SANDBOX_CERT_FILE: `/on the host/certs/${folder}/cert.pem`,
        SANDBOX_KEY_FILE: `/on the host/certs/${folder}/key.pem`,
        SANDBOX_IDENTITY_FILE: `/on the host/certs/${folder}/identity.pem`,
        SANDBOX_P12_FILE: `/on the host/certs/${folder}/client.p12`,
        SANDBOX_P12_PASSWORD: "sandbox",
      });
    }
    expect(new Set((await certs.complete).map(({ clientId }) => clientId))).toEqual(
      new Set(["demo", "other", "chained"]),
    );
  });

  it("that cannot be written is named, and the others are written", async () => {
    const directory = await wholeFolder();
    const certs = await openWhole(directory);
    const taken = ["clients/demo", "misfits/renewed"].map((folder) => join(directory, folder, "client.env"));
    for (const file of taken) {
      rmSync(file);
      mkdirSync(file);
    }
    const problem = await certs.writeEnvironment(settings);
    expect(problem).toBeInstanceOf(CertsError);
    expect(problem?.message).toMatch(new RegExp(`^Cannot write ${taken.join(", ")}: .*\\(E[A-Z]+\\)\\.$`));
    expect(readFileSync(join(directory, "clients/other/client.env"), "utf8")).toContain("https://localhost:9443");
    expect(hiddenNames(directory)).toEqual([".generation-2"]);
  });
});
