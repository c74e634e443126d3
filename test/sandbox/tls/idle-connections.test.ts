import { expect, test } from "vitest";
import type { Limits } from "../../../src/sandbox/tls/limits.js";
import { afterTest } from "../../support/cleanups.js";
import { Http2Client } from "../../support/http2-client.js";
import { parseResponses } from "../../support/raw-client.js";
import { certificates, startServer } from "./fixture.js";

const get = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

async function openHttp2(limits: Partial<Limits>) {
  const server = await startServer({ limits });
  const { port } = server;
  const client = await Http2Client.open({ port, ca: certificates.ca.cert, ...certificates.client });
  afterTest(() => client.destroy());
  return { server, client };
}

/** The headers of an answer over HTTP/1.1 that say what becomes of the connection. */
async function told(limits: Partial<Limits>) {
  const server = await startServer({ limits });
  const client = await server.open();
  client.send(get);
  await client.waitFor(/GET \/$/);
  const [{ headers } = { headers: {} as Record<string, string> }] = parseResponses(client.received);
  return { client, server, told: [headers["connection"], headers["keep-alive"]] };
}

test.each([
  [100, "timeout=0"],
  [1_999, "timeout=1"],
  [5_000, "timeout=5"],
  [2 * 3_600_000, "timeout=7200"],
])("over HTTP/1.1, %d ms are announced as %s", async (keepAliveTimeoutMs, announced) => {
  expect((await told({ keepAliveTimeoutMs })).told).toEqual(["keep-alive", announced]);
});

test.each([true, false])(
  "over HTTP/1.1, an idle connection is closed with a close_notify; announced: %s",
  async (announcesIdleEnd) => {
    const { client, told: headers } = await told({ keepAliveTimeoutMs: 60, announcesIdleEnd });
    expect(headers).toEqual(["keep-alive", announcesIdleEnd ? "timeout=0" : undefined]);
    await client.closed;
    expect(client.errorCode).toBeUndefined();
  },
);

test.each([
  [true, [{ lastStream: 1, code: "NO_ERROR" }]],
  [false, []],
])("over HTTP/2, an idle connection is closed; announced: %s", async (announcesIdleEnd, goaways) => {
  const { client } = await openHttp2({ keepAliveTimeoutMs: 60, announcesIdleEnd });
  client.get(1, "/");
  await client.connection.closed;
  expect(client.received.stream(1)).toMatchObject({ status: 200, ended: true });
  expect(client.received.goaways).toMatchObject(goaways);
  expect(client.received.goaways).toHaveLength(goaways.length);
  expect(client.connection.errorCode).toBeUndefined();
});

// A judge of clients must not say that they could have used it.
test.each([
  [999, false],
  [1_000, true],
])("a connection that ends after %d ms without a request counts as kept open: %s", async (keepAliveTimeoutMs, kept) => {
  const { server } = await told({ keepAliveTimeoutMs });
  expect(server.requests[0]?.outgoing.keptOpen).toBe(kept);
  const { client, server: other } = await openHttp2({ keepAliveTimeoutMs });
  client.get(1, "/");
  await client.over(1);
  expect(other.requests[0]?.outgoing.keptOpen).toBe(kept);
});

test("over HTTP/1.1, a head that has begun is not idle", async () => {
  const server = await startServer({ limits: { keepAliveTimeoutMs: 60 } });
  const client = await server.open();
  client.send(get);
  await client.waitFor(/GET \/$/);
  client.send(get.slice(0, 10));
  for (let round = 0; round < 2; round++) {
    const other = await server.open();
    other.send(get);
    await other.closed;
  }
  client.send(get.slice(10));
  await client.waitFor(/GET \/.+GET \/$/s);
  await client.closed;
  expect(parseResponses(client.received).map(({ status }) => status)).toEqual([200, 200]);
});
