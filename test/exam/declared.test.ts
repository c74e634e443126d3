import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClientHandle, type StartedSandbox, startSandbox } from "../../src/index.js";

let sandbox: StartedSandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});

afterAll(() => sandbox.close());

const codes = ["INVALID_PAGE_SIZE"];

async function provoke(client: ClientHandle, token: string, size = "0"): Promise<string | undefined> {
  const answer = await client.request(`/v1/payments?pageSize=${size}`, { token });
  return answer.json<{ code?: string }>().code;
}

/** The checks that failed, and the errors that were expected. */
async function shown(client: ClientHandle) {
  const { failed, drills } = await client.report();
  return { failed: failed.map((text) => text.split(" ", 1)[0]), expected: drills[0]?.expected };
}

const idsOf = async (client: ClientHandle) =>
  (await client.requests({ operation: "list" })).map(({ id }) => id).reverse();

describe("errors that a client is declared to provoke", () => {
  it("fail no check, and the report shows them as those of the header Sandbox-Expected", async () => {
    const client = await sandbox.createClient({ expected: codes });
    const token = await client.token();
    for (const size of ["0", "101"]) expect(await provoke(client, token, size)).toBe("INVALID_PAGE_SIZE");
    const { failed, drills, summary } = await client.report();
    expect(failed).toEqual([]);
    expect(drills[0]?.expected).toEqual([{ code: "INVALID_PAGE_SIZE", count: 2, exchanges: await idsOf(client) }]);
    expect(summary).toMatchObject({ fail: 0 });
    expect(summary.known).toBeUndefined();
  });

  it("are those that were declared when the answer was made: neither what was before nor what comes after", async () => {
    const client = await sandbox.createClient();
    const token = await client.token();
    await client.expect(codes);
    await provoke(client, token);
    await client.expect([]);
    const [declared] = await idsOf(client);
    const expected = [{ code: "INVALID_PAGE_SIZE", count: 1, exchanges: [declared] }];
    expect(await shown(client)).toEqual({ failed: [], expected });
    await provoke(client, token, "101");
    await client.expect(codes);
    expect(await shown(client)).toEqual({ failed: ["list.page-size"], expected });
    await provoke(client, token, "-1");
    expect((await shown(client)).expected).toMatchObject([{ count: 2 }]);
  });

  it("are of this client and with this code only", async () => {
    const client = await sandbox.createClient({ expected: codes });
    const other = await sandbox.createClient();
    await provoke(other, await other.token());
    expect(await shown(other)).toEqual({ failed: ["list.page-size"], expected: undefined });
    await client.request("/v1/payments?cursor=x", { token: await client.token() });
    expect(await shown(client)).toEqual({ failed: ["list.cursor"], expected: undefined });
  });

  it("may be declared by the client and by the header of a request", async () => {
    const client = await sandbox.createClient({ expected: codes });
    const token = await client.token();
    const headers = { "Sandbox-Expected": "INVALID_CURSOR" };
    await client.request("/v1/payments?cursor=x", { token, headers });
    await client.request("/v1/payments?pageSize=0", { token, headers });
    const { failed, expected } = await shown(client);
    expect(failed).toEqual([]);
    expect(expected).toMatchObject([{ code: "INVALID_CURSOR" }, { code: "INVALID_PAGE_SIZE" }]);
  });

  it.each([
    { by: "nobody", failed: ["token.certificate"] },
    { by: "the client that sends the token", failed: ["token.certificate"] },
    { by: "the client that the token was issued to", failed: [] },
  ])("count for the client in whose report the request is: declared by $by", async ({ by, failed }) => {
    const [holder, sender] = [await sandbox.createClient(), await sandbox.createClient()];
    if (by.endsWith("issued to")) await holder.expect(["UNAUTHORIZED"]);
    if (by.endsWith("sends the token")) await sender.expect(["UNAUTHORIZED"]);
    const answer = await sender.request("/v1/ping", { token: await holder.token() });
    expect(answer.json()).toMatchObject({ code: "UNAUTHORIZED" });
    expect((await shown(holder)).failed).toEqual(failed);
  });

  it("may have a code of a scenario's own answer", async () => {
    const body = { code: "ACCOUNT.ON-HOLD", message: "On hold." };
    const rule = { when: { operation: "ping" }, then: { respond: { status: 403, body } } } as const;
    const failedOf = async (expected: readonly string[]) => {
      const client = await sandbox.createClient({ expected });
      await client.useScenario({ rules: [rule] });
      const token = await client.token();
      for (const _ of [1, 2, 3]) await client.request("/v1/ping", { token });
      return shown(client);
    };
    expect(await failedOf([])).toEqual({ failed: ["retry.permanent"], expected: undefined });
    expect(await failedOf([body.code])).toMatchObject({ failed: [], expected: [{ code: body.code, count: 3 }] });
  });

  it("are forgotten by a reset, of the client or of the sandbox", async () => {
    const client = await sandbox.createClient({ expected: codes });
    for (const reset of [() => client.reset(), () => sandbox.reset()]) {
      await client.expect(codes);
      await reset();
      expect((await client.info()).expected).toEqual([]);
      await provoke(client, await client.token());
      expect((await shown(client)).failed).toEqual(["list.page-size"]);
    }
  });

  it("are not those of a client that is removed and made again with the same id", async () => {
    const before = await sandbox.createClient({ expected: codes });
    await before.delete();
    const after = await sandbox.createClient({ clientId: before.clientId });
    expect((await after.info()).expected).toEqual([]);
  });
});
