import { gzipSync } from "node:zlib";
import { beforeAll, expect, it } from "vitest";
import { startShared, type TestSandbox } from "../fixture.js";
import { describeInBrowser } from "./browser.js";

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startShared();
});

describeInBrowser("what the pages load", () => {
  it.each([
    ["app.js", "text/javascript; charset=utf-8", 90_000],
    ["editor.js", "text/javascript; charset=utf-8", 160_000],
    ["scenario.schema.json", "application/schema+json", 10_000],
    ["app.css", "text/css; charset=utf-8", 10_000],
    ["icon.svg", "image/svg+xml", 1000],
  ])("is small: %s", async (name, type, mostBytes) => {
    const answer = await fetch(`${sandbox.sandbox.adminUrl}/assets/${name}`);
    expect(answer.headers.get("content-type")).toBe(type);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(gzipSync(Buffer.from(await answer.arrayBuffer())).length).toBeLessThan(mostBytes);
  });
});
