import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { expect, it, onTestFinished, vi } from "vitest";
import { advisoriesFor } from "../../scripts/audit-packages.mjs";
import { workFolder } from "../cli/command.js";

const packages = [
  ["@scope/one", "1.2.3"],
  ["two", "4.5.6"],
] as const;

const packument = { name: "two", "dist-tags": {}, versions: { "4.5.6": { name: "two", version: "4.5.6" } } };

const advisory = {
  id: 1,
  title: "It can be stopped",
  url: "https://example.test/1",
  severity: "high",
  vulnerable_versions: "<4.6.0",
  cwe: [],
  cvss: { score: 0, vectorString: null },
};

it("asks for the exact versions, and returns the advisories that are known", async () => {
  const asked = await registry((answer) => answer.end(JSON.stringify({ two: [advisory] })));
  const { title, url, severity } = advisory;
  const found = { name: "two", title, url, severity, range: "<4.6.0" };
  expect(await advisoriesFor(packages, 30_000)).toEqual([expect.objectContaining(found)]);
  expect(asked).toEqual([{ "@scope/one": ["1.2.3"], two: ["4.5.6"] }]);
});

it("returns nothing if no vulnerability is known", async () => {
  await registry((answer) => answer.end("{}"));
  expect(await advisoriesFor(packages, 30_000)).toEqual([]);
});

it.each<[string, (answer: ServerResponse) => void, number]>([
  ["answers with an error", (answer) => answer.writeHead(500).end(), 30_000],
  ["has no advisories", (answer) => answer.writeHead(404).end("{}"), 30_000],
  ["answers with something else", (answer) => answer.end("<html></html>"), 30_000],
  ["does not answer", () => {}, 500],
])("throws if the registry %s", async (_what, respond, timeout) => {
  await registry(respond);
  await expect(advisoriesFor(packages, timeout)).rejects.toThrow(/./);
});

it("throws if a package is there twice, which a lock file cannot say", async () => {
  const twice = [...packages, ["two", "1.0.0"]] as const;
  await expect(advisoriesFor(twice, 1000)).rejects.toThrow(/two versions/);
});

/**
 * A registry on this machine that npm uses for the rest of the test.
 * @returns what it was asked for
 */
async function registry(respond: (answer: ServerResponse) => void): Promise<unknown[]> {
  const asked: unknown[] = [];
  const server = createServer(async (request, answer) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.url === "/-/npm/v1/security/advisories/bulk")
      asked.push(JSON.parse(gunzipSync(Buffer.concat(chunks)).toString()));
    // npm reads which other versions of a package with an advisory there are.
    if (request.method === "GET") answer.end(JSON.stringify(packument));
    else respond(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    server.closeAllConnections();
    server.close();
  });
  vi.stubEnv("npm_config_registry", `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  vi.stubEnv("npm_config_cache", workFolder());
  vi.stubEnv("npm_config_proxy", "");
  vi.stubEnv("npm_config_noproxy", "127.0.0.1");
  return asked;
}
