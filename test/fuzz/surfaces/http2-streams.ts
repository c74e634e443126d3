import { encodeFields, type Field } from "../../support/hpack.js";
import { flags, frame, frameTypes, opening, requestFields } from "../../support/http2-frames.js";
import type { Stock } from "../input.js";
import { numbers } from "../mutate.js";
import type { Random } from "../random.js";

/** Streams of one connection. */
export class Streams {
  readonly frames: Buffer[][] = [];
  readonly owed: number[] = [];
  #next = 1;

  /**
   * Takes the next number.
   * @param make the frames of the stream, in their order
   */
  add(isOwed: boolean, make: (stream: number) => Buffer[]): void {
    const stream = this.#next;
    this.#next += 2;
    this.frames.push(make(stream));
    if (isOwed) this.owed.push(stream);
  }

  /** All frames: those of a stream in their order, and streams in the order of their numbers. */
  mixed(random: Random): Buffer {
    const waiting = this.frames.map((frames) => [...frames]);
    const begun: Buffer[][] = [];
    const mixed: Buffer[] = [opening];
    for (;;) {
      const next = waiting.length > 0 && random.chance(0.5) ? waiting.shift() : undefined;
      if (next !== undefined) begun.push(next);
      const going = begun.filter(({ length }) => length > 0);
      if (going.length === 0) {
        if (waiting.length === 0) return Buffer.concat(mixed);
        continue;
      }
      // The head of a stream precedes that of a later one.
      const stream = next ?? random.pick(going);
      mixed.push(stream.shift() as Buffer);
    }
  }
}
export function bearer(stock: Stock, fields: readonly Field[] = []): Field[] {
  return [["authorization", `Bearer ${stock.token}`], ...fields];
}

export function listPath(random: Random): string {
  return `/v1/payments?pageSize=${random.between(1, 100)}`;
}

/** A request that is answered. */
export function goodFrames(random: Random, stock: Stock, fields: readonly Field[] = bearer(stock)) {
  return (stream: number): Buffer[] => {
    if (random.chance(0.3)) {
      const form = "grant_type=client_credentials&client_id=demo&scope=read";
      const type: Field = ["content-type", "application/x-www-form-urlencoded"];
      const length: Field[] = random.chance(0.5) ? [["content-length", String(form.length)]] : [];
      const expect: Field[] = random.chance(0.3) ? [["expect", "100-continue"]] : [];
      const chosen = fields.filter(([name]) => name !== "authorization");
      const post = requestFields("POST", "/oauth/v2/oauth-token", [type, ...length, ...expect, ...chosen]);
      return [head(random, stream, post, false), ...body(random, stream, form)];
    }
    // No fault acts at an unknown path.
    const others = fields.length === 1 ? ["/v1/unknown"] : [];
    const path = random.pick(["/v1/ping", "/v1/ping", listPath(random), ...others]);
    return [head(random, stream, requestFields("GET", path, fields), true)];
  };
}

/** HEADERS, with or without padding and priority, and CONTINUATIONs directly after it. */
export function head(random: Random, stream: number, fields: readonly Field[], ends: boolean): Buffer {
  const block = encodeFields(fields);
  const cuts = random.chance(0.2) ? random.between(1, 4) : 0;
  // A frame may have at most 16,384 bytes, including padding and priority.
  const long = Array.from({ length: Math.floor(block.length / 16_000) }, (_none, at) => 16_000 * (at + 1));
  const drawn = Array.from({ length: cuts }, () => random.below(block.length));
  const places = [...long, ...drawn].sort((a, b) => a - b);
  const parts = [0, ...places].map((from, at) => block.subarray(from, places[at] ?? block.length));
  const padding = random.chance(0.1) ? random.below(20) : -1;
  const isFirst = random.chance(0.1);
  const first = Buffer.concat([
    Buffer.from(padding < 0 ? [] : [padding]),
    isFirst ? Buffer.of(0, 0, 0, 0, random.below(256)) : Buffer.alloc(0),
    parts[0] ?? Buffer.alloc(0),
    Buffer.alloc(Math.max(0, padding)),
  ]);
  return Buffer.concat(
    parts.map((part, at) => {
      const last = at === parts.length - 1 ? flags.END_HEADERS : 0;
      if (at > 0) return frame(frameTypes.CONTINUATION, last, stream, part);
      const given = (ends ? flags.END_STREAM : 0) | (padding < 0 ? 0 : flags.PADDED) | (isFirst ? flags.PRIORITY : 0);
      return frame("HEADERS", last | given, stream, first);
    }),
  );
}

function body(random: Random, stream: number, text: string): Buffer[] {
  if (random.chance(0.5)) return [frame("DATA", flags.END_STREAM, stream, text)];
  const at = random.below(text.length);
  const padded = frame("DATA", flags.PADDED, stream, `\x03${text.slice(at)}\0\0\0`);
  // Trailers end the stream.
  const trailers = frame("HEADERS", flags.END_HEADERS | flags.END_STREAM, stream, encodeFields([["x-trailer", "1"]]));
  return [frame("DATA", 0, stream, text.slice(0, at)), padded, trailers];
}

/** The fields of a request with one defect. */
export function malformed(random: Random, stock: Stock): Field[] {
  const good = requestFields("GET", "/v1/ping", bearer(stock));
  const at = random.below(good.length);
  const [name, value] = good[at] as Field;
  const replaced = (field: Field) => good.with(at, field);
  switch (random.below(8)) {
    case 0:
      return good.filter((_field, index) => index !== at);
    case 1:
      return [...good.slice(0, at), [name, value], ...good.slice(at)];
    case 2:
      return [...good.filter((_field, index) => index !== at), [name, value]];
    case 3:
      return replaced([name, random.pick(["", " ", "*", "a b", "\0", "\r\nx: y", "é", ...numbers])]);
    case 4:
      return replaced([random.pick(["", "X-Upper", "a b", ":", ":unknown", ":status", "a\r\nb", "\0", "é"]), value]);
    case 5:
      return [
        ...good,
        random.pick<Field>([
          ["connection", "close"],
          ["keep-alive", "timeout=5"],
          ["transfer-encoding", "chunked"],
          ["upgrade", "h2c"],
          ["te", "gzip"],
          ["te", "trailers"],
          ["host", "other"],
          ["cookie", "a=b"],
          ["expect", "tea"],
          ["content-length", "5"],
        ]),
      ];
    case 6:
      return [
        ...good,
        [random.text(random.between(1, 6), "abc-:_ A\x01\x7f\xe9"), random.text(random.below(30), " \t\0\x01ab\xff")],
      ];
    default:
      return [...good, ["x-long", "x".repeat(random.pick([8_000, 16_000, 17_000, 40_000]))]];
  }
}
