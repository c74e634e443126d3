import { goaway, goawayVariants } from "../../sandbox/tls/frame-orders.js";
import { abuses } from "../../sandbox/tls/http2-abuse.js";
import { encodeFields } from "../../support/hpack.js";
import {
  flags,
  frame,
  opening,
  preface,
  requestFields,
  settingIds,
  settings,
  uint32,
} from "../../support/http2-frames.js";
import { breakOff, type Generator, type Input, input, inSegments, type Move, type Stock, send } from "../input.js";
import { mutateBytes } from "../mutate.js";
import type { Random } from "../random.js";
import { bearer, goodFrames, head, listPath, malformed, Streams } from "./http2-streams.js";

/** Frames of HTTP/2, valid and invalid, whole and in pieces. */
export const http2: Generator = (random, counter, stock) => {
  const make = random.pick([
    goodStreams,
    goodStreams,
    besideMalformed,
    besideMalformed,
    besideFaults,
    besideFaults,
    besideResets,
    besideGoaways,
    besideGoaways,
    abused,
    abused,
    mutated,
    mutated,
    brokenOff,
    randomFrames,
    flood,
    closedWindows,
    heldHeaders,
    brokenConnection,
  ]);
  return make(random, stock, counter);
};

type Make = (random: Random, stock: Stock, counter: number) => Input;

function talk(random: Random, title: string, streams: Streams, own: Partial<Input> = {}): Input {
  const bytes = streams.mixed(random);
  const count = streams.frames.length;
  return input({
    title: `${title}, ${count} streams`,
    moves: random.chance(0.7) ? [send(bytes)] : inSegments(random, bytes, random.between(1, 6)),
    requests: count,
    owed: streams.owed.length,
    streams: streams.owed,
    ...own,
  });
}

const goodStreams: Make = (random, stock) => {
  const streams = new Streams();
  for (let left = random.between(1, 40); left > 0; left--) addGood(random, stock, streams);
  return talk(random, "good requests", streams);
};

/** Malformed requests end only their own stream. */
const besideMalformed: Make = (random, stock) => {
  const streams = new Streams();
  for (let left = random.between(1, 12); left > 0; left--) {
    if (random.chance(0.5)) addGood(random, stock, streams);
    else streams.add(false, (stream) => [head(random, stream, malformed(random, stock), true)]);
  }
  addGood(random, stock, streams);
  return talk(random, "with malformed requests", streams);
};

/** Rules of scenarios/everything.yaml that act on one stream, and those that act on the whole connection. */
const streamFaults = ["error", "respond", "rate", "alter", "several", "date"];
const unanswered = ["truncate", "truncate-after", "hang", "stream-refused", "stream-reset"];
const quickFaults = [...streamFaults, ...unanswered];
const slowFaults = ["late-error", "drip"];
const connectionFaults = ["reset", "close", "garbage", "goaway", "goaway-before"];

const besideFaults: Make = (random, stock) => {
  const streams = new Streams();
  for (let left = random.between(1, 10); left > 0; left--) {
    if (random.chance(0.5)) addGood(random, stock, streams);
    else addFaulty(random, stock, streams, random.pick(random.chance(0.05) ? slowFaults : quickFaults));
  }
  addGood(random, stock, streams);
  return talk(random, "with faults of streams", streams, { mayBeCorrupt: true, linger: random.below(10) });
};

const brokenConnection: Make = (random, stock) => {
  const streams = new Streams();
  const fault = random.pick(connectionFaults);
  for (let left = random.below(8); left > 0; left--) streams.add(false, goodFrames(random, stock));
  addFaulty(random, stock, streams, fault);
  for (let left = random.below(8); left > 0; left--) streams.add(false, goodFrames(random, stock));
  return talk(random, `a connection with ${fault}`, streams, { mayBeCorrupt: true, closes: true });
};

/** Streams that the client resets, at any point. Fewer than the number that ends the connection. */
const besideResets: Make = (random, stock) => {
  const streams = new Streams();
  for (let left = random.between(1, 12); left > 0; left--) {
    if (random.chance(0.5)) {
      addGood(random, stock, streams);
      continue;
    }
    streams.add(false, (stream) => {
      const frames = goodFrames(random, stock)(stream);
      const kept = frames.slice(0, random.between(1, frames.length));
      return [...kept, frame("RST_STREAM", 0, stream, uint32(random.pick([0, 1, 5, 7, 8, 11, 0xffff])))];
    });
  }
  addGood(random, stock, streams);
  return talk(random, "with reset streams", streams);
};

/** GOAWAYs of the client between requests in flight: with each code, and with different last streams. */
const besideGoaways: Make = (random, stock) => {
  const before = new Streams();
  for (let left = random.between(1, 12); left > 0; left--) addGood(random, stock, before);
  const newest = 2 * before.frames.length - 1;
  const variant = random.below(goawayVariants);
  const parts = [before.mixed(random), goaway(variant, newest)];
  const after = random.below(12);
  for (let at = 1; at <= after; at++) {
    parts.push(...goodFrames(random, stock)(newest + 2 * at));
    if (random.chance(0.2)) parts.push(goaway(random.below(goawayVariants), newest + 2 * at));
  }
  const bytes = Buffer.concat(parts);
  const moves: Move[] = random.chance(0.7) ? [send(bytes)] : inSegments(random, bytes, random.between(1, 6));
  return input({
    title: `GOAWAY ${variant} after ${before.frames.length} streams, and ${after} after it`,
    moves,
    requests: before.frames.length + after,
    streams: [],
    closes: true,
    mayBeCorrupt: true,
  });
};

/** Each case of the table in turn, after the frames of valid requests. */
const abused: Make = (random, stock, counter) => {
  const [name, { bytes, first = opening }] = abuses[counter % abuses.length] as (typeof abuses)[number];
  const streams = new Streams();
  streams.add(false, goodFrames(random, stock));
  const behind = random.chance(0.5) ? streams.frames.flat() : [];
  const all = Buffer.concat([first, bytes, ...behind]);
  const moves: Move[] = random.chance(0.7) ? [send(all)] : inSegments(random, all, random.between(1, 3));
  if (random.chance(0.3)) moves.push(breakOff(random));
  return input({
    title: `abuse: ${name}`,
    moves,
    requests: 1,
    streams: [],
    linger: random.below(20),
    mayBeCorrupt: true,
  });
};

const mutated: Make = (random, stock) => {
  const streams = new Streams();
  for (let left = random.between(1, 6); left > 0; left--) streams.add(false, goodFrames(random, stock));
  // A change of the preface ends the connection.
  const bytes = streams.mixed(random);
  const from = random.chance(0.9) ? preface.length : 0;
  const changed = Buffer.concat([bytes.subarray(0, from), mutateBytes(random, bytes.subarray(from), 6)]);
  const moves = inSegments(random, changed, random.below(3));
  const linger = random.below(20);
  return input({
    title: "altered frames",
    moves,
    requests: streams.frames.length,
    streams: [],
    linger,
    mayBeCorrupt: true,
  });
};

/** The client disconnects, in one of three ways, at any byte. */
const brokenOff: Make = (random, stock) => {
  const streams = new Streams();
  for (let left = random.between(1, 20); left > 0; left--) streams.add(false, goodFrames(random, stock));
  const bytes = streams.mixed(random);
  const moves: Move[] = [send(bytes.subarray(0, random.below(bytes.length + 1)))];
  if (random.chance(0.5)) moves.push({ do: "pause", milliseconds: random.below(4) });
  moves.push(breakOff(random));
  const linger = random.below(20);
  return input({ title: "interrupted streams", moves, requests: streams.frames.length, streams: [], linger });
};

const randomFrames: Make = (random, stock) => {
  const parts = Array.from({ length: random.between(1, 30) }, () => {
    if (random.chance(0.2)) return Buffer.concat(goodFrames(random, stock)(1 + 2 * random.below(20)));
    const payload = random.bytes(random.pick([0, 1, 4, 5, 6, 8, 9, 40]));
    const length = random.chance(0.95) ? payload.length : random.below(2 ** 24);
    return frame(random.below(12), random.below(256), random.below(random.pick([2, 8, 2 ** 31])), payload, length);
  });
  const moves = [send(opening, ...parts)];
  return input({ title: "random frames", moves, requests: parts.length, streams: [], linger: random.below(20) });
};

/** Large numbers of one kind of frame. The limits of the server end some of these connections. */
const flood: Make = (random, stock) => {
  const count = random.pick([100, 1_000, 3_000]);
  const one = encodeFields(requestFields("GET", "/v1/ping", [["authorization", `Bearer ${stock.token}`]]));
  const opened = frame("HEADERS", flags.END_HEADERS, 1, one);
  const floods: Readonly<Record<string, () => Buffer[]>> = {
    PING: () => many(count, () => frame("PING", 0, 0, "12345678")),
    SETTINGS: () => many(count, () => settings([[settingIds.INITIAL_WINDOW_SIZE, 65_535]])),
    CONTINUATION: () => [
      frame("HEADERS", 0, 1, one),
      ...many(count, (at) => frame("CONTINUATION", 0, 1, at % 3 === 0 ? "" : encodeFields([[`x-${at}`, "x"]]))),
    ],
    "empty DATA": () => [opened, ...many(count, () => frame("DATA", 0, 1))],
    WINDOW_UPDATE: () => [opened, ...many(count, () => frame("WINDOW_UPDATE", 0, random.below(2), uint32(1)))],
    PRIORITY: () => many(count, (at) => frame("PRIORITY", 0, 1 + 2 * at, Buffer.of(0, 0, 0, 0, 1))),
    "rapid resets": () =>
      many(count, (at) => {
        const stream = 1 + 2 * at;
        const headers = frame("HEADERS", flags.END_HEADERS | flags.END_STREAM, stream, one);
        return Buffer.concat([headers, frame("RST_STREAM", 0, stream, uint32(8))]);
      }),
    "streams that stay open": () => many(count, (at) => frame("HEADERS", flags.END_HEADERS, 1 + 2 * at, one)),
    "unknown frames": () => many(count, () => frame(0x42, 0, 0, "x")),
  };
  const name = random.pick(Object.keys(floods));
  const parts = floods[name]?.() ?? [];
  const moves: Move[] = [send(opening, ...parts)];
  if (random.chance(0.3)) moves.push({ do: "pause", milliseconds: random.below(5) }, breakOff(random));
  const title = `a flood of ${count} ${name}`;
  return input({ title, moves, requests: parts.length, streams: [], linger: random.below(60), mayBeCorrupt: true });
};

/** Answers that the client never accepts: the windows stay closed. */
const closedWindows: Make = (random, stock) => {
  const streams = new Streams();
  for (let left = random.between(1, 60); left > 0; left--) {
    streams.add(false, (stream) => [head(random, stream, requestFields("GET", listPath(random), bearer(stock)), true)]);
  }
  const window = settings([[settingIds.INITIAL_WINDOW_SIZE, random.pick([0, 1, 100])]]);
  const moves: Move[] = [send(preface, window, ...streams.frames.flat())];
  if (random.chance(0.3)) moves.push(breakOff(random));
  const requests = streams.frames.length;
  return input({ title: "closed windows", moves, requests, streams: [], linger: random.below(60), mayBeCorrupt: true });
};

/** Headers that are one byte each on the wire, and answers that the client never accepts. */
const heldHeaders: Make = (random) => {
  const field = Buffer.from("\x40\x02ab\x01c", "latin1");
  const repeated = Buffer.alloc(random.pick([50, 90, 150, 1_800]), 0xbe);
  const block = Buffer.concat([encodeFields(requestFields("GET", "/v1/ping")), field, repeated]);
  const both = flags.END_HEADERS | flags.END_STREAM;
  const streams = many(random.between(1, 100), (at) => frame("HEADERS", both, 2 * at + 1, block));
  const window = settings([[settingIds.INITIAL_WINDOW_SIZE, 0]]);
  const moves: Move[] = [send(preface, window, ...streams), { do: "pause", milliseconds: random.below(100) }];
  const title = `${repeated.length} headers each, and closed windows`;
  return input({ title, moves, requests: streams.length, streams: [], linger: random.below(60), mayBeCorrupt: true });
};

function many(count: number, make: (at: number) => Buffer): Buffer[] {
  return Array.from({ length: count }, (_none, at) => make(at));
}

function addGood(random: Random, stock: Stock, streams: Streams): void {
  streams.add(true, goodFrames(random, stock));
}

function addFaulty(random: Random, stock: Stock, streams: Streams, fault: string): void {
  // Each of the many pieces of a drip waits for a turn of the server, which is flooded meanwhile.
  const isAnswered = ![...unanswered, "drip", ...connectionFaults].includes(fault);
  const fields = bearer(stock, [
    ["sandbox-scenario", "everything"],
    ["x-try", fault],
  ]);
  if (!isAnswered && random.chance(0.3)) {
    // It waits for a request for its body, which the server does not send.
    const waiting = requestFields("GET", "/v1/ping", [...fields, ["expect", "100-continue"]]);
    streams.add(false, (stream) => [head(random, stream, waiting, false)]);
  } else streams.add(isAnswered, goodFrames(random, stock, fields));
}
