import { gzipSync } from "node:zlib";
import { beforeAll, expect, it } from "vitest";
import { startShared, type TestSandbox } from "../fixture.js";
import { describeInBrowser } from "./browser.js";

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startShared();
});

/** The bytes of a file as sent, compressed. */
async function sizeOf(name: string, type: string): Promise<number> {
  const answer = await fetch(`${sandbox.sandbox.adminUrl}/assets/${name}`);
  expect(answer.headers.get("content-type")).toBe(type);
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  return gzipSync(Buffer.from(await answer.arrayBuffer())).length;
}

const script = "text/javascript; charset=utf-8";

describeInBrowser("what the pages load", () => {
  it("is less than 60 kB without the editor", async () => {
    const sizes = [sizeOf("app.js", script), sizeOf("shared.js", script), sizeOf("app.css", "text/css; charset=utf-8")];
    expect((await Promise.all(sizes)).reduce((sum, size) => sum + size)).toBeLessThan(60_000);
  });

  it.each([
    ["editor.js", script, 160_000],
    ["scenario.schema.json", "application/schema+json", 12_000],
    ["icon.svg", "image/svg+xml", 1000],
  ])("is small: %s", async (name, type, mostBytes) => {
    expect(await sizeOf(name, type)).toBeLessThan(mostBytes);
  });
});
