import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { encodeFields } from "../support/hpack.js";
import { flags, frame, preface, requestFields, settingIds, settings } from "../support/http2-frames.js";
import { openTls, type RawClient } from "../support/raw-client.js";
import { identityIn, type StartedSandbox, start } from "./command.js";

const smallHeap = { env: { NODE_OPTIONS: "--max-old-space-size=256" } };
const connections = 20;

/** Connections without a certificate, whose answers are not read. */
async function openUnread(sandbox: StartedSandbox, ALPNProtocols: string[]): Promise<RawClient[]> {
  const { ca } = identityIn(sandbox.certs);
  const port = Number(new URL(sandbox.url).port);
  const opened = await Promise.all(
    Array.from({ length: connections }, () => openTls({ port, ca, ALPNProtocols, servername: "localhost" })),
  );
  for (const { socket } of opened) socket.pause();
  return opened;
}

/** Whether the sandbox still answers while all of these are open. */
async function expectAlive(sandbox: StartedSandbox): Promise<void> {
  await sleep(2_000);
  expect((await fetch(`${sandbox.adminUrl}/health`)).status).toBe(200);
}

test("requests over HTTP/1.1 with many headers that wait for their turn do not fill a small heap", async () => {
  const sandbox = await start(["--scenario", "hang"], smallHeap);
  const clients = await openUnread(sandbox, ["http/1.1"]);
  const request = `GET /v1/ping HTTP/1.1\r\nHost: localhost\r\n${"ab:\r\n".repeat(3_000)}\r\n`;
  for (const client of clients) client.send(request.repeat(900));
  await expectAlive(sandbox);
});

test("requests after one that arrived too slowly do not fill a small heap", async () => {
  const sandbox = await start(["--scenario", "hang"], smallHeap);
  const [client] = await openUnread(sandbox, ["http/1.1"]);
  client?.send("GET /v1/ping HTTP/1.1\r\nHost: localhost\r\n\r\nGET /v1/ping HTTP/1.1\r\n");
  // Until the head is 408, after ten seconds.
  await sleep(12_000);
  const request = `GET /v1/ping HTTP/1.1\r\nHost: localhost\r\nA: ${"x".repeat(15_000)}\r\n\r\n`;
  client?.send("Host: localhost\r\n\r\n");
  for (let times = 0; times < 40; times++) client?.send(request.repeat(1_000));
  await expectAlive(sandbox);
});

test("streams with many headers, whose answers are not read, do not fill a small heap", async () => {
  const sandbox = await start([], smallHeap);
  const clients = await openUnread(sandbox, ["h2"]);
  const noWindow = settings([[settingIds.INITIAL_WINDOW_SIZE, 0]]);
  const both = flags.END_HEADERS | flags.END_STREAM;
  // One field in the dynamic table, which each following byte repeats.
  const field = Buffer.from("\x40\x02ab\x01c", "latin1");
  const block = Buffer.concat([encodeFields(requestFields("GET", "/v1/ping")), field, Buffer.alloc(1_800, 0xbe)]);
  const streams = Array.from({ length: 100 }, (_none, at) => frame("HEADERS", both, 2 * at + 1, block));
  for (const client of clients) client.socket.write(Buffer.concat([preface, noWindow, ...streams]));
  await expectAlive(sandbox);
});
