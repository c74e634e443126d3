import { describe, expect, it, onTestFinished } from "vitest";
import { mostStreams } from "../../src/admin/event-stream.js";
import { EventReader } from "./event-reader.js";
import { eventually, start, type TestSandbox } from "./fixture.js";
import { countListeners } from "./listeners.js";

/** Waits for a request. */
const waitFor = (sandbox: TestSandbox, query: string) => sandbox.admin.get(`/requests?${query}`);

/** What waits until so many calls wait. */
function waiting(sandbox: TestSandbox): (calls: number) => Promise<unknown> {
  const listeners = countListeners(sandbox);
  return (calls) => eventually(() => listeners() === calls || undefined);
}

describe("GET /requests with wait", () => {
  it("answers at once with what is in the journal already", async () => {
    const sandbox = await start();
    const client = await sandbox.mint();
    await client.ping();
    const { status, json } = await waitFor(sandbox, `wait=50s&operation=ping&client=${client.clientId}`);
    expect([status, json.items.length, json.items[0].operation]).toEqual([200, 1, "ping"]);
  });

  it("answers when a request comes that matches, and not for another", async () => {
    const sandbox = await start();
    const isWaiting = waiting(sandbox);
    const [one, other] = await Promise.all([sandbox.mint(), sandbox.mint()]);
    const found = waitFor(sandbox, `wait=50s&q=status:4xx&client=${one.clientId}`);
    await isWaiting(1);
    await one.ping();
    await other.get("/v1/ping?produceError=true", await other.token());
    await one.get("/v1/payments?pageSize=0", await one.token());
    const { json } = await found;
    expect(json.items.map(({ client, code }: Record<string, string>) => [client, code])).toEqual([
      [one.clientId, "INVALID_PAGE_SIZE"],
    ]);
    await isWaiting(0);
  });

  it("sees how an answer ends", async () => {
    const sandbox = await start();
    const client = await sandbox.mint();
    const isWaiting = waiting(sandbox);
    const found = waitFor(sandbox, "wait=50s&q=took:%3C50s%20op:ping");
    await isWaiting(1);
    await client.ping();
    expect((await found).json.items).toHaveLength(1);
  });

  it("says what came instead when the time is over", async () => {
    const sandbox = await start();
    const client = await sandbox.mint();
    const none = await waitFor(sandbox, `wait=1ms&operation=list&client=${client.clientId}`);
    expect([none.status, none.json]).toEqual([
      408,
      {
        code: "NOTHING_MATCHED",
        message: `No request matched within 0.001 s. No request of ${client.clientId} came.`,
      },
    ]);
    await client.ping();
    const others = await waitFor(sandbox, `wait=1ms&operation=list&client=${client.clientId}`);
    expect(others.json.message).toBe(
      `No request matched within 0.001 s. The last ones of ${client.clientId}: GET /v1/ping (200) and POST /oauth/v2/oauth-token (200).`,
    );
    expect((await sandbox.admin.post("/reset", { client: client.clientId })).status).toBe(204);
    expect((await waitFor(sandbox, `wait=1ms&client=${client.clientId}`)).status).toBe(408);
  });

  it.each(["wait=soon", "wait=51s", "wait=5", "wait="])("refuses %s", async (query) => {
    const sandbox = await start();
    const { status, json } = await waitFor(sandbox, query);
    expect([status, json.code, json.message]).toEqual([400, "INVALID_REQUEST", expect.stringContaining("at most 50s")]);
  });

  it("ends with its caller and with the sandbox, and is bounded in number", async () => {
    const sandbox = await start();
    const isWaiting = waiting(sandbox);
    const readers = Array.from({ length: mostStreams }, () => new EventReader(sandbox.admin.url, "/requests?wait=50s"));
    onTestFinished(() => {
      for (const { socket } of readers) socket.destroy();
    });
    await isWaiting(mostStreams);
    const refused = await waitFor(sandbox, "wait=1s");
    expect([refused.status, refused.json.code]).toEqual([409, "TOO_MANY_STREAMS"]);
    for (const { socket } of readers.slice(1)) socket.destroy();
    await isWaiting(1);
    await sandbox.sandbox.close(5000);
    expect(readers[0]?.text).toMatch(/^HTTP\/1\.1 408 .*before the sandbox was stopped/s);
  });
});
