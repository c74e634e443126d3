import {
  flags,
  frame,
  headers,
  opening,
  preface,
  requestFields,
  settingIds,
  settings,
  uint32,
} from "../../support/http2-frames.js";
import { messages } from "./http2-abuse-messages.js";
import {
  type AbuseTable,
  all,
  block,
  bomb,
  type Comes,
  data,
  get,
  good,
  longHead,
  manyHeaders,
  post,
} from "./http2-abuse-parts.js";

export interface AbuseCase {
  /** What is sent after the opening. */
  readonly bytes: Buffer;
  /** What is sent instead of the opening. */
  readonly first?: Buffer;
  /** One of these. There are several if versions of Node differ; the RFC allows each. */
  readonly comes: readonly Comes[];
}

/** RFC 9113 §5.1 and §6: frames in wrong places, or malformed ones. */
const frames: AbuseTable = {
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
  // The stream counts as closed, and its frames are ignored.
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
  "CONTINUATION after the end of the headers": [
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
  // The server may have sent its own PING before.
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
  // It crashed the process on Node 22: the session was destroyed before the request was read.
  "GOAWAY with an error, followed by a request with a body": [
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

/**
 * RFC 7541. After an error there, the two ends do not agree about the dynamic table: §4.3 of RFC 9113 ends the
 * connection.
 */
const compression: AbuseTable = {
  "the index 0": [block(0x80), "connection COMPRESSION_ERROR"],
  "an index beyond the tables": [block(0xff, 0x7f), "connection COMPRESSION_ERROR"],
  "a name whose index is beyond the tables": [block(0x7f, 0x7f, 0x01, 0x61), "connection COMPRESSION_ERROR"],
  "a dynamic table that is too large": [block(0x3f, 0xe2, 0x7f), "connection COMPRESSION_ERROR"],
  "a size of the table after a field": [block(0x82, 0x20), "connection COMPRESSION_ERROR"],
  "a Huffman code that is the end": [block(0x10, 0x84, 0xff, 0xff, 0xff, 0xff, 0x00), "connection COMPRESSION_ERROR"],
  "Huffman padding that is too long": [block(0x10, 0x82, 0x1f, 0xff, 0x00), "connection COMPRESSION_ERROR"],
  "Huffman padding of zeros": [block(0x10, 0x81, 0x18, 0x00), "connection COMPRESSION_ERROR"],
  "a text that is longer than its block": [block(0x10, 0x7e, 0x61), "connection COMPRESSION_ERROR"],
  "a length of 2^35": [block(0x10, 0x7f, 0x80, 0x80, 0x80, 0x80, 0x7f), "connection COMPRESSION_ERROR"],
  "a block that stops within a field": [
    frame("HEADERS", flags.END_HEADERS | flags.END_STREAM, 1, good.subarray(0, -3)),
    "connection COMPRESSION_ERROR",
  ],
  "100 headers": [manyHeaders(99), "answer 200"],
  "101 headers": [manyHeaders(100), "answer 431"],
  "300 headers": [manyHeaders(300), "stream ENHANCE_YOUR_CALM"],
  "headers of 17 KiB": [longHead(17 * 1024), "answer 431"],
  "headers of 60 KiB": [longHead(60 * 1024), "answer 431"],
  "headers of 70 KiB": [longHead(70 * 1024), "connection COMPRESSION_ERROR"],
  // Each repetition of the entry in the dynamic table is one byte.
  "headers that are 30 MiB once they are decoded": [bomb(), "stream ENHANCE_YOUR_CALM"],
};

/** What is sent instead of the preface. */
const openings: AbuseTable = {
  "no preface": [get(), "close"],
  "HTTP/1.1": [Buffer.from("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"), "close"],
  "a preface with an error": [all(Buffer.from("PRI * HTTP/2.0\r\n\r\nSX\r\n\r\n"), settings()), "close"],
  "random bytes": [Buffer.from("8f0a63d11a7b62c9e1d94ef0aa51", "hex"), "close"],
  "a preface without SETTINGS": [all(preface, frame("PING", 0, 0, "12345678")), "connection PROTOCOL_ERROR"],
  "the preface twice": [all(opening, preface), "connection FRAME_SIZE_ERROR"],
};

function table(cases: AbuseTable, isFirst = false): [string, AbuseCase][] {
  return Object.entries(cases).map(([name, [bytes, ...comes]]) => [
    name,
    isFirst ? { bytes: Buffer.alloc(0), first: bytes, comes } : { bytes, comes },
  ]);
}

/** Things that an HTTP/2 client must not do, and some that it may do, by name. */
export const abuses: readonly (readonly [string, AbuseCase])[] = [
  ...table(messages),
  ...table(frames),
  ...table(compression),
  ...table(openings, true),
];
