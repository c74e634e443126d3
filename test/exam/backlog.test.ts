import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Backlog } from "../../src/exam/backlog.js";
import { Examiner } from "../../src/exam/examiner.js";
import { type ClientHandle, type StartedSandbox, startSandbox } from "../../src/index.js";
import { Exchange } from "../../src/sandbox/journal/exchange.js";
import { type AnyEntry, type HandshakeRecord, isRequest, Journal } from "../../src/sandbox/journal/journal.js";
import { afterFile } from "../support/cleanups.js";
import { eventually } from "../support/eventually.js";
import { CorrectClient } from "./correct-client.js";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

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
    await wrong.useScenario({ rules: [{ when: { operation: "ping" }, then: { error: "http.internal-error" } }] });
    for (let count = 0; count < 4; count++) await client.authorised("/v1/ping", token);
    await wrong.clearScenario();
    for (let count = 0; count < 25; count++) {
      await other.run();
      await client.authorised("/v1/ping", token);
    }
    return { wrong: await verdictsOn(wrong), right: await verdictsOn(right), all: await verdictsOn(sandbox) };
  }

  it("has the verdicts that a large journal would give", async () => {
    const small = await behave(await sandboxWith(8));
    expect(small).toEqual(await behave(await sandboxWith(10_000)));
    expect(small.wrong).toMatchObject({
      "token.header": "fail",
      "list.page-size": "fail",
      "list.filters": "fail",
      "retry.paced": "fail",
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

  it("has a request that hung until the journal had dropped it", async () => {
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
  it("calls no judge as long as the journal has room, and one for each entry when a report is read", async () => {
    const sandbox = await sandboxWith(100);
    const client = program(await sandbox.createClient());
    const [examined, dropping] = [vi.spyOn(Examiner.prototype, "exchange"), vi.spyOn(Backlog.prototype, "dropping")];
    await client.run();
    const sent = await sandbox.countRequests();
    expect(sent).toBeGreaterThan(5);
    expect([examined.mock.calls.length, dropping.mock.calls.length]).toEqual([0, 0]);
    for (let read = 0; read < 2; read++) {
      await sandbox.report();
      expect(examined.mock.calls.map(([{ id }]) => id)).toEqual(Array.from({ length: sent }, (_, place) => place + 1));
    }
  });
});

const connection = { id: 1, begunAt: 0, protocol: "TLSv1.3" } as NonNullable<Exchange["connection"]>;
const passage = { arrivedAt: 1, releasedAt: 2, ordinal: 1, keptOpen: true, isBroken: false };

function added(journal: Journal, target: string): Exchange {
  const exchange = new Exchange({ kind: "none" }, "GET", target, [], 0);
  exchange.cameFrom(undefined, connection, undefined);
  exchange.recorded(journal.requests.add(exchange), undefined);
  return exchange;
}

function backlogOf(journal: Journal) {
  const judged: string[] = [];
  const name = (entry: AnyEntry) => (isRequest(entry) ? entry.item.target : entry.item.cause);
  const backlog = new Backlog(journal, (entry) => judged.push(name(entry)));
  journal.listen(backlog);
  return { backlog, judged };
}

describe("the entries that are not judged yet", () => {
  it("are judged in the order in which they were over, handshakes among them", async () => {
    const journal = new Journal({ requests: 100, bytes: 1e6, handshakes: 10 });
    const { backlog, judged } = backlogOf(journal);
    const [slow, quick, open] = [added(journal, "/slow"), added(journal, "/quick"), added(journal, "/open")];
    quick.closed(true, passage);
    const overAt = quick.passage?.overAt ?? 0;
    journal.handshakes.add({ cause: "plain-http", overAt } as HandshakeRecord);
    slow.closed(true, passage);
    await backlog.catchUpInTurns();
    expect(judged).toEqual(["/quick", "plain-http", "/slow"]);
    open.closed(false, passage);
    added(journal, "/next").closed(true, passage);
    backlog.catchUp();
    expect(judged.slice(3)).toEqual(["/open", "/next"]);
  });

  it("are judged before the journal drops or removes them, and once", () => {
    const journal = new Journal({ requests: 5, bytes: 1e6, handshakes: 1 });
    const { backlog, judged } = backlogOf(journal);
    const targets = Array.from({ length: 23 }, (_, place) => `/${place}`);
    for (const target of targets) added(journal, target).closed(true, passage);
    expect(judged.length).toBeGreaterThanOrEqual(18);
    journal.remove(({ item }) => item instanceof Exchange && item.target === "/21");
    expect(judged).toEqual(targets);
    backlog.catchUp();
    expect(judged).toEqual(targets);
    backlog.forget();
    added(journal, "/23").closed(true, passage);
    backlog.forget();
    backlog.catchUp();
    expect(judged).toEqual(targets);
  });

  it("leave the memory when the journal drops them, the open ones once they are over", async () => {
    const journal = new Journal({ requests: 10, bytes: 1e6, handshakes: 1 });
    const { judged } = backlogOf(journal);
    const held: WeakRef<Exchange>[] = [];
    const fill = (close: boolean) => {
      for (let count = 0; count < 500; count++) {
        const exchange = added(journal, "/many");
        if (close) exchange.closed(true, passage);
        held.push(new WeakRef(exchange));
      }
    };
    fill(false);
    for (const reference of held) reference.deref()?.closed(true, passage);
    fill(true);
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    expect(held.filter((reference) => reference.deref() !== undefined).length).toBeLessThanOrEqual(10);
    expect(judged.length).toBeGreaterThanOrEqual(990);
  });
});
