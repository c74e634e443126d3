import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { folderToCopy, open, openWhole, snapshot, temporaryFolder, truncate, wholeFolder } from "./fixture.js";
import {
  errorOf,
  expectDeviceNamed,
  expectKeyNamed,
  expectPipeNamed,
  keyFiles,
  rsa,
  unusableKeys,
} from "./unusable.js";

const copiedFolder = folderToCopy(beforeAll);

describe("a broken file", () => {
  it.each([
    ["ca.pem", /ca\.pem cannot be read as a PEM certificate/],
    ["ca.key.pem", /ca\.key\.pem cannot be read as an unencrypted RSA or P-256 private key/],
    ["clients/demo/cert.pem", /demo\/cert\.pem cannot be read/],
    ["clients/demo/client.p12", /demo\/client\.p12 is truncated/],
    ["token-signing.key.pem", /token-signing\.key\.pem cannot be read/],
    ["cursor.key", /cursor\.key is not 32 bytes in base64/],
  ])("is named when it is truncated: %s", async (file, message) => {
    const directory = copiedFolder();
    truncate(join(directory, file));
    const error = await errorOf(directory);
    expect(error.code).toBe("BROKEN_FILE");
    expect(error.message).toMatch(message);
    expect(error.message).toContain("--fresh-certs");
  });

  it("is made again by --fresh-certs, as the message says", async () => {
    const directory = copiedFolder();
    truncate(join(directory, "server.pem"));
    await expect(openWhole(directory, { fresh: true })).resolves.toBeDefined();
  });

  it.each(["server.pem", "clients/demo/client.p12"])("is named when it is empty: %s", async (file) => {
    const directory = copiedFolder();
    writeFileSync(join(directory, file), "");
    expect((await errorOf(directory)).message).toContain(file);
  });

  it.each(["server.key.pem", "clients/demo/cert.pem"])("is named when it is missing: %s", async (file) => {
    const directory = copiedFolder();
    rmSync(join(directory, file));
    expect(await errorOf(directory)).toMatchObject({ code: "BROKEN_FILE", message: expect.stringContaining(file) });
  });

  it("is named when the CA is missing and its certificates exist", async () => {
    const directory = copiedFolder();
    rmSync(join(directory, "ca.pem"));
    expect(await errorOf(directory)).toMatchObject({
      code: "BROKEN_FILE",
      message: expect.stringMatching(/ca\.pem is missing, but .*server\.pem exists/),
    });
  });

  it("is made again when it was moved away, as the message says", async () => {
    const directory = copiedFolder();
    truncate(join(directory, "clients/demo/key.pem"));
    expect((await errorOf(directory)).message).toMatch(/Move the folder .*clients\/demo away/);
    rmSync(join(directory, "clients/demo"), { recursive: true });
    await openWhole(directory);
    expect(existsSync(join(directory, "clients/demo/key.pem"))).toBe(true);
  });
});

describe.each(keyFiles)("a key that cannot be used in %s is named", (file) => {
  // Every kind for one file, and one kind for every file; the others are in folder-faults.night.test.ts.
  const kinds = Object.entries(unusableKeys).filter(([kind]) => file === keyFiles[0] || kind === "encrypted");
  it.each(kinds)("%s", (_name, make) => expectKeyNamed(copiedFolder(), file, make()));
});

it("an RSA key instead of the key that signs tokens is named", async () => {
  const directory = copiedFolder();
  writeFileSync(join(directory, "token-signing.key.pem"), rsa(2048));
  expect((await errorOf(directory)).message).toMatch(/token-signing\.key\.pem is not a P-256 key/);
});

describe.skipIf(process.platform === "win32")(
  "a file that is not regular is named, and the start does not wait for it",
  () => {
    it.each(["ca.pem", "clients/demo/key.pem"])("a named pipe: %s", (file) => expectPipeNamed(copiedFolder(), file));

    it.each(["cursor.key", "clients/demo/client.p12"])("a link to a device: %s", (file) =>
      expectDeviceNamed(copiedFolder(), file),
    );

    it("a named pipe instead of client.env is replaced by the file", async () => {
      const directory = copiedFolder();
      execFileSync("mkfifo", [join(directory, "clients/demo/client.env")]);
      const certs = await openWhole(directory);
      await certs.writeEnvironment({ url: "https://localhost:1", certsPath: directory });
      expect(readFileSync(join(directory, "clients/demo/client.env"), "utf8")).toContain("https://localhost:1");
    });
  },
);

describe("a file that does not belong to the others", () => {
  it.each([
    ["ca.key.pem", "server.key.pem", /ca\.key\.pem is not the key of .*ca\.pem/],
    ["server.key.pem", "clients/demo/key.pem", /server\.key\.pem is not the key of .*server\.pem/],
    ["clients/demo/key.pem", "clients/other/key.pem", /demo\/key\.pem is not the key of .*demo\/cert\.pem/],
    ["ca.pem", "server.pem", /ca\.pem is not the certificate of a self-signed CA/],
  ])("is named: %s replaced by %s", async (file, by, message) => {
    const directory = copiedFolder();
    rmSync(join(directory, file));
    copyFileSync(join(directory, by), join(directory, file));
    const error = await errorOf(directory);
    expect(error.code).toBe("MISMATCH");
    expect(error.message).toMatch(message);
    expect(error.message).toContain("--fresh-certs");
  });

  it("is named: another sandbox's server", async () => {
    const [directory, another] = [copiedFolder(), await wholeFolder()];
    for (const file of ["server.pem", "server.key.pem"]) copyFileSync(join(another, file), join(directory, file));
    expect((await errorOf(directory)).message).toMatch(/server\.pem was not issued by the CA in ca\.pem/);
  });

  it("is named: another sandbox's identity", async () => {
    const [directory, another] = [copiedFolder(), await wholeFolder()];
    cpSync(join(another, "misfits/lookalike"), join(directory, "misfits/lookalike"), { recursive: true });
    expect((await errorOf(directory)).message).toMatch(/lookalike\/cert\.pem was not issued by the CA in ca\.pem/);
  });

  it("is named: one identity instead of another", async () => {
    const directory = copiedFolder();
    cpSync(join(directory, "clients/other"), join(directory, "clients/demo"), { recursive: true });
    expect((await errorOf(directory)).message).toMatch(/demo\/cert\.pem has the subject .*CN=other.*, not CN=demo/);
  });

  it("is named: `untrusted` that our CA issued", async () => {
    const directory = copiedFolder();
    cpSync(join(directory, "misfits/lookalike"), join(directory, "misfits/untrusted"), { recursive: true });
    expect((await errorOf(directory)).message).toMatch(/untrusted\/cert\.pem must not be issued by the CA/);
  });

  it("is named: a certificate for the other side of a connection", async () => {
    const directory = copiedFolder();
    for (const file of ["cert.pem", "key.pem"]) {
      copyFileSync(
        join(directory, file.replace("cert", "server").replace("key", "server.key")),
        join(directory, "misfits/unregistered", file),
      );
    }
    expect((await errorOf(directory)).message).toMatch(/unregistered\/cert\.pem has the subject/);
  });
});

describe("a foreign file", () => {
  it.each(["notes.txt", "clients/acme", "clients/demo/old.pem"])("is named and kept: %s", async (file) => {
    const directory = copiedFolder();
    writeFileSync(join(directory, file), "mine");
    for (const fresh of [false, true]) {
      const error = await errorOf(directory, { fresh });
      expect(error.code).toBe("FOREIGN_FILE");
      expect(error.message).toContain(file);
    }
  });

  it("is named in a folder that was never the sandbox's", async () => {
    const directory = temporaryFolder();
    writeFileSync(join(directory, "thesis.doc"), "mine");
    expect(await errorOf(directory)).toMatchObject({
      code: "FOREIGN_FILE",
      message: expect.stringContaining("thesis.doc"),
    });
    expect(Object.keys(snapshot(directory))).toEqual(["thesis.doc"]);
  });

  it("is named if it is a folder with the name of a file, or the reverse", async () => {
    const one = temporaryFolder();
    mkdirSync(join(one, "ca.pem"));
    expect((await errorOf(one, { fresh: true })).code).toBe("FOREIGN_FILE");
    const another = temporaryFolder();
    writeFileSync(join(another, "clients"), "");
    expect((await errorOf(another)).code).toBe("FOREIGN_FILE");
  });
});

describe("a folder that cannot be used", () => {
  it("is named when it is a file, or below one", async () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");
    await expect(open(file)).rejects.toMatchObject({ code: "FOLDER_UNUSABLE", message: expect.stringContaining(file) });
    await expect(open(join(file, "certs"))).rejects.toMatchObject({
      code: "FOLDER_UNUSABLE",
      message: expect.stringMatching(/a part of the path is not a folder \(ENOTDIR\)/),
    });
  });

  it.skipIf(!existsSync("/proc/self")).each(["/sys/certs", "/proc/deep/certs"])(
    "is named if the system does not permit writing to it: %s",
    async (directory) => {
      await expect(open(directory)).rejects.toMatchObject({
        name: "CertsError",
        code: "FOLDER_UNUSABLE",
        message: expect.stringMatching(
          `^Cannot write ${directory}: .* \\(E[A-Z]+\\)\\. Make it writable, or choose another folder for the certificates\\.$`,
        ),
      });
    },
  );
});

describe("a malformed host name", () => {
  it("is an error before anything is changed", async () => {
    const directory = join(temporaryFolder(), "certs");
    await expect(open(directory, { hostnames: ["https://a"] })).rejects.toMatchObject({ code: "HOSTNAME_INVALID" });
    expect(existsSync(directory)).toBe(false);
  });
});
