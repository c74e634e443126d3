import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { answers, documentOf, folderWith, pageOf } from "../imitate/import/importing.js";
import { inProcess } from "./in-process.js";

const limit = { name: "limit", in: "query", schema: { type: "integer" } };
const api = documentOf({
  "/v2/transfers": {
    get: { parameters: [limit], ...answers(pageOf({ id: { type: "string" }, state: { enum: ["a", "b"] } })) },
  },
  "/v2/refunds": { get: answers(pageOf({ id: { type: "string" } })) },
});
const inFolder = (files: Readonly<Record<string, string | object>>) => {
  const cwd = folderWith({ "api.json": api, ...files });
  const text = (name = "sandbox.yaml") => readFileSync(join(cwd, name), "utf8");
  return { cwd, text, import: (...args: string[]) => inProcess(["import", "api.json", ...args], { cwd }) };
};

describe("payments-sandbox import", () => {
  it("writes a configuration that check accepts, and reports on standard error what it did", {
    tags: "slow",
  }, async () => {
    const folder = inFolder({});
    const { code, stdout, stderr } = await folder.import();
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toMatch(/^api\.json: Test, OpenAPI 3\.0\.3, 2 GET operations\n\ntransfers: GET \/v2\/transfers\n/);
    expect(stderr).toMatch(
      /page size limit \(guessed\)\n {4}cursor {4}no parameter, the next one in nextCursor \(guessed\)/,
    );
    expect(stderr).toMatch(/refunds: GET \/v2\/refunds\n.*\n.*\n {4}cursor {4}none: all rows are on one page\n/);
    expect(stderr).toMatch(/Not imported, or only in part:\n {2}api\.json:\d+:\d+ #\/paths/);
    expect(stderr).toMatch(/sandbox\.yaml: 2 lists written: transfers, refunds\./);
    expect(stderr).toMatch(/\n2 of 2 lists answer as the document says\.\n$/);
    expect((await inProcess(["check"], { cwd: folder.cwd })).code).toBe(0);
    expect(readdirSync(folder.cwd).sort()).toEqual(["api.json", "sandbox.yaml"]);
  });

  it("says which lists do not answer as the document says, and why", async () => {
    const odd = { ...pageOf({ id: { type: "string" } }), minProperties: 9 };
    const folder = inFolder({ "api.json": documentOf({ ...api.paths, "/odd": { get: answers(odd) } }) });
    const { code, stderr } = await folder.import();
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /\n2 of 3 lists answer as the document says\. Not these:\n {2}odd\n {6}page 1, \/: must NOT have fewer than 9 properties\n$/,
    );
  });

  it("says by which parameters the dates of rows can be bounded, and that it guessed", async () => {
    const dated = (name: string) => ({ name, in: "query", schema: { type: "string", format: "date-time" } });
    const row = { id: { type: "string" }, created_at: { type: "string", format: "date-time" } };
    const parameters = [limit, dated("created_from"), dated("created_to")];
    const folder = inFolder({
      "api.json": documentOf({ "/v2/dated": { get: { parameters, ...answers(pageOf(row)) } } }),
    });
    const { stderr } = await folder.import();
    expect(stderr).toMatch(/^ {4}rows +data, 2 fields \(guessed\)$/m);
    expect(stderr).toMatch(/^ {4}date +created_at \(guessed\)$/m);
    expect(stderr).toMatch(/^ {4}from, to +created_from, created_to \(guessed\)$/m);
  });

  it("says which members number the pages, and check accepts them", async () => {
    const around = { page: { type: "integer" }, pageCount: { type: "integer" } };
    const page = { ...pageOf({ id: { type: "string", pattern: "^CA[0-9a-f]{32}$" } }, around), required: ["page"] };
    const folder = inFolder({
      "api.json": documentOf({ "/v2/counted": { get: { parameters: [limit], ...answers(page) } } }),
    });
    const { stderr } = await folder.import();
    expect(stderr).toMatch(/^ {4}page +page \(guessed\)\n {4}pages +pageCount \(guessed\)$/m);
    expect(stderr).toMatch(/\n1 of 1 list answers as the document says\.\n$/);
    expect((await inProcess(["check"], { cwd: folder.cwd })).code).toBe(0);
  });

  it("makes no network requests", async () => {
    const { code, stderr } = await inProcess(["import", "https://host.test/api.json"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('save "https://host.test/api.json" to a file')]);
  });

  it("extends a file, keeps its comments, and replaces lists with --force only", { tags: "slow" }, async () => {
    const mine =
      "# mine\nport: 9000   # ours\nlists:\n  # by hand\n  transfers:\n    path: /v2/transfers # kept\n    count: 3\n";
    const folder = inFolder({ "sandbox.yaml": mine });
    const first = await folder.import();
    expect(first.code).toBe(0);
    expect(first.stderr).toMatch(/1 list written: refunds\. Existing, and not changed: transfers \(--force replaces\)/);
    expect(folder.text().startsWith(mine)).toBe(true);
    const again = await folder.import();
    expect(again.code).toBe(1);
    expect(again.stderr).toMatch(/nothing was written/);
    const forced = await folder.import("--force", "--list", "/v2/transfers");
    expect(forced.code).toBe(0);
    expect(folder.text()).toMatch(
      /^# mine\nport: 9000 {3}# ours\nlists:\n {2}# by hand\n {2}# Imported from api\.json: GET \/v2\/transfers\n {2}transfers:\n {4}path: \/v2\/transfers\n {4}count: 500\n/,
    );
    expect((await inProcess(["check"], { cwd: folder.cwd })).code).toBe(0);
  });

  it("keeps a byte order mark, line endings and anchors", { tags: "slow" }, async () => {
    const mine = "\uFEFF# mine\r\nlists:\r\n  a: { path: /a, count: &n 3 }\r\n  b:\r\n    count: *n # same\r\n";
    const folder = inFolder({ "sandbox.yaml": mine });
    expect((await folder.import()).code).toBe(0);
    const written = readFileSync(join(folder.cwd, "sandbox.yaml"), "utf8");
    expect(written.startsWith(mine)).toBe(true);
    expect(
      written
        .split("\n")
        .slice(0, -1)
        .every((line) => line.endsWith("\r")),
    ).toBe(true);
    expect((await inProcess(["check"], { cwd: folder.cwd })).code).toBe(0);
  });

  it("follows a link to the file that it writes", async () => {
    const folder = inFolder({ "real.yaml": "port: 1\n" });
    symlinkSync("real.yaml", join(folder.cwd, "sandbox.yaml"));
    expect((await folder.import()).code).toBe(0);
    expect(folder.text("real.yaml")).toMatch(/^port: 1\nlists:\n/);
  });

  it.each([
    [["--map", "limit"], /--map "limit" is not MEANING=NAME\. The meanings are page-size, cursor/],
    [["--map", "page-size=nothing"], /--map "page-size=nothing": no list of the document has this name/],
    [["--map", "other:page-size=limit"], /no list "other" of the document/],
    [["--list", "/nothing"], /--list "\/nothing": the document has no GET operation at this path/],
    [["--out", "api.json"], /--out api\.json is the document itself/],
    [["--out", "nowhere/sandbox.yaml"], /cannot be written: there is no folder \/.*\/nowhere\.\n$/],
    [["--out", "."], /is a folder/],
    [["--unknown"], /There is no option/],
  ])("%j is a command-line error", async (args, message) => {
    const folder = inFolder({});
    const { code, stderr } = await folder.import(...args);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
    expect(existsSync(join(folder.cwd, "sandbox.yaml"))).toBe(false);
  });

  it("a configuration with a mistake is not touched", async () => {
    const folder = inFolder({ "sandbox.yaml": "prot: 1\n" });
    const { code, stderr } = await folder.import();
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/sandbox\.yaml:1:1: Unknown key "prot"/),
    });
    expect(folder.text()).toBe("prot: 1\n");
  });

  it("a configuration that would be too large is not touched", async () => {
    const large = `# ${"x".repeat(999_900)}\n`;
    const folder = inFolder({ "sandbox.yaml": large });
    const { code, stderr } = await folder.import();
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/would have more than 1,000,000 characters/),
    });
    expect(folder.text()).toBe(large);
  });

  it("a document without lists ends with status 1, an invalid document with 2", async () => {
    const folder = inFolder({ "api.json": documentOf({}) });
    expect((await folder.import()).code).toBe(1);
    writeFileSync(join(folder.cwd, "api.json"), "swagger: '2.0'");
    expect(await folder.import()).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/api\.json:1:1: This is Swagger 2\.0/),
    });
    expect(existsSync(join(folder.cwd, "sandbox.yaml"))).toBe(false);
  });
});
