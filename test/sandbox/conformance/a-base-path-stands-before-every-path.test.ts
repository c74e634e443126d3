import { describe, expect, it } from "vitest";
import { startSandbox } from "../../../src/library/start.js";
import { configured, problemsOf } from "../config/configuration.js";
import { expectError, goodForm, sharedSandbox } from "./sandbox.js";

// `basePath`: the base URL of a real service often has a path, and the sandbox must detect a client that joins paths
// wrongly.
const sandbox = sharedSandbox({
  yaml: "basePath: /business/api\nlists: { account: { path: '/v1/{account}/rows', count: 2 } }",
});
const form = { "Content-Type": "application/x-www-form-urlencoded" };

async function token(): Promise<string> {
  const path = "/business/api/oauth/v2/oauth-token";
  return (await ask(path, { method: "POST", body: goodForm(), headers: form })).json.access_token;
}

/** Not all paths that are requested here are in the OpenAPI document. */
function ask(path: string, request: Parameters<ReturnType<typeof sandbox>["send"]>[1] = {}) {
  return sandbox().unchecked(path, request);
}

describe("with a base path", () => {
  it("the base URL has it", () => {
    expect(sandbox().url).toMatch(/^https:\/\/localhost:\d+\/business\/api$/);
    expect(sandbox().file("clients/demo/client.env")).toContain(`SANDBOX_URL=${sandbox().url}`);
  });

  it("every operation is below it", async () => {
    const own = await token();
    for (const path of ["/v1/ping", "/v1/payments?pageSize=1", "/v1/x/rows"])
      expect((await ask(`/business/api${path}`, { token: own })).status).toBe(200);
    expect((await ask("/business/api/v1/ping", { method: "POST" })).headers["allow"]).toBe("GET");
  });

  it.each([
    "/v1/ping",
    "/business/v1/ping",
    "/business/apiv1/ping",
    "/business/api//v1/ping",
    "/business/api/business/api/v1/ping",
    "/Business/api/v1/ping",
    "/business/api",
    "/business/api/",
    "/business%2Fapi/v1/ping",
  ])("%s is unknown", async (path) => {
    expectError(await ask(path, { token: await token() }), 404, "NOT_FOUND");
  });

  it("the journal says which path was meant", async () => {
    for (const path of [
      "/v1/ping",
      "/business/v1/ping",
      "/v1/v1/ping",
      "/business/api//v1/ping",
      "/business/api/business/api/v1/ping",
    ]) {
      await ask(path);
      const { items } = (await (await fetch(`${sandbox().adminUrl}/requests`)).json()) as {
        items: { explanation: string }[];
      };
      expect(items[0]?.explanation).toMatch(/Did you mean \/business\/api\/v1\/ping\? .*joins/);
    }
  });

  it("the journal's advice contains it", async () => {
    await ask("/business/api/v1/ping");
    const { items } = (await (await fetch(`${sandbox().adminUrl}/requests`)).json()) as {
      items: { explanation: string }[];
    };
    expect(items[0]?.explanation).toContain("Get one from POST /business/api/oauth/v2/oauth-token over");
  });

  it("the OpenAPI document has it in the server's URL, not in the paths", async () => {
    const document = (await (await fetch(`${sandbox().adminUrl}/openapi.json`)).json()) as {
      servers: unknown;
      paths: object;
    };
    expect(document.servers).toEqual([expect.objectContaining({ url: sandbox().url })]);
    expect(Object.keys(document.paths)).toContain("/v1/ping");
  });
});

it("a client of the library finds the API", async () => {
  await using own = await startSandbox({ basePath: "/a" });
  const client = await own.createClient();
  expect((await client.request("/v1/ping", { token: await client.token() })).status).toBe(200);
});

describe("the setting", () => {
  it.each([
    ["/", ""],
    ["/a/", "/a"],
    ["/a/b-c", "/a/b-c"],
  ])("%s", async (text, path) => {
    expect((await configured(`basePath: ${text}`)).basePath).toBe(path);
  });

  it.each(["a", "//", "/a//b", "/{x}", "/a?b", "/a/../b", "/%61"])("%s is not a valid path", async (text) => {
    expect(await problemsOf(`basePath: '${text}'`)).toEqual([expect.stringContaining("The base path")]);
  });
});
