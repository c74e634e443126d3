import type { Http2ErrorCode } from "../../../src/sandbox/connection/http2-error.js";
import { encodeFields, encodeNumber, encodeText, type Field } from "../../support/hpack.js";
import { flags, frame, frameTypes, headers, requestFields } from "../../support/http2-frames.js";

/** The expected reaction. */
export type Comes =
  /** RFC 9113 §5.4.2: a RST_STREAM of stream 1 with this code; the connection stays open. */
  | `stream ${Http2ErrorCode}`
  /** RFC 9113 §5.4.1: a GOAWAY with this code, and the end of the connection. */
  | `connection ${Http2ErrorCode}`
  /** An answer on stream 1 with this status; the connection stays open. */
  | `answer ${number}`
  /** Nothing; the connection stays open. */
  | "nothing"
  /** The end of the connection. */
  | "close";

/**
 * Cases by name: what is sent, and the possible reactions. There are several if versions of Node differ; the RFC allows
 * each.
 */
export type AbuseTable = Readonly<Record<string, readonly [Buffer, ...Comes[]]>>;

export const body = { ends: false };

export function request(fields: readonly Field[], { ends = true } = {}): Buffer {
  return headers(1, fields, ends);
}

export function get(...fields: readonly Field[]): Buffer {
  return request(requestFields("GET", "/abuse", fields));
}

export function without(name: string): Field[] {
  return requestFields("GET", "/abuse").filter(([own]) => own !== name);
}

export function changed(name: string, value: string): Field[] {
  return requestFields("GET", "/abuse").map(([own, before]) => [own, own === name ? value : before]);
}

export function post(...fields: readonly Field[]): Buffer {
  return request(requestFields("POST", "/abuse", fields), body);
}

export function data(text: string, ends: boolean, stream = 1): Buffer {
  return frame("DATA", ends ? flags.END_STREAM : 0, stream, text);
}

export function block(...bytes: number[]): Buffer {
  return frame("HEADERS", flags.END_HEADERS | flags.END_STREAM, 1, Buffer.from(bytes));
}

export function all(...parts: readonly Buffer[]): Buffer {
  return Buffer.concat(parts);
}

export const good = encodeFields(requestFields("GET", "/abuse"));

function inFrames(whole: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < whole.length; at += 16_384) {
    const last = at + 16_384 >= whole.length ? flags.END_HEADERS : 0;
    const type = at === 0 ? frameTypes.HEADERS : frameTypes.CONTINUATION;
    parts.push(frame(type, last | (at === 0 ? flags.END_STREAM : 0), 1, whole.subarray(at, at + 16_384)));
  }
  return all(...parts);
}

export function longHead(bytes: number): Buffer {
  return inFrames(encodeFields(requestFields("GET", "/abuse", [["x-long", "x".repeat(bytes)]])));
}

/** A request with this many additional short fields. */
export function manyHeaders(number: number): Buffer {
  const fields = Array.from({ length: number }, (): [string, string] => ["a", "b"]);
  return inFrames(encodeFields(requestFields("GET", "/abuse", fields)));
}

export function bomb(): Buffer {
  const name = encodeText("x-bomb");
  const entry = all(Buffer.of(0x40), name, encodeText("x".repeat(3_000)));
  return inFrames(all(good, entry, Buffer.alloc(10_000, encodeNumber(62, 7, 0x80))));
}
