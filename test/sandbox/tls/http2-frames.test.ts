import { once } from "node:events";
import { createServer } from "node:http2";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, test } from "vitest";
import { afterTest } from "../../support/cleanups.js";
import { eventually } from "../../support/eventually.js";
import { decodeFields, encodeFields, encodeNumber } from "../../support/hpack.js";
import { FrameReader, frame, headers, opening, requestFields, uint32 } from "../../support/http2-frames.js";

const printable = Array.from({ length: 95 }, (_none, at) => String.fromCharCode(0x20 + at)).join("");

// This tests the test client against Node's server.
test("frames of Node's server are read, in pieces of any size, and frames to it arrive", async () => {
  const long = "v".repeat(20_000);
  const requests: unknown[] = [];
  const server = createServer((request, response) => {
    requests.push([request.method, request.url, request.headers["x-text"]]);
    response.writeHead(request.url === "/refused" ? 431 : 200, { "x-text": `a${printable}b`, "x-long": long });
    response.end("body");
  });
  afterTest(() => server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  afterTest(() => socket.destroy());
  const pieces: Buffer[] = [];
  const whole = new FrameReader();
  socket.on("data", (chunk) => {
    pieces.push(chunk);
    whole.add(chunk);
  });
  socket.write(
    Buffer.concat([
      opening,
      headers(1, requestFields("GET", "/served", [["x-text", `a${printable}b`]])),
      headers(3, requestFields("GET", "/refused")),
      frame("PING", 0, 0, "12345678"),
    ]),
  );
  await eventually(() => whole.stream(1).ended && whole.stream(3).ended && whole.pongs.has("12345678"));
  expect(requests).toEqual([
    ["GET", "/served", `a${printable}b`],
    ["GET", "/refused", undefined],
  ]);
  const expected = { "x-text": `a${printable}b`, "x-long": long };
  expect(whole.stream(1)).toMatchObject({ status: 200, headers: expected });
  expect(whole.stream(3)).toMatchObject({ status: 431, headers: expected });
  expect(whole.stream(1).body.toString()).toBe("body");
  expect(whole).toMatchObject({ broken: undefined, goaways: [], acknowledged: 1 });
  const wire = Buffer.concat(pieces);
  for (const size of [1, 7, 1_000]) {
    const reader = new FrameReader();
    for (let at = 0; at < wire.length; at += size) reader.add(wire.subarray(at, at + size));
    expect(reader.streams).toEqual(whole.streams);
  }
});

describe("a header block", () => {
  test("is read back unchanged", () => {
    const fields = [
      ["x", "y".repeat(300)],
      ["", ""],
      ["a", "\xff\0"],
    ] as const;
    expect(decodeFields(encodeFields(fields))).toEqual(fields);
  });

  // RFC 7541 §C.1 and §C.4.1
  test("is the same as in the examples", () => {
    expect(encodeNumber(1337, 5, 0).toString("hex")).toBe("1f9a0a");
    const example = Buffer.from("828684418cf1e3c2e5f23a6ba0ab90f4ff", "hex");
    expect(decodeFields(example)).toEqual([
      [":method", "GET"],
      [":scheme", "http"],
      [":path", "/"],
      [":authority", "www.example.com"],
    ]);
  });

  test.each(["80", "be", "00", "0083ffff"])("can be broken: %s", (hex) => {
    expect(() => decodeFields(Buffer.from(hex, "hex"))).toThrow();
  });
});

test("a GOAWAY and a RST_STREAM say why", () => {
  const reader = new FrameReader();
  reader.add(frame("RST_STREAM", 0, 3, uint32(7)));
  reader.add(frame("GOAWAY", 0, 0, Buffer.concat([uint32(1), uint32(11)])));
  expect(reader.stream(3).reset).toBe("REFUSED_STREAM");
  expect(reader.goaways).toEqual([{ code: "ENHANCE_YOUR_CALM", lastStream: 1 }]);
});

test.each([
  "HTTP/1.1 400 Bad Request\r\n\r\n",
  frame(0x42, 0, 0).toString("latin1"),
  frame("RST_STREAM", 0, 1, "abc").toString("latin1"),
])("bytes that are not HTTP/2 are reported: %j", (text) => {
  const reader = new FrameReader();
  reader.add(Buffer.from(text, "latin1"));
  expect(reader.broken).toBeDefined();
});
