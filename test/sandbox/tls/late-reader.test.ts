import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { Duplex, getDefaultHighWaterMark } from "node:stream";
import { expect, test } from "vitest";
import { openTcp, parseResponses } from "../../support/raw-client.js";
import { certificates, eventually, plain, startServer } from "./fixture.js";

const host = "Host: localhost\r\n";

/** Sends buffered data in one piece, so that several TLS records arrive together. */
class Held extends Duplex {
  isHeld = false;
  #held: Buffer[] = [];

  constructor(private readonly raw: Socket) {
    super();
    raw.on("data", (chunk) => this.push(chunk));
    raw.on("end", () => this.push(null));
    raw.on("error", () => {});
  }

  release(): void {
    this.isHeld = false;
    this.raw.write(Buffer.concat(this.#held));
    this.#held = [];
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: () => void): void {
    if (this.isHeld) this.#held.push(chunk);
    else this.raw.write(chunk);
    callback();
  }

  override _final(callback: () => void): void {
    this.raw.end();
    callback();
  }
}

test("pipelined requests after an answer that is read late, each in a separate TLS record, are answered", async () => {
  const big = "x".repeat(8 * 1024 * 1024);
  const server = await startServer({ fetch: ({ url }) => plain(url.endsWith("/big") ? big : new URL(url).pathname) });
  const { socket: raw } = await openTcp(server.port);
  const socket = new Held(raw);
  const client = await server.open({ socket });
  client.send(`GET /big HTTP/1.1\r\n${host}\r\n`);
  await client.waitFor("xxx");
  raw.pause();
  socket.isHeld = true;
  const paths = Array.from({ length: 20 }, (_none, at) => `/${at}`);
  for (const path of paths)
    await new Promise((resolve) => client.socket.write(`GET ${path} HTTP/1.1\r\n${host}\r\n`, resolve));
  socket.release();
  await eventually(() => server.requests[0]?.connection.rawSocket.bytesRead === raw.bytesWritten);
  raw.resume();
  await eventually(() => /\/19$|"code"/.test(client.received.slice(-100)));
  expect(parseResponses(client.received).map(({ body }) => body)).toEqual([big, ...paths]);
});

test("an unread body has the usual limit", async () => {
  const server = await startServer();
  await server.client(certificates.client).send("/", { method: "POST", body: "body" });
  const incoming = server.requests[0]?.incoming as IncomingMessage;
  expect(incoming.readableHighWaterMark).toBe(getDefaultHighWaterMark(false));
});
