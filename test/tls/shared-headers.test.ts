import { describe, expect, it, test } from "vitest";
import { shareTexts } from "../../src/tls/shared-headers.js";
import { startServer } from "./fixture.js";

/** The same text, and not the same string. */
const again = (text: string) => Buffer.from(text).toString();

describe("texts that were sent before", () => {
  const before = ["Host", "localhost", "Authorization", "Bearer a"];

  it("are all the same", () => {
    const sent = before.map(again);
    expect(shareTexts(before, sent)).toBe(true);
    expect(sent).toEqual(before);
  });

  test.each([
    [["Host", "localhost", "Authorization", "Bearer b"]],
    [["Host", "localhost", "authorization", "Bearer a"]],
    [["Host", "localhost"]],
    [["Host", "localhost", "Authorization", "Bearer a", "X", "y"]],
    [["Authorization", "Bearer a", "Host", "localhost"]],
    [[]],
  ])("are not: %j", (sent) => {
    const texts = [...sent];
    expect(shareTexts(before, texts)).toBe(false);
    expect(texts).toEqual(sent);
    expect(before).toEqual(["Host", "localhost", "Authorization", "Bearer a"]);
  });
});

describe("requests of one connection", () => {
  const ask = (more = "", version = "1.1") => `GET / HTTP/${version}\r\nHost: localhost\r\nX-A: 1\r\n${more}\r\n`;

  async function headersOf(...requests: string[]) {
    const server = await startServer();
    const client = await server.open();
    await client.sendAndClose(requests.join("") + ask("Connection: close\r\n"));
    return server.requests.slice(0, -1).map(({ incoming }) => incoming);
  }

  it("have one list of headers, where nothing differs", async () => {
    const [first, second] = await headersOf(ask(), ask());
    expect(second?.rawHeaders).toBe(first?.rawHeaders);
    expect(second?.headers).toBe(first?.headers);
    expect(second?.headers).toEqual({ host: "localhost", "x-a": "1" });
    expect(second?.headersDistinct).toEqual({ host: ["localhost"], "x-a": ["1"] });
  });

  it("each have their own, where something does", async () => {
    const seen = await headersOf(ask(), ask("X-B: 2\r\n"), ask(), ask("x-a: 2\r\n"));
    expect(seen.map(({ headers }) => headers)).toEqual([
      { host: "localhost", "x-a": "1" },
      { host: "localhost", "x-a": "1", "x-b": "2" },
      { host: "localhost", "x-a": "1" },
      { host: "localhost", "x-a": "1, 2" },
    ]);
    expect(seen[1]?.rawHeaders).toEqual(["Host", "localhost", "X-A", "1", "X-B", "2"]);
  });

  it("on another connection are not looked at", async () => {
    const server = await startServer();
    for (let count = 0; count < 2; count++) await server.client().send("/");
    const [first, second] = server.requests;
    expect(second?.incoming.rawHeaders).toEqual(first?.incoming.rawHeaders);
    expect(second?.incoming.rawHeaders).not.toBe(first?.incoming.rawHeaders);
  });

  it("are checked as strictly as the first", async () => {
    const server = await startServer();
    const client = await server.open();
    const chunked = (version: string) =>
      `POST / HTTP/${version}\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`;
    const received = await client.sendAndClose(chunked("1.1") + chunked("1.0"));
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 400"]);
  });

  it("keep the trailers of a body apart", async () => {
    const server = await startServer({
      async fetch(request, { incoming }) {
        await request.text();
        return new Response(JSON.stringify([incoming.headers["x-a"], incoming.trailers["x-a"] ?? null]));
      },
    });
    const client = await server.open();
    const post = (trailer: string, more = "") =>
      `POST / HTTP/1.1\r\nHost: localhost\r\nX-A: 1\r\nTransfer-Encoding: chunked\r\n${more}\r\n1\r\nx\r\n0\r\n${trailer}\r\n`;
    const received = await client.sendAndClose(post("X-A: 2\r\n") + post("") + post("", "Connection: close\r\n"));
    expect(received.match(/\[.*\]/g)).toEqual(['["1","2"]', '["1",null]', '["1",null]']);
  });
});
