import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkIds } from "../../src/exam/checks.js";
import { type ClientHandle, connectSandbox, SandboxError, type StartedSandbox, startSandbox } from "../../src/index.js";
import { openTls } from "../support/raw-client.js";

let sandbox: StartedSandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});

afterAll(() => sandbox.close());

/** A client that has requested an unknown path. */
async function lost(own: StartedSandbox = sandbox): Promise<ClientHandle> {
  const client = await own.createClient();
  await client.request("/v1/pong", { token: await client.token() });
  return client;
}

async function failedOf(client: ClientHandle): Promise<string[]> {
  return (await client.report()).failed.map((text) => text.split(" ", 1)[0] ?? "");
}

describe("client.report()", () => {
  it("is suitable for an assertion", async () => {
    const client = await lost();
    const { failed, drills, summary } = await client.report();
    const id = (await client.requests())[0]?.id;
    expect(failed).toEqual([
      `request.path (must): A request was sent to a path that is not part of the interface. Use the method and the path of the interface letter by letter, with one slash after the base URL. [requests ${id}]`,
    ]);
    expect(summary.fail).toBe(1);
    expect(drills[0]?.checks.map((check) => check.id)).toEqual(checkIds);
    expect(drills[0]?.checks.every(({ source, fix, message }) => source !== "" && fix !== "" && message !== "")).toBe(
      true,
    );
  });

  it("leaves out ignored checks, and refuses unknown ones", async () => {
    const client = await lost();
    expect((await client.report({ ignore: ["request.path"] })).failed).toEqual([]);
    await expect(client.report({ ignore: ["request.pth"] })).rejects.toMatchObject({ code: "INVALID_OPTION" });
  });

  it("covers only the client, and that of the sandbox covers all", async () => {
    const own = await startSandbox();
    try {
      await lost(own);
      const good = await own.createClient();
      await good.request("/v1/ping", { token: await good.token() });
      expect(await failedOf(good)).toEqual([]);
      const connected = await connectSandbox({ adminUrl: own.adminUrl });
      expect((await connected.report()).failed).toHaveLength(1);
      expect((await (await connected.client(good.clientId)).report()).failed).toEqual([]);
      await connected.close();
    } finally {
      await own.close();
    }
  });

  it("waits for open requests, but not without limit", async () => {
    const client = await sandbox.createClient();
    const token = await client.token();
    await client.useScenario({ rules: [{ then: { delay: "300ms" } }] });
    const slow = client.request("/v1/ping?x=1", { token });
    await sleep(50);
    // It does not wait for a client that only keeps a connection open.
    const raw = await openTls({ port: Number(new URL(sandbox.url).port), ...client.tls });
    expect(await failedOf(client)).toEqual(["request.parameters"]);
    raw.socket.destroy();
    await slow;
  });
});

describe("a report", () => {
  it.each<[string, (client: ClientHandle) => Promise<void>]>([
    ["when the client is reset", (client) => client.reset()],
    ["when the client's exchanges are removed", (client) => sandbox.clearRequests({ client: client.clientId })],
    ["when the sandbox is reset", () => sandbox.reset()],
    ["when the journal is emptied", () => sandbox.clearRequests()],
  ])("starts again %s", async (_when, begin) => {
    const client = await lost();
    await begin(client);
    const { summary, failed } = await client.report();
    expect(failed).toEqual([]);
    expect(summary.notExercised).toBe(checkIds.length);
  });

  it("starts again for a client that is removed and made again with the same id, but the report on all keeps its findings", async () => {
    const own = await startSandbox();
    try {
      const before = await lost(own);
      await before.delete();
      const after = await own.createClient({ clientId: before.clientId });
      expect((await after.report()).summary.notExercised).toBe(checkIds.length);
      await after.request("/v1/ping", { token: await after.token() });
      expect(await failedOf(after)).toEqual([]);
      expect((await own.report()).failed).toHaveLength(1);
    } finally {
      await own.close();
    }
  });

  it("does not start again when some exchanges are removed", async () => {
    const client = await lost();
    await sandbox.clearRequests({ client: client.clientId, operation: "ping" });
    expect(await failedOf(client)).toEqual(["request.path"]);
  });

  it("starts sequences again when the scenario or a clock changes", async () => {
    const client = await sandbox.createClient();
    const token = await client.token();
    const change = [
      () => client.useScenario("validation-error"),
      () => client.clock.advance("1s"),
      () => sandbox.clock.reset(),
    ];
    for (const next of change) {
      await next();
      for (const _ of [1, 2]) await client.request("/v1/pong", { token });
    }
    expect(await failedOf(client)).toEqual(["request.path"]);
    await client.request("/v1/pong", { token });
    expect(await failedOf(client)).toEqual(["retry.permanent", "request.path"]);
  });
});

describe("without judges", () => {
  it("there is no report, and the error gives the reason", async () => {
    const own = await startSandbox({ report: "off" });
    try {
      const client = await lost(own);
      const refused = await client.report().catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(SandboxError);
      expect(refused).toMatchObject({ code: "REPORT_OFF", message: expect.stringContaining("report: off") });
    } finally {
      await own.close();
    }
  });
});

it("an unknown client has no report", async () => {
  const client = await sandbox.createClient();
  await client.delete();
  await expect(client.report()).rejects.toMatchObject({ code: "UNKNOWN_CLIENT" });
});
