import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { modes, type NewFile, systemFiles } from "../../../src/sandbox/pki/file-operations.js";
import { Generations } from "../../../src/sandbox/pki/generations.js";
import { hiddenNames, modeOf, temporaryFolder } from "./fixture.js";

const of = (directory: string) => new Generations(directory, systemFiles);
const publish = (directory: string, previous: number, files: readonly NewFile[]) =>
  of(directory).publish(previous, files);
const settle = (directory: string) => of(directory).settle();
const file = (path: string, data: string) => ({ path, data, mode: modes.key });
const textAt = (directory: string, path: string): string => readFileSync(join(directory, path), "utf8");

describe("publish", () => {
  it("puts all files in their places, and leaves files that are not among them", () => {
    const directory = temporaryFolder();
    mkdirSync(join(directory, "clients/demo"), { recursive: true });
    writeFileSync(join(directory, "clients/demo/notes"), "mine");
    writeFileSync(join(directory, "clients/demo/key.pem"), "old");
    const files = [file("ca.pem", "ca"), file("clients/demo/key.pem", "new"), file("clients/other/key.pem", "other")];
    expect(publish(directory, 0, files)).toBe(true);
    for (const { path, data } of files) expect(textAt(directory, path)).toBe(data);
    expect(textAt(directory, "clients/demo/notes")).toBe("mine");
    expect(hiddenNames(directory)).toEqual([".generation-1"]);
    if (process.platform !== "win32") expect(modeOf(join(directory, "clients/demo/key.pem"))).toBe(0o600);
  });

  it("succeeds for only one of those that continue the same generation", () => {
    const directory = temporaryFolder();
    expect(publish(directory, 0, [file("ca.pem", "first")])).toBe(true);
    expect(publish(directory, 0, [file("ca.pem", "second"), file("server.pem", "second")])).toBe(false);
    expect(textAt(directory, "ca.pem")).toBe("first");
    expect(existsSync(join(directory, "server.pem"))).toBe(false);
    expect(hiddenNames(directory)).toEqual([".generation-1"]);
    expect(publish(directory, 1, [file("ca.pem", "third")])).toBe(true);
  });

  it("does not succeed for a process that was suspended until its number was removed", () => {
    const directory = temporaryFolder();
    for (const generation of [0, 1, 2]) publish(directory, generation, [file("ca.pem", `after ${generation}`)]);
    expect(publish(directory, 0, [file("ca.pem", "late")])).toBe(false);
    expect(textAt(directory, "ca.pem")).toBe("after 2");
    expect(hiddenNames(directory)).toEqual([".generation-3"]);
  });

  it("does not succeed if another process removed the files, because they seemed to be abandoned", () => {
    const directory = temporaryFolder();
    const removed = {
      ...file("server.pem", ""),
      get data() {
        for (const name of hiddenNames(directory)) rmSync(join(directory, name), { recursive: true });
        return "";
      },
    };
    expect(publish(directory, 0, [file("ca.pem", "ca"), removed])).toBe(false);
    expect(hiddenNames(directory)).toEqual([]);
  });

  it.each([
    ["that does not exist", "missing", "there is no such file or folder"],
    ["that is a file", "file", "a part of the path is not a folder"],
  ])("names a folder %s", (_, name, reason) => {
    const directory = join(temporaryFolder(), name);
    if (name === "file") writeFileSync(directory, "");
    expect(() => publish(directory, 0, [])).toThrow(`Cannot write ${directory}: ${reason}`);
  });
});

describe("settle", () => {
  it("finishes what a killed process began", () => {
    const directory = temporaryFolder();
    const files = join(directory, ".generation-4/files");
    mkdirSync(join(files, "clients/demo"), { recursive: true });
    mkdirSync(join(directory, "clients/demo"), { recursive: true });
    // The certificate was moved already.
    writeFileSync(join(directory, "clients/demo/cert.pem"), "new");
    writeFileSync(join(directory, "clients/demo/key.pem"), "old");
    writeFileSync(join(files, "clients/demo/key.pem"), "new");
    expect(settle(directory)).toBe(4);
    expect(textAt(directory, "clients/demo/cert.pem")).toBe("new");
    expect(textAt(directory, "clients/demo/key.pem")).toBe("new");
    expect(existsSync(files)).toBe(false);
    expect(settle(directory)).toBe(4);
  });

  it("names the file that cannot be moved", () => {
    const directory = temporaryFolder();
    mkdirSync(join(directory, ".generation-1/files"), { recursive: true });
    writeFileSync(join(directory, ".generation-1/files/ca.pem"), "new");
    mkdirSync(join(directory, "ca.pem"));
    expect(() => settle(directory)).toThrow(`Cannot write ${join(directory, "ca.pem")}: `);
  });
});

describe("removeLeftovers", () => {
  it("removes earlier generations, and what is being made for longer than an hour", () => {
    const directory = temporaryFolder();
    const names = [
      ".generation-1",
      ".generation-2",
      ".making-0123456789abcdef",
      ".making-fedcba9876543210",
      ".making-x",
    ];
    for (const name of names) mkdirSync(join(directory, name));
    const now = 10_000_000_000;
    for (const [index, name] of names.entries()) {
      const age = index === 3 ? 3_500_000 : 3_700_000;
      utimesSync(join(directory, name), (now - age) / 1000, (now - age) / 1000);
    }
    of(directory).removeLeftovers(now);
    expect(hiddenNames(directory)).toEqual([".generation-2", ".making-fedcba9876543210", ".making-x"]);
    expect(of(directory).latest()).toBe(2);
  });
});
