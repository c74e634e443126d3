import { request } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { expect, it } from "vitest";
import { exchange } from "../../src/library/http-exchange.js";
import { afterTest } from "../support/cleanups.js";

const limits = { timeoutMs: 60_000, longest: 1000 };

/** The address of a server that sends these bytes to each client, and no end. */
async function sending(bytes: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.write(bytes));
    afterTest(() => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterTest(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

it("an answer that is whole is read, although other bytes follow it", async () => {
  const url = await sending("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK and more");
  const { head, body } = await exchange(request(url), undefined, limits);
  expect([head.statusCode, String(body)]).toEqual([200, "OK"]);
});

it("a user who gives up in the middle of a body gets the reason that was given", async () => {
  const url = await sending("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhalf");
  const giving = new AbortController();
  const outgoing = request(url, { signal: giving.signal });
  outgoing.once("response", () => giving.abort());
  await expect(exchange(outgoing, undefined, limits)).rejects.toMatchObject({ name: "AbortError" });
});
