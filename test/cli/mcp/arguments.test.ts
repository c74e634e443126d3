import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { adminRoutes } from "../../../src/admin/routes/table.js";
import { type StartedSandbox, startSandbox } from "../../../src/index.js";
import { root } from "../../documentation/markdown.js";
import { afterFile } from "../../support/cleanups.js";
import { agent } from "./agent.js";

let sandbox: StartedSandbox;
let mcp: Awaited<ReturnType<typeof agent>>;
let tools: Awaited<ReturnType<typeof mcp.client.listTools>>["tools"];

beforeAll(async () => {
  sandbox = await startSandbox();
  afterFile(() => sandbox.close());
  mcp = await agent("--allow-exam", "--admin-url", sandbox.adminUrl);
  ({ tools } = await mcp.client.listTools());
});

const namesOf = (name: string) => Object.keys(tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {});

/** The inputs of admin calls. Those of the path have the names that they have in an answer. */
function inputsOf(...calls: readonly string[]): string[] {
  const inputs = calls.flatMap((call) => {
    const route = adminRoutes.find(({ method, path }) => `${method} ${path}` === call);
    const schemas = [route?.query, route?.bodyType ? undefined : route?.body].filter((schema) => schema !== undefined);
    return schemas.flatMap((schema) => {
      const { properties = {} } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
      return Object.keys(properties);
    });
  });
  return [...new Set(inputs)];
}

describe("the arguments of a tool", () => {
  it.each([
    ["create_client", ["POST /clients"], []],
    ["rotate_certificate", ["POST /clients/{id}/rotate"], ["client"]],
    ["move_clock", ["POST /clock", "PUT /clock", "DELETE /clock"], ["client", "reset"]],
    ["report", ["GET /report"], []],
    ["list_requests", ["GET /requests"], []],
    ["explain_request", ["GET /requests/{id}"], ["id"]],
    ["use_scenario", ["PUT /scenario"], ["client"]],
    ["write_scenario", ["PUT /scenarios/{name}", "POST /scenario/check"], ["name", "yaml", "checkOnly"]],
    ["list_scenarios", ["GET /scenarios", "GET /scenarios/{name}"], ["name"]],
  ])("%s has those of %j", (name, calls, others) => {
    expect(namesOf(name).sort()).toEqual([...inputsOf(...calls), ...others].sort());
  });

  it("are all in docs/reference/mcp.md", () => {
    const page = readFileSync(join(root, "docs/reference/mcp.md"), "utf8");
    const sections = new Map(
      page.split("\n### ").map((text) => [/^`(\w+)`/.exec(text)?.[1], text.split("\n## ")[0] ?? ""] as const),
    );
    for (const { name } of tools) {
      const named = [...(/\n\n(`.*)$/m.exec(sections.get(name) ?? "")?.[1]?.matchAll(/(?:^|, )`(\w+)`/g) ?? [])];
      expect([name, named.map(([, argument]) => argument).sort()]).toEqual([name, namesOf(name).toSorted()]);
    }
  });

  it("are no others: an unknown one is refused, and the answer names the known ones", async () => {
    expect(tools.length).toBeGreaterThan(10);
    for (const { name } of tools) {
      const { isError, text } = await mcp.call(name, { zzzzzzzzzzzz: 1 });
      expect(isError).toBe(true);
      expect(text).toContain(`In the arguments of ${name}: `);
      expect(text).toContain(`Unknown key "zzzzzzzzzzzz". Known are: ${namesOf(name).join(", ")}.`);
    }
    const { json } = await mcp.call("move_clock", { client: "demo", offset: "0s" });
    expect(json()).toMatchObject({ mode: "real", offset: 0 });
    expect(await mcp.call("move_clock", { client: "demo", by: "301s" })).toMatchObject({
      isError: true,
      text: 'In the arguments of move_clock: Unknown key "by". Known are: client, advance, offset, now, frozenAt, reset. give one of advance, offset, now, frozenAt, reset.',
    });
    expect((await mcp.call("create_client", { clientID: "a" })).text).toContain('Did you mean "clientId"?');
    expect((await mcp.call("create_clients")).text).toBe(
      'There is no tool "create_clients". Did you mean "create_client"?',
    );
  });

  it("reach the admin API", async () => {
    const { clientId, environment } = (
      await mcp.call("create_client", {
        scopes: ["a", "b"],
        seed: "7",
        keyType: "rsa",
        validFor: "90d",
        issuer: "intermediate",
      })
    ).json();
    expect(readFileSync(environment.SANDBOX_CERT_FILE, "utf8").match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
    const client = await sandbox.client(clientId);
    expect(client).toMatchObject({ scopes: ["a", "b"], seed: "7" });
    const rotated = await mcp.call("rotate_certificate", {
      client: clientId,
      overlap: "1h",
      validFor: "30d",
      sameKey: true,
    });
    expect(rotated.json().thumbprint).toBe((await sandbox.client(clientId)).thumbprint);
    expect((await sandbox.client(clientId)).key).toBe(client.key);
    const moves = [
      { advance: "1h" },
      { offset: "-1h" },
      { now: "2030-01-01T00:00:00Z" },
      { frozenAt: "2030-01-01T00:00:00Z" },
      { reset: true },
    ];
    const modes = [];
    for (const move of moves) modes.push((await mcp.call("move_clock", { client: clientId, ...move })).json().mode);
    expect(modes).toEqual(["offset", "offset", "offset", "frozen", "real"]);
    expect((await sandbox.clock.read()).mode).toBe("real");
    const given = { client: clientId, expected: ["INVALID_SCOPE"], finished: true };
    expect((await mcp.call("report", given)).json().failed).toEqual([
      "INVALID_SCOPE was expected, and was not delivered to any request.",
    ]);
    expect((await mcp.call("report", { client: clientId, expected: [] })).json().failed).toEqual([]);
    await mcp.call("use_scenario", { name: "maintenance", client: clientId });
    expect((await client.scenario()).name).toBe("maintenance");
    expect((await sandbox.scenario()).name).toBe(null);
    await mcp.call("use_scenario", { name: null, client: clientId });
    await mcp.call("use_scenario", { name: "flaky" });
    expect([(await client.scenario()).name, (await sandbox.scenario()).name]).toEqual([null, "flaky"]);
    await mcp.call("use_scenario", { name: null });
    const pages = [];
    const none = await sandbox.client("demo");
    for (let count = 0; count < 3; count++) await none.request("/v1/ping");
    for (let cursor: string | undefined; pages.length < 2; ) {
      const page = (await mcp.call("list_requests", { client: "demo", pageSize: 1, cursor })).json();
      pages.push(page.requests[0].id);
      cursor = page.nextCursor;
    }
    expect(pages).toEqual(["3", "2"]);
  });

  it("may be a client that create_client did not make, or one with its own certificate", async () => {
    const before = await sandbox.client("demo");
    const { environment, thumbprint } = (await mcp.call("rotate_certificate", { client: "demo" })).json();
    expect(readFileSync(environment.SANDBOX_KEY_FILE, "utf8")).toBe((await sandbox.client("demo")).key);
    expect(thumbprint).not.toBe(before.thumbprint);

    const gone = await sandbox.createClient();
    await gone.delete();
    const made = (await mcp.call("create_client", { clientId: "own", certificate: gone.certificate })).json();
    expect(Object.keys(made.environment).sort()).toEqual([
      "SANDBOX_CA_FILE",
      "SANDBOX_CERT_FILE",
      "SANDBOX_CLIENT_ID",
      "SANDBOX_P12_PASSWORD",
      "SANDBOX_URL",
    ]);
    const { environment: whole } = (await mcp.call("rotate_certificate", { client: "own" })).json();
    expect(readFileSync(whole.SANDBOX_KEY_FILE, "utf8")).toContain("PRIVATE KEY");
  });
});

it("a client whose files cannot be written is neither made nor changed", async () => {
  const { clientId, environment } = (await mcp.call("create_client")).json();
  const before = await sandbox.client(clientId);
  const parent = dirname(dirname(environment.SANDBOX_CERT_FILE));
  renameSync(parent, `${parent}-away`);
  writeFileSync(parent, "not a folder");
  const all = (await sandbox.clients()).length;
  for (const [name, args] of [
    ["create_client", {}],
    ["rotate_certificate", { client: clientId }],
  ] as const)
    expect(await mcp.call(name, args)).toMatchObject({ isError: true, text: expect.stringContaining(parent) });
  expect(await sandbox.clients()).toHaveLength(all);
  expect((await sandbox.client(clientId)).thumbprint).toBe(before.thumbprint);
  rmSync(parent);
  renameSync(`${parent}-away`, parent);
  const { thumbprint } = (await mcp.call("rotate_certificate", { client: clientId })).json();
  expect(thumbprint).not.toBe(before.thumbprint);
  expect(readdirSync(parent).filter((name) => name.startsWith("."))).toEqual([]);
});

describe("what the agent sends", () => {
  const long = "x".repeat(2_000_000);

  it("is repeated only in part by a tool", { tags: "slow" }, async () => {
    const calls: [string, Readonly<Record<string, unknown>>][] = [
      [long, {}],
      ["write_scenario", { name: "long", yaml: long }],
      ["run_exam", { command: [long] }],
    ];
    const part = long.slice(0, 10_000);
    for (const { name, inputSchema } of tools) {
      calls.push([name, { [part]: 1 }]);
      for (const [key, schema] of Object.entries(inputSchema.properties ?? {}).filter(([key]) => key !== "command"))
        calls.push([name, { [key]: "type" in schema && schema.type === "array" ? [part] : part }]);
    }
    for (const [name, input] of calls) {
      const { isError, text } = await mcp.call(name, input);
      expect({ name, isError, isLong: text.length > 5000 }).toEqual({ name, isError: true, isLong: false });
    }
  });

  it("is repeated only in part by an error of the protocol", { tags: "slow" }, async () => {
    const errors = await Promise.all(
      [
        mcp.read(`sandbox://errors/${long}`),
        mcp.read(`sandbox://${long}`),
        mcp.client.complete({ ref: { type: "ref/prompt", name: long }, argument: { name: "a", value: "b" } }),
        mcp.client.complete({ ref: { type: "ref/resource", uri: long }, argument: { name: "a", value: "b" } }),
      ].map((answer) =>
        answer.then(
          () => "no error",
          (error: Error) => error.message,
        ),
      ),
    );
    for (const message of errors) expect([message.slice(0, 3), message.length > 5000]).toEqual(["MCP", false]);
  });
});
