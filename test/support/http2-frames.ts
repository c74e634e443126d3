import { type Http2ErrorCode, http2ErrorCodes } from "../../src/sandbox/connection/http2-error.js";
import { decodeFields, encodeFields, type Field } from "./hpack.js";

/** RFC 9113 §6. */
export const frameTypes = {
  DATA: 0,
  HEADERS: 1,
  PRIORITY: 2,
  RST_STREAM: 3,
  SETTINGS: 4,
  PUSH_PROMISE: 5,
  PING: 6,
  GOAWAY: 7,
  WINDOW_UPDATE: 8,
  CONTINUATION: 9,
} as const;

export const flags = { ACK: 0x1, END_STREAM: 0x1, END_HEADERS: 0x4, PADDED: 0x8, PRIORITY: 0x20 } as const;

/** RFC 9113 §6.5.2 and RFC 8441. */
export const settingIds = {
  HEADER_TABLE_SIZE: 1,
  ENABLE_PUSH: 2,
  MAX_CONCURRENT_STREAMS: 3,
  INITIAL_WINDOW_SIZE: 4,
  MAX_FRAME_SIZE: 5,
  MAX_HEADER_LIST_SIZE: 6,
  ENABLE_CONNECT_PROTOCOL: 8,
} as const;

/** RFC 9113 §3.4. */
export const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1");

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/**
 * A frame as bytes, valid or not (RFC 9113 §4.1).
 * @param length the length in its head, in bytes
 */
export function frame(
  type: keyof typeof frameTypes | number,
  frameFlags: number,
  stream: number,
  payload: Buffer | string = "",
  length?: number,
): Buffer {
  const bytes = typeof payload === "string" ? Buffer.from(payload, "latin1") : payload;
  const head = Buffer.alloc(9);
  head.writeUIntBE(length ?? bytes.length, 0, 3);
  head.writeUInt8(typeof type === "number" ? type : frameTypes[type], 3);
  head.writeUInt8(frameFlags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, bytes]);
}

export function settings(values: readonly (readonly [id: number, value: number])[] = []): Buffer {
  const payload = Buffer.alloc(6 * values.length);
  values.forEach(([id, value], at) => {
    payload.writeUInt16BE(id, 6 * at);
    payload.writeUInt32BE(value, 6 * at + 2);
  });
  return frame("SETTINGS", 0, 0, payload);
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/**
 * The head of a request in one frame.
 * @param ends whether the request has no body
 */
export function headers(stream: number, fields: readonly Field[], ends = true): Buffer {
  return frame("HEADERS", flags.END_HEADERS | (ends ? flags.END_STREAM : 0), stream, encodeFields(fields));
}

/** The pseudo-header fields of a request, in the usual order (RFC 9113 §8.3.1), and other fields after them. */
export function requestFields(method: string, path: string, fields: readonly Field[] = []): Field[] {
  return [[":method", method], [":scheme", "https"], [":authority", "localhost"], [":path", path], ...fields];
}

/** What a client sends first: the server must not use a dynamic table, and no window limits its answers. */
export const opening = Buffer.concat([
  preface,
  settings([
    [settingIds.HEADER_TABLE_SIZE, 0],
    [settingIds.ENABLE_PUSH, 0],
    [settingIds.INITIAL_WINDOW_SIZE, 2 ** 31 - 1],
  ]),
  frame("WINDOW_UPDATE", 0, 0, uint32(2 ** 31 - 1 - 65_535)),
]);

/** The received state of one stream. */
export class StreamReceived {
  /** 0 until the head of the answer has arrived. Interim answers (1xx) are left out. */
  status = 0;
  /** By name; the last of repeated ones. */
  headers: Readonly<Record<string, string>> = {};
  /** As they were sent, without pseudo-header fields. */
  fields: readonly Field[] = [];
  readonly chunks: Buffer[] = [];
  /** Whether the whole answer has arrived. */
  ended = false;
  /** The code of a RST_STREAM. */
  reset: Http2ErrorCode | undefined = undefined;

  get body(): Buffer {
    return Buffer.concat(this.chunks);
  }
}

/** Splits the received bytes of a connection into frames, and keeps their content. */
export class FrameReader {
  readonly streams = new Map<number, StreamReceived>();
  /** GOAWAYs in the order of their arrival: the code of each, and the last stream that it names. */
  readonly goaways: { readonly code: Http2ErrorCode; readonly lastStream: number }[] = [];
  /** The order in which answers ended, by their streams, and GOAWAYs arrived. */
  readonly order: (number | "GOAWAY")[] = [];
  /** Payloads of the PINGs that the server sent. */
  readonly pings: Buffer[] = [];
  /** Payloads of the PINGs that were answered. */
  readonly pongs = new Set<string>();
  /** SETTINGS that were acknowledged. */
  acknowledged = 0;
  /** The settings of the server: values by the numbers of the settings. */
  readonly settings = new Map<number, number>();
  /** Why the received bytes are not HTTP/2; nothing is read after that. */
  broken: string | undefined;
  #rest: Buffer = Buffer.alloc(0);
  #block: Buffer[] = [];
  #blockEnds = false;

  add(chunk: Buffer): void {
    if (this.broken !== undefined) return;
    let rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    try {
      while (rest.length >= 9) {
        const length = rest.readUIntBE(0, 3);
        if (length > 16_384) throw new Error(`a frame of ${length} bytes`);
        if (rest.length < 9 + length) break;
        const payload = rest.subarray(9, 9 + length);
        this.#take({ type: rest.readUInt8(3), flags: rest.readUInt8(4), stream: rest.readUInt32BE(5), payload });
        rest = rest.subarray(9 + length);
      }
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      this.broken = `${cause}: ${JSON.stringify(rest.toString("latin1", 0, 60))}`;
    }
    this.#rest = rest;
  }

  /** What has been received of a stream so far. */
  stream(id: number): StreamReceived {
    let received = this.streams.get(id);
    if (received === undefined) {
      received = new StreamReceived();
      this.streams.set(id, received);
    }
    return received;
  }

  #take(given: Frame): void {
    const { type, stream, payload } = given;
    switch (type) {
      case frameTypes.HEADERS:
      case frameTypes.CONTINUATION:
        this.#takeHeaders(given);
        break;
      case frameTypes.DATA:
        this.stream(stream).chunks.push(payload);
        if ((given.flags & flags.END_STREAM) !== 0) this.#end(stream);
        break;
      case frameTypes.RST_STREAM:
        this.stream(stream).reset = errorName(payload.readUInt32BE(0));
        break;
      case frameTypes.SETTINGS:
        if ((given.flags & flags.ACK) !== 0) this.acknowledged++;
        for (let at = 0; at < payload.length; at += 6) {
          this.settings.set(payload.readUInt16BE(at), payload.readUInt32BE(at + 2));
        }
        break;
      case frameTypes.PING:
        if ((given.flags & flags.ACK) !== 0) this.pongs.add(payload.toString("latin1"));
        else this.pings.push(payload);
        break;
      case frameTypes.GOAWAY:
        this.order.push("GOAWAY");
        this.goaways.push({ lastStream: payload.readUInt32BE(0), code: errorName(payload.readUInt32BE(4)) });
        break;
      case frameTypes.WINDOW_UPDATE:
        break;
      default:
        throw new Error(`a frame of type ${type}`);
    }
  }

  /** The tested servers use neither padding nor priorities. */
  #takeHeaders({ type, flags: given, stream, payload }: Frame): void {
    if (type === frameTypes.HEADERS) this.#blockEnds = (given & flags.END_STREAM) !== 0;
    this.#block.push(payload);
    if ((given & flags.END_HEADERS) === 0) return;
    const fields = decodeFields(Buffer.concat(this.#block));
    this.#block = [];
    const received = this.stream(stream);
    const status = Number(fields.find(([name]) => name === ":status")?.[1]);
    if (status >= 200) {
      received.status = status;
      received.headers = Object.fromEntries(fields);
      received.fields = fields.filter(([name]) => !name.startsWith(":"));
    }
    if (this.#blockEnds) this.#end(stream);
  }

  #end(stream: number): void {
    this.stream(stream).ended = true;
    this.order.push(stream);
  }
}

function errorName(number: number): Http2ErrorCode {
  const name = http2ErrorCodes[number];
  if (name === undefined) throw new Error(`the error code ${number}`);
  return name;
}
