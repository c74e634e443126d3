import { http2ErrorCodes } from "../../../src/sandbox/connection/http2-error.js";
import { encodeFields } from "../../support/hpack.js";
import { flags, frame, headers, requestFields, settingIds, settings, uint32 } from "../../support/http2-frames.js";

/** A stream that no connection of these tests opens. */
const highestStream = 2 ** 31 - 1;

/** The frames of one connection, in the order in which they are sent. */
class Sent {
  readonly frames: Buffer[] = [];
  /** The newest stream. */
  stream = -1;

  open(method: "GET" | "POST" = "GET"): void {
    this.stream += 2;
    this.frames.push(headers(this.stream, requestFields(method, "/v1/ping"), method === "GET"));
  }
}

/** One frame of each type (RFC 9113 §6). Each has variants, which are tried in turn. */
const kinds: Readonly<Record<string, (sent: Sent, variant: number) => Buffer>> = {
  DATA: ({ stream }, variant) => frame("DATA", variant % 2 === 0 ? flags.END_STREAM : 0, stream, "a=b"),
  HEADERS: ({ stream }, variant) =>
    // The trailers of the newest stream, or a request that is not valid.
    variant % 2 === 0 ? headers(stream, [["x-trailer", "1"]]) : headers(stream + 2, [[":method", "GET"]]),
  PRIORITY: ({ stream }, variant) => frame("PRIORITY", 0, stream, Buffer.of(0, 0, 0, variant % 2 ? 0 : stream, 1)),
  RST_STREAM: ({ stream }, variant) => frame("RST_STREAM", 0, stream, uint32(variant % http2ErrorCodes.length)),
  SETTINGS: (_sent, variant) =>
    pick(variant, [
      settings([[settingIds.INITIAL_WINDOW_SIZE, 0]]),
      settings([[settingIds.INITIAL_WINDOW_SIZE, 2 ** 31]]),
      frame("SETTINGS", 0, 0, "five!"),
    ]),
  PUSH_PROMISE: ({ stream }) =>
    frame(
      "PUSH_PROMISE",
      flags.END_HEADERS,
      stream,
      Buffer.concat([uint32(2), encodeFields(requestFields("GET", "/"))]),
    ),
  PING: (_sent, variant) => frame("PING", 0, variant % 2, "12345678"),
  GOAWAY: ({ stream }, variant) => goaway(variant, stream),
  WINDOW_UPDATE: ({ stream }, variant) =>
    pick(variant, [
      frame("WINDOW_UPDATE", 0, 0, uint32(1)),
      frame("WINDOW_UPDATE", 0, stream, uint32(highestStream)),
      frame("WINDOW_UPDATE", 0, stream, uint32(0)),
    ]),
  CONTINUATION: ({ stream }) => frame("CONTINUATION", flags.END_HEADERS, stream, encodeFields([["a", "b"]])),
  unknown: ({ stream }) => frame(0x42, 0xff, stream, "nothing"),
};

const names = Object.keys(kinds);

/** How many orders of three types there are. */
export const orderCount = names.length ** 3;

/** How many variants there are of a GOAWAY: each error code, and a code that is not defined, with four last streams. */
export const goawayVariants = 4 * (http2ErrorCodes.length + 1);

/**
 * GOAWAY of a client.
 * @param stream the newest stream that it has opened
 */
export function goaway(variant: number, stream: number): Buffer {
  const code = Math.floor(variant / 4) % (http2ErrorCodes.length + 1);
  return frame(
    "GOAWAY",
    0,
    0,
    Buffer.concat([uint32(pick(variant, [0, 1, Math.max(0, stream), highestStream])), uint32(code)]),
  );
}

function pick(variant: number, choices: readonly [Buffer, ...Buffer[]]): Buffer;
function pick(variant: number, choices: readonly [number, ...number[]]): number;
function pick<Choice>(variant: number, choices: readonly [Choice, ...Choice[]]): Choice {
  return choices[variant % choices.length] ?? choices[0];
}

/**
 * Frames of one connection: three frames with requests before, between and after them.
 * @param number which order of three types; from 0 to below `orderCount`
 * @param variant which variant of the three frames, and whether the requests have bodies
 * @param around how many requests are before the first frame, and after the last one
 */
export function order(number: number, variant: number, around = 5): { readonly name: string; readonly bytes: Buffer } {
  const chosen = [0, 1, 2].map((place) => names[Math.floor(number / names.length ** place) % names.length] as string);
  const sent = new Sent();
  const method = variant % 3 === 0 ? "POST" : "GET";
  for (let at = 1; at < around; at++) sent.open();
  for (const name of chosen) {
    sent.open(method);
    sent.frames.push(kinds[name]?.(sent, variant) ?? Buffer.alloc(0));
  }
  for (let at = 0; at < around; at++) sent.open();
  return { name: `${chosen.join(", ")} (variant ${variant})`, bytes: Buffer.concat(sent.frames) };
}

/** Requests, a GOAWAY, and more requests. Node 20 up to 20.20 ended the process. */
export function aroundGoaway(variant: number): Buffer {
  const sent = new Sent();
  for (let at = 0; at < 5; at++) sent.open();
  sent.frames.push(goaway(variant, sent.stream));
  for (let at = 0; at < 5; at++) sent.open();
  return Buffer.concat(sent.frames);
}

/**
 * More requests than a connection may give up, in one write, so that the connection is ended while it is read. The
 * client resets each with an error.
 */
export function givenUpWithErrors(count: number): Buffer {
  const sent = new Sent();
  for (let at = 0; at < count; at++) {
    sent.open("POST");
    sent.frames.push(frame("RST_STREAM", 0, sent.stream, uint32(1)));
  }
  return Buffer.concat(sent.frames);
}
