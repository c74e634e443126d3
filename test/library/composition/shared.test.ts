import { expect, test } from "vitest";
import { withSharedState } from "../../../src/library/composition/shared.js";
import { eventually, plain, startServer } from "../../sandbox/tls/fixture.js";
import { parseResponses } from "../../support/raw-client.js";

// RFC 9112 §7.1: a length is hexadecimal.
const head = "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
const brokenBody = "not a length\r\n";

/** A server whose shared state is released by the test. An entry is made for each answer of the application. */
async function startWaiting() {
  const waiting = new Map<string, () => void>();
  const wait = (name: string) => new Promise<void>((resolve) => waiting.set(name, resolve));
  const store = { current: () => wait("current"), written: () => wait("written") };
  const entries: string[] = [];
  const server = await startServer({
    fetch: withSharedState(store, ({ method }) => {
      entries.push(method);
      return plain("answer");
    }),
  });
  const release = async (name: string) => {
    (await eventually(() => waiting.get(name)))();
    waiting.delete(name);
  };
  return { server, entries, waiting, release };
}

test("a request that breaks while the state is read has one answer, and one entry", async () => {
  const { server, entries, waiting, release } = await startWaiting();
  const client = await server.open();
  client.send(head);
  await eventually(() => waiting.has("current"));
  client.send(brokenBody);
  await client.waitFor("HTTP/1.1 400");
  await release("current");
  await client.closed;
  expect(parseResponses(client.received).map(({ status }) => status)).toEqual([400]);
  expect([server.problems.length, entries]).toEqual([1, []]);
});

test("a request that breaks while its entry is written has one answer, and one entry", async () => {
  const { server, entries, waiting, release } = await startWaiting();
  const client = await server.open();
  client.send(head);
  await release("current");
  await eventually(() => waiting.has("written"));
  client.send(brokenBody);
  const socket = server.requests[0]?.connection.tlsSocket;
  await eventually(() => socket?.bytesRead === client.socket.bytesWritten);
  await release("written");
  await client.waitFor(/answer$/);
  expect([server.problems, entries]).toEqual([[], ["POST"]]);
  client.send(brokenBody);
  await client.closed;
  expect(parseResponses(client.received).map(({ status }) => status)).toEqual([200]);
});
