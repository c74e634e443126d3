import { afterEach, describe, expect, it, vi } from "vitest";
import { Examiner } from "../../src/exam/examiner.js";
import { type ClientHandle, type StartedSandbox, startSandbox } from "../../src/index.js";
import { afterFile } from "../support/cleanups.js";
import { eventually } from "../support/eventually.js";
import { CorrectClient } from "./correct-client.js";

async function sandboxWith(requests: number): Promise<StartedSandbox> {
  const sandbox = await startSandbox({ lists: { payments: { count: 40 } }, journal: { requests }, seed: "1" });
  afterFile(() => sandbox.close());
  return sandbox;
}

function program({ url, clientId, tls }: ClientHandle): CorrectClient {
  const client = new CorrectClient({ url, clientId, ...tls });
  afterFile(() => client.close());
  return client;
}

async function verdictsOn(reported: Pick<ClientHandle, "report">): Promise<Readonly<Record<string, string>>> {
  const { drills } = await reported.report();
  return Object.fromEntries(drills.flatMap(({ checks }) => checks.map(({ id, verdict }) => [id, verdict])));
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a report on more requests than the journal holds", () => {
  /** Mistakes first, then much that pushes them out of the journal. */
  async function behave(sandbox: StartedSandbox) {
    const [wrong, right] = [await sandbox.createClient(), await sandbox.createClient()];
    const client = program(wrong);
    const other = program(right);
    const token = await client.token();
    await client.authorised(`/v1/ping?access_token=${token.value}`, token);
    await client.authorised("/v1/payments?pageSize=0", token);
    const page = await client.page("/v1/payments", { pageSize: "10" }, undefined);
    await client.authorised(`/v1/payments?pageSize=10&fromCreatedAt=2020-01-01T00:00:00Z&cursor=${page.next}`, token);
    for (let count = 0; count < 3; count++) await client.authorised("/v1/nothing", token);
    // More than are judged at once.
    for (let count = 0; count < 20; count++) {
      await other.run();
      await client.authorised("/v1/ping", token);
    }
    return { wrong: await verdictsOn(wrong), right: await verdictsOn(right), all: await verdictsOn(sandbox) };
  }

  it("has the verdicts that a large journal would give", { tags: "slow" }, async () => {
    const small = await behave(await sandboxWith(8));
    expect(small).toEqual(await behave(await sandboxWith(10_000)));
    expect(small.wrong).toMatchObject({
      "token.header": "fail",
      "list.page-size": "fail",
      "list.filters": "fail",
      "retry.permanent": "fail",
      "tls.version": "pass",
    });
    expect(Object.values(small.right)).not.toContain("fail");
  });

  it("keeps verdicts on what was removed from the journal, until everything of a client is", async () => {
    const sandbox = await sandboxWith(8);
    const registered = await sandbox.createClient();
    const client = program(registered);
    const token = await client.token();
    await client.authorised("/v1/payments?pageSize=0", token);
    await sandbox.clearRequests({ operation: "list" });
    expect(await verdictsOn(registered)).toMatchObject({ "list.page-size": "fail", "token.form": "pass" });
    for (let count = 0; count < 20; count++) await client.authorised("/v1/payments?pageSize=0", token);
    await sandbox.clearRequests({ client: registered.clientId });
    await client.authorised("/v1/payments", token);
    expect(await verdictsOn(registered)).toMatchObject({ "list.page-size": "pass", "token.form": "not-exercised" });
    for (let count = 0; count < 20; count++) await client.authorised("/v1/payments?pageSize=0", token);
    await sandbox.clearRequests();
    await client.authorised("/v1/ping", token);
    expect(await verdictsOn(sandbox)).toMatchObject({ "list.page-size": "not-exercised", "token.header": "pass" });
  });

  it("has a request that hung until the journal had dropped it", { tags: "slow" }, async () => {
    const sandbox = await sandboxWith(4);
    const [hanging, busy] = [await sandbox.createClient(), await sandbox.createClient()];
    await hanging.useScenario({ rules: [{ when: { operation: "ping" }, then: { connection: "hang" } }] });
    const client = program(hanging);
    const lost = client.authorised("/v1/ping", await client.token()).catch(() => "lost");
    await eventually(async () => (await sandbox.countRequests({ client: hanging.clientId, operation: "ping" })) === 1);
    const other = program(busy);
    const token = await other.token();
    for (let count = 0; count < 10; count++) await other.authorised("/v1/payments?pageSize=0", token);
    expect(await sandbox.countRequests({ client: hanging.clientId })).toBe(0);
    expect(await verdictsOn(hanging)).toMatchObject({ "token.header": "not-exercised" });
    client.close();
    expect(await lost).toBe("lost");
    await eventually(async () => (await verdictsOn(hanging))["token.header"] === "pass");
  });
});

describe("the path of a request", () => {
  it("calls the judges once in many requests, and for each that is over when a report is read", {
    tags: "slow",
  }, async () => {
    const sandbox = await sandboxWith(100);
    const client = program(await sandbox.createClient());
    const examined = vi.spyOn(Examiner.prototype, "exchange");
    const judged = () => examined.mock.calls.map(([{ id }]) => id);
    await client.run();
    const sent = await sandbox.countRequests();
    expect(sent).toBeGreaterThan(5);
    expect(judged()).toEqual([]);
    for (let read = 0; read < 2; read++) {
      await sandbox.report();
      expect(judged()).toEqual(Array.from({ length: sent }, (_, place) => place + 1));
    }
    const token = await client.token();
    for (let count = 0; count < 200; count++) await client.authorised("/v1/ping", token);
    expect(judged().length).toBeGreaterThan(sent);
    await sandbox.report();
    expect(judged()).toEqual(judged().map((_, place) => place + 1));
    expect([sent + 200, sent + 201]).toContain(judged().length);
  });
});
