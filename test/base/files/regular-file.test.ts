import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { pemText, readRegularFile, readRegularFileSync, utf8Text } from "../../../src/base/files/regular-file.js";

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "regular-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe.each<[string, (path: string, limit: number) => Promise<Buffer>]>([
  ["readRegularFile", readRegularFile],
  ["readRegularFileSync", async (path, limit) => readRegularFileSync(path, limit)],
])("%s", (_name, read) => {
  it.each([0, 1, 4096, 65_536, 65_537, 200_000])("reads a file of %d bytes, and a link to it", async (length) => {
    const file = join(temporaryFolder(), "file");
    const bytes = Buffer.from(Array.from({ length }, (_, index) => index % 251));
    writeFileSync(file, bytes);
    symlinkSync(file, `${file}.link`);
    expect((await read(file, 200_000)).equals(bytes)).toBe(true);
    expect((await read(`${file}.link`, length)).equals(bytes)).toBe(true);
  });

  it("reads no more than the limit", async () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "12345");
    await expect(read(file, 4)).rejects.toMatchObject({ code: "TOO_LARGE", message: "is larger than 4 bytes" });
  });

  it("passes on errors of the system", async () => {
    await expect(read(join(temporaryFolder(), "none"), 10)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("refuses a folder", async () => {
    const folder = join(temporaryFolder(), "folder");
    mkdirSync(folder);
    await expect(read(folder, 10)).rejects.toMatchObject({
      name: "UnfitFileError",
      message: "is a folder, not a file",
    });
  });

  it.skipIf(process.platform === "win32")("refuses a named pipe without a writer", async () => {
    const pipe = join(temporaryFolder(), "pipe");
    execFileSync("mkfifo", [pipe]);
    await expect(read(pipe, 10)).rejects.toMatchObject({ code: "NOT_REGULAR", message: "is not a regular file" });
  });

  it.skipIf(process.platform === "win32")("refuses a socket", async () => {
    const path = join(temporaryFolder(), "socket");
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(path, resolve));
    await expect(read(path, 10)).rejects.toThrow(/ENXIO|EOPNOTSUPP/);
    await new Promise((resolve) => server.close(resolve));
  });

  it.skipIf(!existsSync("/dev/zero")).each(["/dev/zero", "/dev/null"])("refuses a link to %s", async (device) => {
    const link = join(temporaryFolder(), "link");
    symlinkSync(device, link);
    await expect(read(link, 10)).rejects.toMatchObject({ code: "NOT_REGULAR" });
  });

  it.skipIf(!existsSync("/proc/self/status"))("reads a file whose size the system does not report", async () => {
    expect((await read("/proc/self/status", 100_000)).toString()).toContain("Name:");
    await expect(read("/proc/self/status", 10)).rejects.toMatchObject({ code: "TOO_LARGE" });
  });
});

it.each([utf8Text, pemText])("text starts after the byte order mark", (textOf) => {
  expect(textOf(Buffer.from("\uFEFFtext"))).toBe("text");
  expect(textOf(Buffer.from("text\uFEFF"))).toBe("text\uFEFF");
});

it("text in another encoding is refused, except for PEM", () => {
  const latin1 = Buffer.from("caf\xe9", "latin1");
  expect(() => utf8Text(latin1)).toThrow("is not text in UTF-8");
  expect(() => utf8Text(Buffer.from("\uFEFFtext", "utf16le"))).toThrow("is not text in UTF-8");
  expect(pemText(latin1)).toBe("caf\ufffd");
});
