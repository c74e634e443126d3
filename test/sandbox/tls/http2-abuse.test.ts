import { expect, test } from "vitest";
import { afterTest } from "../../support/cleanups.js";
import { Http2Client } from "../../support/http2-client.js";
import { certificates, eventually, plain, startServer, type TestServer } from "./fixture.js";
import { type AbuseCase, abuses } from "./http2-abuse.js";

const { cert, key } = certificates.client;

async function open({ port }: TestServer, first?: Buffer): Promise<Http2Client> {
  const client = await Http2Client.open({ port, ca: certificates.ca.cert, cert, key }, first);
  afterTest(() => client.destroy());
  return client;
}

/**
 * Commits an abuse on its own connection.
 * @returns the reaction, in the words of the table, and the client's port
 */
async function commit(server: TestServer, abuse: AbuseCase): Promise<[came: string, port: number | undefined]> {
  const client = await open(server, abuse.first);
  // Node 20 loses its GOAWAY if something else is still being sent.
  if (abuse.first === undefined) await client.isAlive();
  const port = client.connection.socket.localPort;
  client.send(abuse.bytes);
  // A case that does not end does not hide others.
  return [await outcome(client, abuse).catch(String), port];
}

async function outcome(client: Http2Client, { comes }: AbuseCase): Promise<string> {
  const { received } = client;
  const mayGoOn = !/^(connection|close)/.test(comes[0] ?? "") || comes.includes("nothing");
  if (mayGoOn && (await client.isAlive())) {
    const { reset, status } = comes.includes("nothing") ? received.stream(1) : await client.over(1);
    client.get(101, "/good");
    if ((await client.over(101)).status !== 200) return "an answer is missing after it";
    if (status !== 0) return `answer ${status}`;
    return reset === undefined ? "nothing" : `stream ${reset}`;
  }
  await eventually(() => client.isClosed).catch(() => Promise.reject(new Error("The connection was not closed.")));
  const [goaway] = received.goaways;
  if (comes[0] === "close") return "close";
  // For some of them, Node 20 sends this code, or nothing.
  if (isNode20 && (goaway === undefined || goaway.code === "INTERNAL_ERROR")) return String(comes[0]);
  return goaway === undefined ? "close" : `connection ${goaway.code}`;
}

const isNode20 = process.version.startsWith("v20.");

test("every abuse of HTTP/2 causes the reaction of the RFC, and does not affect other clients", async () => {
  const served: string[] = [];
  const server = await startServer({
    limits: { checkingIntervalMs: 20 },
    // A request is served only when its body is complete.
    async fetch(request, { connectionFacts, incoming }) {
      const body = await request.text();
      served.push(`${incoming.url} ${connectionFacts.remotePort}`);
      return plain(`served ${body.length}`);
    },
  });
  const other = await open(server);
  const found = await Promise.all(
    abuses.map(async ([name, abuse]) => {
      const [came, port] = await commit(server, abuse);
      const isRefused = /^(stream|connection|close)/.test(came) && !abuse.comes[0]?.endsWith("STREAM_CLOSED");
      if (isRefused && served.includes(`/abuse ${port}`)) return [name, `${came}, but it was served`] as const;
      return [name, abuse.comes.some((each) => each === came) ? abuse.comes[0] : came] as const;
    }),
  );
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(abuses.map(([name, abuse]) => [name, abuse.comes[0]])));
  other.get(1, "/good");
  expect((await other.over(1)).status).toBe(200);
});
