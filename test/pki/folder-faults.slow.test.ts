import { execFileSync } from "node:child_process";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { folderToCopy } from "./fixture.js";
import { errorOf, keyFiles, unusableKeys } from "./unusable.js";

// More of folder-faults.test.ts.
const copiedFolder = folderToCopy(beforeAll);

describe.each(keyFiles.slice(1))("a key that cannot be used in %s is named", (file) => {
  const kinds = Object.entries(unusableKeys).filter(([kind]) => kind !== "encrypted");
  it.each(kinds)("%s", async (_name, make) => {
    const directory = copiedFolder();
    rmSync(join(directory, file));
    writeFileSync(join(directory, file), make());
    const error = await errorOf(directory);
    expect([error.code, error.message]).toEqual(["BROKEN_FILE", expect.stringContaining(file)]);
    expect(error.message).not.toContain("\n");
  });
});

describe.skipIf(process.platform === "win32")("what is not a regular file is named", () => {
  const files = ["ca.pem", "ca.key.pem", "server.pem", "server.key.pem", "token-signing.key.pem", "cursor.key"];
  const ofAnIdentity = ["cert.pem", "key.pem", "client.p12"].map((name) => `clients/demo/${name}`);

  it.each([...files, ...ofAnIdentity])("a named pipe: %s", async (file) => {
    const directory = copiedFolder();
    rmSync(join(directory, file));
    execFileSync("mkfifo", [join(directory, file)]);
    const error = await errorOf(directory);
    expect(error.code).toBe("BROKEN_FILE");
    expect(error.message).toMatch(`${file} is not a regular file.`);
  });

  it.each([...files, ...ofAnIdentity])("a link to a device: %s", async (file) => {
    const directory = copiedFolder();
    rmSync(join(directory, file));
    symlinkSync("/dev/zero", join(directory, file));
    expect((await errorOf(directory)).message).toMatch(`${file} is not a regular file.`);
  });
});
