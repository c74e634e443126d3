import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkIds } from "../../src/exam/checks.js";
import {
  type ClientHandle,
  connectSandbox,
  type Report,
  SandboxError,
  type StartedSandbox,
  startSandbox,
} from "../../src/index.js";
import { eventually } from "../support/eventually.js";
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
      `request.path (should): A request was sent to a path that is not part of the interface, by the assumption http.not-found. Use the interface's method and path letter by letter, with one slash after the base URL. [requests ${id}]`,
    ]);
    expect(summary).toMatchObject({ fail: 0, warn: 1 });
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

  it("waits for open requests, but not without limit", { tags: "slow" }, async () => {
    const client = await sandbox.createClient();
    const token = await client.token();
    await client.useScenario({ rules: [{ name: "a", then: { connection: { kind: "drip", duration: "300ms" } } }] });
    const slow = client.request("/v1/ping?x=1", { token });
    await eventually(async () => (await client.countRequests({ operation: "ping" })) === 1);
    // It does not wait for a client that only keeps a connection open.
    const raw = await openTls({ port: Number(new URL(sandbox.url).port), ...client.tls });
    expect(await failedOf(client)).toEqual(["request.parameters"]);
    raw.socket.destroy();
    await slow;
  });
});

it("a token request with an empty body is told as that: a library read the body for the first attempt only", async () => {
  const client = await sandbox.createClient();
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  await client.request("/oauth/v2/oauth-token", { method: "POST", headers, body: "" });
  expect((await client.report()).failed).toEqual([
    expect.stringMatching(
      /^token\.form .*, the body was empty, as when .* Give the body as text or bytes, which can be sent again: /,
    ),
  ]);
});

describe("errors that are provoked on purpose", () => {
  const tokens = new Map<string, Promise<string>>();

  const provoke = async (client: ClientHandle, headers: Record<string, string> = {}, size = "0") => {
    const token = tokens.get(client.clientId) ?? client.token();
    tokens.set(client.clientId, token);
    return client.request(`/v1/payments?pageSize=${size}`, { token: await token, headers });
  };

  it.each(["OTHER_CODE, INVALID_PAGE_SIZE"])(
    "a request that says what it expects (%s) is not judged, and the report shows it",
    async (header) => {
      const client = await sandbox.createClient();
      // More than a report names as evidence.
      for (let count = 0; count < 12; count += 1) await provoke(client, { "Sandbox-Expected": header }, String(-count));
      const { failed, drills, summary } = await client.report();
      const ids = (await client.requests({ operation: "list" })).map(({ id }) => id).reverse();
      expect(failed).toEqual([]);
      expect(drills[0]?.expected).toEqual([{ code: "INVALID_PAGE_SIZE", count: 12, exchanges: ids.slice(0, 10) }]);
      expect(summary).toMatchObject({ fail: 0 });
      expect(summary.known).toBeUndefined();
    },
  );

  it.each([
    ["another code", { "Sandbox-Expected": "INVALID_CURSOR" }],
    ["nothing", { "Sandbox-Expected": "" }],
  ])("a request that expects %s is judged", async (_what, headers) => {
    const client = await sandbox.createClient();
    await provoke(client, headers);
    expect(await failedOf(client)).toEqual(["list.page-size"]);
    expect((await client.report()).drills[0]?.expected).toBeUndefined();
  });

  it("a token that is refused on purpose is known as refused, and a wrong token request is no failure", async () => {
    const client = await sandbox.createClient();
    const headers = { "Sandbox-Expected": "UNAUTHORIZED" };
    await client.useScenario("unauthorized-once");
    const refused = await client.request("/v1/ping", { token: await client.token(), headers });
    expect(refused.status).toBe(401);
    const body = new URLSearchParams({ grant_type: "password", client_id: client.clientId, scope: "read" });
    const expectation = { "Sandbox-Expected": "UNSUPPORTED_GRANT_TYPE" };
    const path = "/oauth/v2/oauth-token";
    const wrong = await client.request(path, { method: "POST", body, headers: expectation });
    expect(wrong.json()).toMatchObject({ code: "UNSUPPORTED_GRANT_TYPE" });
    // A new token is right after the refusal.
    await client.request("/v1/ping", { token: await client.token() });
    const { failed, drills } = await client.report();
    expect(failed).toEqual([]);
    expect(drills[0]?.expected?.map(({ code }) => code)).toEqual(["UNAUTHORIZED", "UNSUPPORTED_GRANT_TYPE"]);
  });

  it("one that says it does not hide another one of the same client", async () => {
    const client = await sandbox.createClient();
    await provoke(client, { "Sandbox-Expected": "INVALID_PAGE_SIZE" });
    await provoke(client);
    const [newest] = await client.requests({ operation: "list" });
    expect((await client.report()).failed).toEqual([expect.stringContaining(`[requests ${newest?.id}]`)]);
  });

  it("a report on a client says what is expected: the check is known, and its code is shown", async () => {
    const client = await sandbox.createClient();
    for (const size of ["0", "101"]) await provoke(client, {}, size);
    const { failed, drills, summary } = await client.report({ expected: ["INVALID_PAGE_SIZE"] });
    expect(failed).toEqual([]);
    expect(drills[0]).toMatchObject({ verdict: "pass", expected: [{ code: "INVALID_PAGE_SIZE", count: 2 }] });
    expect(drills[0]?.checks.find(({ id }) => id === "list.page-size")).toMatchObject({
      verdict: "fail",
      known: "INVALID_PAGE_SIZE was expected",
    });
    expect(summary).toMatchObject({ fail: 0, known: 1 });
    expect(await failedOf(client)).toEqual(["list.page-size"]);
  });

  it("a report on a client fails for what was expected and did not come, and for anything else", async () => {
    const client = await lost();
    const { failed } = await client.report({ expected: ["INVALID_PAGE_SIZE"] });
    expect(failed).toEqual([
      expect.stringMatching(/^request\.path /),
      "INVALID_PAGE_SIZE was expected, and was not delivered to any request.",
    ]);
  });

  it("GET /report has the same", async () => {
    const client = await sandbox.createClient();
    await provoke(client);
    const get = async (query: string) => {
      const answer = await fetch(`${sandbox.adminUrl}/report?client=${client.clientId}${query}`);
      return { status: answer.status, body: (await answer.json()) as Report };
    };
    expect(await get("&expected=INVALID_PAGE_SIZE,X")).toMatchObject({
      status: 200,
      body: { summary: { fail: 0 }, drills: [{ expected: [{ count: 1 }, { code: "X", count: 0 }] }] },
    });
    for (const query of ["&expected=", "&expected=a%20b", "&edition=1"])
      expect((await get(query)).status, query).toBe(400);
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
