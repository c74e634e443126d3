import { describe, expect, it } from "vitest";
import { openFilesLimit, openFilesProblem } from "../../../src/base/files/open-files.js";
import { connectionLimits } from "../../../src/library/composition/foundation.js";

const systemError = (code: string) => Object.assign(new Error(`${code}: it failed`), { code, syscall: "open" });

describe("openFilesProblem", () => {
  it.each([
    ["EMFILE", /raise its limit to 1024 or more, with ulimit -n/],
    ["ENFILE", /fs\.file-max/],
  ])("says what to raise for %s, as the error or as a cause of it", (code, text) => {
    const error = systemError(code);
    expect(openFilesProblem(error)).toMatch(text);
    const outer = new Error("outer", { cause: new Error("middle", { cause: error }) });
    expect(openFilesProblem(outer)).toBe(openFilesProblem(error));
  });

  it("is undefined for any other error, and ends for one that is its own cause", () => {
    const own = new Error("own");
    own.cause = own;
    for (const error of [systemError("ENOENT"), own, "EMFILE", undefined])
      expect(openFilesProblem(error)).toBeUndefined();
  });
});

it.runIf(process.platform === "linux")("openFilesLimit is the limit of this process", () => {
  const { soft } = (process.report.getReport() as { userLimits: Record<string, { soft: number }> }).userLimits[
    "open_files"
  ] as { soft: number };
  expect(openFilesLimit()).toBe(soft);
});

describe("connectionLimits", () => {
  it.each([
    [256, { api: 48, admin: 16 }],
    [1024, { api: 624, admin: 208 }],
    [100_000, { api: 4096, admin: 500 }],
    [Number.POSITIVE_INFINITY, { api: 4096, admin: 500 }],
  ])("of %d files leaves 192 for files", (openFiles, limits) => {
    expect(connectionLimits(openFiles)).toEqual(limits);
  });

  it("refuses to start with fewer than 256", () => {
    expect(() => connectionLimits(255)).toThrow(expect.objectContaining({ name: "OpenFilesError" }));
    expect(() => connectionLimits(255)).toThrow(/may open only 255 files .* needs 256: raise its limit to 1024/);
  });
});
