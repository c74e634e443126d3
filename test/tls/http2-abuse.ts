import type { Http2ErrorCode } from "../../src/connection/http2-error.js";
import { encodeFields, encodeNumber, encodeText, type Field } from "../support/hpack.js";
import {
  flags,
  frame,
  frameTypes,
  headers,
  opening,
  preface,
  requestFields,
  settingIds,
  settings,
  uint32,
} from "../support/http2-frames.js";

/** What has to come back. */
type Comes =
  /** RFC 9113 §5.4.2: a RST_STREAM of stream 1 with this code; the connection goes on. */
  | `stream ${Http2ErrorCode}`
  /** RFC 9113 §5.4.1: a GOAWAY with this code, and the end of the connection. */
  | `connection ${Http2ErrorCode}`
  /** An answer on stream 1 with this status; the connection goes on. */
  | `answer ${number}`
  /** Nothing; the connection goes on. */
  | "nothing"
  /** The end of the connection. */
  | "close";

export interface AbuseCase {
  /** What is sent behind the opening. */
  readonly bytes: Buffer;
  /** What is sent in place of the opening. */
  readonly first?: Buffer;
  /** One of these. There are several where versions of Node differ: each of them is what the RFC allows. */
  readonly comes: readonly Comes[];
}

const body = { ends: false };

function request(fields: readonly Field[], { ends = true } = {}): Buffer {
  return headers(1, fields, ends);
}

function get(...fields: readonly Field[]): Buffer {
  return request(requestFields("GET", "/abuse", fields));
}

function without(name: string): Field[] {
  return requestFields("GET", "/abuse").filter(([own]) => own !== name);
}

function changed(name: string, value: string): Field[] {
  return requestFields("GET", "/abuse").map(([own, before]) => [own, own === name ? value : before]);
}

function post(...fields: readonly Field[]): Buffer {
  return request(requestFields("POST", "/abuse", fields), body);
}

function data(text: string, ends: boolean, stream = 1): Buffer {
  return frame("DATA", ends ? flags.END_STREAM : 0, stream, text);
}

function block(...bytes: number[]): Buffer {
  return frame("HEADERS", flags.END_HEADERS | flags.END_STREAM, 1, Buffer.from(bytes));
}

function all(...parts: readonly Buffer[]): Buffer {
  return Buffer.concat(parts);
}

const good = encodeFields(requestFields("GET", "/abuse"));

/** Requests that are malformed (RFC 9113 §8.1.1), or only strange. */
const messages: Readonly<Record<string, readonly [Buffer, ...Comes[]]>> = {
  "an upper-case name": [get(["X-Upper", "1"]), "stream PROTOCOL_ERROR"],
  // RFC 9113 §8.2.1 calls the next five malformed. nghttp2 drops the field and serves the request.
  "a name with a space": [get(["a b", "1"]), "answer 200"],
  "an empty name": [get(["", "1"]), "answer 200"],
  "a line break in a value": [get(["x-lines", "a\r\nb: c"]), "answer 200"],
  "a NUL in a value": [get(["x-nul", "a\0b"]), "answer 200"],
  "a value with a space at its end": [get(["x-space", "a "]), "answer 200"],
  Connection: [get(["connection", "close"]), "stream PROTOCOL_ERROR"],
  "Keep-Alive": [get(["keep-alive", "timeout=5"]), "stream PROTOCOL_ERROR"],
  "Proxy-Connection": [get(["proxy-connection", "close"]), "stream PROTOCOL_ERROR"],
  "Transfer-Encoding": [get(["transfer-encoding", "chunked"]), "stream PROTOCOL_ERROR"],
  Upgrade: [get(["upgrade", "h2c"]), "stream PROTOCOL_ERROR"],
  "TE: gzip": [get(["te", "gzip"]), "stream PROTOCOL_ERROR"],
  "TE: trailers": [get(["te", "trailers"]), "answer 200"],
  "no :method": [request(without(":method")), "stream PROTOCOL_ERROR"],
  "no :scheme": [request(without(":scheme")), "stream PROTOCOL_ERROR"],
  "no :path": [request(without(":path")), "stream PROTOCOL_ERROR"],
  "two :method": [request([[":method", "GET"], ...requestFields("GET", "/abuse")]), "stream PROTOCOL_ERROR"],
  "two :path": [request([[":path", "/"], ...requestFields("GET", "/abuse")]), "stream PROTOCOL_ERROR"],
  "two :authority": [request([[":authority", "a"], ...requestFields("GET", "/abuse")]), "stream PROTOCOL_ERROR"],
  "an unknown pseudo-header": [
    request([[":unknown", "1"], ...requestFields("GET", "/abuse")]),
    "stream PROTOCOL_ERROR",
  ],
  "a :status": [request([[":status", "200"], ...requestFields("GET", "/abuse")]), "stream PROTOCOL_ERROR"],
  "a pseudo-header behind a header": [
    request([["x-first", "1"], ...requestFields("GET", "/abuse")]),
    "stream PROTOCOL_ERROR",
  ],
  "an empty :path": [request(changed(":path", "")), "stream PROTOCOL_ERROR"],
  "a :path without a slash": [request(changed(":path", "abuse")), "stream PROTOCOL_ERROR"],
  "a :path that is an asterisk": [request(changed(":path", "*")), "stream PROTOCOL_ERROR"],
  "a :path with a space": [request(changed(":path", "/a b")), "stream PROTOCOL_ERROR"],
  "an empty :method": [request(changed(":method", "")), "stream PROTOCOL_ERROR"],
  "a :method that is no token": [request(changed(":method", "G T")), "stream PROTOCOL_ERROR"],
  "the :scheme http": [request(changed(":scheme", "http")), "answer 200"],
  "another :scheme": [request(changed(":scheme", "ftp")), "answer 400"],
  "an :authority with user information": [
    request(changed(":authority", "user@localhost")),
    "answer 400",
    "stream PROTOCOL_ERROR",
  ],
  "an :authority that is no host": [request(changed(":authority", "a b")), "stream PROTOCOL_ERROR"],
  "an empty :authority": [request(changed(":authority", "")), "stream PROTOCOL_ERROR"],
  "a Host that differs from :authority": [get(["host", "other"]), "answer 400"],
  "a Host that is the :authority": [get(["host", "localhost"]), "answer 200"],
  "a Host without :authority": [request([...without(":authority"), ["host", "localhost"]]), "answer 200"],
  "neither Host nor :authority": [request(without(":authority")), "stream PROTOCOL_ERROR"],
  "two Hosts": [get(["host", "localhost"], ["host", "localhost"]), "stream PROTOCOL_ERROR"],
  CONNECT: [
    request(
      [
        [":method", "CONNECT"],
        [":authority", "localhost:443"],
      ],
      body,
    ),
    "answer 400",
  ],
  "CONNECT with a :path": [request(changed(":method", "CONNECT"), body), "stream PROTOCOL_ERROR"],
  "an extended CONNECT": [
    request([[":protocol", "websocket"], ...changed(":method", "CONNECT")], body),
    "stream PROTOCOL_ERROR",
  ],
  "a :protocol with a GET": [
    request([[":protocol", "websocket"], ...requestFields("GET", "/abuse")]),
    "stream PROTOCOL_ERROR",
  ],
  "less data than announced": [all(post(["content-length", "5"]), data("abc", true)), "stream PROTOCOL_ERROR"],
  "more data than announced": [
    all(post(["content-length", "2"]), data("abc", true)),
    "stream PROTOCOL_ERROR",
    "connection INTERNAL_ERROR",
  ],
  "data behind a length of 0": [
    all(post(["content-length", "0"]), data("abc", true)),
    "stream PROTOCOL_ERROR",
    "connection INTERNAL_ERROR",
  ],
  "an announced length without data": [get(["content-length", "5"]), "stream PROTOCOL_ERROR"],
  "two lengths": [
    all(post(["content-length", "3"], ["content-length", "4"]), data("abc", true)),
    "stream PROTOCOL_ERROR",
  ],
  "a length that is no number": [all(post(["content-length", "-1"]), data("abc", true)), "stream PROTOCOL_ERROR"],
  "a length that is too large a number": [
    all(post(["content-length", "99999999999999999999"]), data("abc", true)),
    "stream PROTOCOL_ERROR",
  ],
  "Expect: 100-continue": [all(post(["expect", "100-continue"]), data("abc", true)), "answer 200"],
  "Expect: 100-continue, and a RST_STREAM with NO_ERROR": [
    all(post(["expect", "100-continue"], ["content-length", "9"]), frame("RST_STREAM", 0, 1, uint32(0))),
    "nothing",
  ],
  "another Expect": [all(post(["expect", "tea"]), data("abc", true)), "answer 417"],
  trailers: [all(post(), data("abc", false), request([["x-trailer", "1"]])), "answer 200"],
  "trailers with a pseudo-header": [
    all(post(), data("abc", false), request([[":path", "/"]])),
    "stream PROTOCOL_ERROR",
  ],
  "trailers that do not end the stream": [
    all(post(), data("abc", false), request([["x-trailer", "1"]], body)),
    "stream PROTOCOL_ERROR",
  ],
};

/** RFC 9113 §5.1 and §6: frames where they must not be, or that are not well formed. */
const frames: Readonly<Record<string, readonly [Buffer, ...Comes[]]>> = {
  "DATA on an idle stream": [data("abc", true), "connection PROTOCOL_ERROR"],
  "DATA on stream 0": [data("abc", true, 0), "connection PROTOCOL_ERROR"],
  "DATA on a stream that is half closed": [
    all(post(), data("abc", true), data("abc", true)),
    "connection STREAM_CLOSED",
  ],
  "DATA on a stream that was reset": [all(post(), frame("RST_STREAM", 0, 1, uint32(8)), data("abc", true)), "nothing"],
  "HEADERS on a stream that is half closed": [all(get(), get()), "connection STREAM_CLOSED", "close"],
  "HEADERS on stream 0": [frame("HEADERS", flags.END_HEADERS | flags.END_STREAM, 0, good), "connection PROTOCOL_ERROR"],
  "an even stream": [headers(2, requestFields("GET", "/abuse")), "connection PROTOCOL_ERROR"],
  // The stream counts as closed, and what comes of it is ignored.
  "a stream below another": [
    all(headers(5, requestFields("GET", "/good")), headers(3, requestFields("GET", "/abuse"))),
    "nothing",
  ],
  "a request in many CONTINUATIONs": [
    all(
      frame("HEADERS", flags.END_STREAM, 1, good.subarray(0, 1)),
      ...Array.from({ length: 5 }, (_none, at) => frame("CONTINUATION", 0, 1, good.subarray(1 + at, 2 + at))),
      frame("CONTINUATION", flags.END_HEADERS, 1, good.subarray(6)),
    ),
    "answer 200",
  ],
  "CONTINUATION without HEADERS": [frame("CONTINUATION", flags.END_HEADERS, 1, good), "connection PROTOCOL_ERROR"],
  "CONTINUATION behind the end of the headers": [
    all(post(), frame("CONTINUATION", flags.END_HEADERS, 1, good)),
    "connection PROTOCOL_ERROR",
  ],
  "a CONTINUATION of another stream": [
    all(frame("HEADERS", flags.END_STREAM, 1, good), frame("CONTINUATION", flags.END_HEADERS, 3, "")),
    "connection PROTOCOL_ERROR",
  ],
  "a PING between HEADERS and CONTINUATION": [
    all(frame("HEADERS", flags.END_STREAM, 1, good), frame("PING", 0, 0, "12345678")),
    "connection PROTOCOL_ERROR",
  ],
  "an unknown frame between HEADERS and CONTINUATION": [
    all(frame("HEADERS", flags.END_STREAM, 1, good), frame(0x42, 0, 1, "12345678")),
    "connection PROTOCOL_ERROR",
  ],
  "WINDOW_UPDATE of 0 on the connection": [frame("WINDOW_UPDATE", 0, 0, uint32(0)), "connection PROTOCOL_ERROR"],
  "WINDOW_UPDATE of 0 on a stream": [all(post(), frame("WINDOW_UPDATE", 0, 1, uint32(0))), "connection PROTOCOL_ERROR"],
  "WINDOW_UPDATE on an idle stream": [frame("WINDOW_UPDATE", 0, 1, uint32(1)), "connection PROTOCOL_ERROR"],
  "a window that is too large for the connection": [
    frame("WINDOW_UPDATE", 0, 0, uint32(2 ** 31 - 1)),
    "connection FLOW_CONTROL_ERROR",
  ],
  "a window that is too large for a stream": [
    all(post(), frame("WINDOW_UPDATE", 0, 1, uint32(2 ** 31 - 1))),
    "connection FLOW_CONTROL_ERROR",
    "close",
  ],
  "WINDOW_UPDATE of three bytes": [frame("WINDOW_UPDATE", 0, 0, "abc"), "connection FRAME_SIZE_ERROR"],
  "SETTINGS on a stream": [frame("SETTINGS", 0, 1), "connection PROTOCOL_ERROR"],
  "SETTINGS of five bytes": [frame("SETTINGS", 0, 0, "12345"), "connection FRAME_SIZE_ERROR"],
  "an ACK of SETTINGS with a payload": [frame("SETTINGS", flags.ACK, 0, "123456"), "connection FRAME_SIZE_ERROR"],
  "an ACK of no SETTINGS": [
    all(...Array.from({ length: 3 }, () => frame("SETTINGS", flags.ACK, 0))),
    "connection PROTOCOL_ERROR",
  ],
  "an ENABLE_PUSH of 2": [settings([[settingIds.ENABLE_PUSH, 2]]), "connection PROTOCOL_ERROR"],
  "a window of 2^31": [settings([[settingIds.INITIAL_WINDOW_SIZE, 2 ** 31]]), "connection FLOW_CONTROL_ERROR"],
  "frames of at most 16,383 bytes": [settings([[settingIds.MAX_FRAME_SIZE, 16_383]]), "connection PROTOCOL_ERROR"],
  "frames of at most 2^24 bytes": [settings([[settingIds.MAX_FRAME_SIZE, 2 ** 24]]), "connection PROTOCOL_ERROR"],
  "an unknown setting": [settings([[0x4242, 1]]), "nothing"],
  "PING of seven bytes": [frame("PING", 0, 0, "1234567"), "connection FRAME_SIZE_ERROR"],
  "PING on a stream": [frame("PING", 0, 1, "12345678"), "connection PROTOCOL_ERROR"],
  // The server may have sent a PING of its own by then.
  "an ACK of no PING": [
    frame("PING", flags.ACK, 0, "12345678"),
    "connection PROTOCOL_ERROR",
    "connection INTERNAL_ERROR",
    "nothing",
  ],
  "RST_STREAM of an idle stream": [frame("RST_STREAM", 0, 1, uint32(8)), "connection PROTOCOL_ERROR"],
  "RST_STREAM of stream 0": [frame("RST_STREAM", 0, 0, uint32(8)), "connection PROTOCOL_ERROR"],
  "RST_STREAM of three bytes": [all(post(), frame("RST_STREAM", 0, 1, "abc")), "connection FRAME_SIZE_ERROR"],
  "RST_STREAM with an unknown code": [all(post(), frame("RST_STREAM", 0, 1, uint32(0xffff_ffff))), "nothing"],
  "PUSH_PROMISE of a client": [
    all(post(), frame("PUSH_PROMISE", flags.END_HEADERS, 1, all(uint32(2), good))),
    "connection PROTOCOL_ERROR",
  ],
  "GOAWAY of a client": [frame("GOAWAY", 0, 0, all(uint32(0), uint32(0))), "close"],
  // It ended the process on Node 22: the session was destroyed before the request was read.
  "GOAWAY with an error, and a request with a body behind it": [
    all(
      frame("GOAWAY", 0, 0, all(uint32(0), uint32(1))),
      headers(1, requestFields("POST", "/abuse"), false),
      data("body", true),
    ),
    "close",
  ],
  "GOAWAY on a stream": [frame("GOAWAY", 0, 1, all(uint32(0), uint32(0))), "connection PROTOCOL_ERROR"],
  "GOAWAY of four bytes": [frame("GOAWAY", 0, 0, uint32(0)), "connection FRAME_SIZE_ERROR"],
  "unknown frames": [
    all(frame(0x42, 0xff, 0, "unknown"), frame(0xff, 0, 1, "unknown"), get(), frame(0x0b, 0, 1, "unknown")),
    "answer 200",
  ],
  "ALTSVC and ORIGIN of a client": [all(frame(10, 0, 0, "\0\x01aclear"), frame(12, 0, 0, "\0\x01a")), "nothing"],
  "a frame that is too large": [all(post(), frame("DATA", 0, 1, Buffer.alloc(16_385))), "connection FRAME_SIZE_ERROR"],
  "the head of a frame of 16 MiB": [
    all(post(), frame("DATA", 0, 1, "abc", 2 ** 24 - 1)),
    "connection FRAME_SIZE_ERROR",
  ],
  "padding that is longer than the payload": [
    all(post(), frame("DATA", flags.PADDED, 1, "\x05abc")),
    "connection PROTOCOL_ERROR",
  ],
  "padding that is longer than the headers": [
    frame("HEADERS", flags.END_HEADERS | flags.PADDED, 1, all(Buffer.of(255), good)),
    "connection PROTOCOL_ERROR",
  ],
  "a good padding": [
    all(
      frame("HEADERS", flags.END_HEADERS | flags.PADDED, 1, all(Buffer.of(2), good, Buffer.alloc(2))),
      frame("DATA", flags.PADDED | flags.END_STREAM, 1, "\x02abc\0\0"),
    ),
    "answer 200",
  ],
  "a stream that depends on itself": [
    frame("HEADERS", flags.END_HEADERS | flags.END_STREAM | flags.PRIORITY, 1, all(uint32(1), Buffer.of(0), good)),
    "connection PROTOCOL_ERROR",
  ],
  "PRIORITY of a stream that depends on itself": [
    frame("PRIORITY", 0, 1, all(uint32(1), Buffer.of(0))),
    "connection PROTOCOL_ERROR",
    "nothing",
  ],
  "PRIORITY of four bytes": [frame("PRIORITY", 0, 1, uint32(3)), "connection FRAME_SIZE_ERROR"],
  "PRIORITY of stream 0": [
    frame("PRIORITY", 0, 0, all(uint32(3), Buffer.of(0))),
    "connection PROTOCOL_ERROR",
    "nothing",
  ],
};

/** RFC 7541. After an error there, the two ends do not agree about the dynamic table: §4.3 of RFC 9113 ends the connection. */
const compression: Readonly<Record<string, readonly [Buffer, ...Comes[]]>> = {
  "the index 0": [block(0x80), "connection COMPRESSION_ERROR"],
  "an index beyond the tables": [block(0xff, 0x7f), "connection COMPRESSION_ERROR"],
  "a name whose index is beyond the tables": [block(0x7f, 0x7f, 0x01, 0x61), "connection COMPRESSION_ERROR"],
  "a dynamic table that is too large": [block(0x3f, 0xe2, 0x7f), "connection COMPRESSION_ERROR"],
  "a size of the table behind a field": [block(0x82, 0x20), "connection COMPRESSION_ERROR"],
  "a Huffman code that is the end": [block(0x10, 0x84, 0xff, 0xff, 0xff, 0xff, 0x00), "connection COMPRESSION_ERROR"],
  "Huffman padding that is too long": [block(0x10, 0x82, 0x1f, 0xff, 0x00), "connection COMPRESSION_ERROR"],
  "Huffman padding of zeros": [block(0x10, 0x81, 0x18, 0x00), "connection COMPRESSION_ERROR"],
  "a text that is longer than its block": [block(0x10, 0x7e, 0x61), "connection COMPRESSION_ERROR"],
  "a length of 2^35": [block(0x10, 0x7f, 0x80, 0x80, 0x80, 0x80, 0x7f), "connection COMPRESSION_ERROR"],
  "a block that stops within a field": [
    frame("HEADERS", flags.END_HEADERS | flags.END_STREAM, 1, good.subarray(0, -3)),
    "connection COMPRESSION_ERROR",
  ],
  "headers of 17 KiB": [longHead(17 * 1024), "answer 431"],
  "headers of 60 KiB": [longHead(60 * 1024), "answer 431"],
  "headers of 70 KiB": [longHead(70 * 1024), "connection COMPRESSION_ERROR"],
  // Each repetition of the entry in the dynamic table is one byte.
  "headers that are 30 MiB once they are decoded": [bomb(), "stream ENHANCE_YOUR_CALM"],
};

/** What is sent in place of the preface. */
const openings: Readonly<Record<string, readonly [Buffer, ...Comes[]]>> = {
  "no preface": [get(), "close"],
  "HTTP/1.1": [Buffer.from("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"), "close"],
  "a preface with an error": [all(Buffer.from("PRI * HTTP/2.0\r\n\r\nSX\r\n\r\n"), settings()), "close"],
  "random bytes": [Buffer.from("8f0a63d11a7b62c9e1d94ef0aa51", "hex"), "close"],
  "a preface without SETTINGS": [all(preface, frame("PING", 0, 0, "12345678")), "connection PROTOCOL_ERROR"],
  "the preface twice": [all(opening, preface), "connection FRAME_SIZE_ERROR"],
};

function inFrames(whole: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < whole.length; at += 16_384) {
    const last = at + 16_384 >= whole.length ? flags.END_HEADERS : 0;
    const type = at === 0 ? frameTypes.HEADERS : frameTypes.CONTINUATION;
    parts.push(frame(type, last | (at === 0 ? flags.END_STREAM : 0), 1, whole.subarray(at, at + 16_384)));
  }
  return all(...parts);
}

function longHead(bytes: number): Buffer {
  return inFrames(encodeFields(requestFields("GET", "/abuse", [["x-long", "x".repeat(bytes)]])));
}

function bomb(): Buffer {
  const name = encodeText("x-bomb");
  const entry = all(Buffer.of(0x40), name, encodeText("x".repeat(3_000)));
  return inFrames(all(good, entry, Buffer.alloc(10_000, encodeNumber(62, 7, 0x80))));
}

function table(cases: Readonly<Record<string, readonly [Buffer, ...Comes[]]>>, isFirst = false): [string, AbuseCase][] {
  return Object.entries(cases).map(([name, [bytes, ...comes]]) => [
    name,
    isFirst ? { bytes: Buffer.alloc(0), first: bytes, comes } : { bytes, comes },
  ]);
}

/** What a client of HTTP/2 must not do, and some of what it may, by name. */
export const abuses: readonly (readonly [string, AbuseCase])[] = [
  ...table(messages),
  ...table(frames),
  ...table(compression),
  ...table(openings, true),
];
