import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ServerProcess } from "../../fuzz/child.js";
import { Secrets } from "../../fuzz/secrets.js";
import { type AtRest, checkRest, warmUp } from "../../fuzz/settle.js";
import { Target } from "../../fuzz/target.js";
import { afterTest } from "../../support/cleanups.js";
import { eventually } from "../../support/eventually.js";
import { encodeFields, encodeNumber, encodeText } from "../../support/hpack.js";
import { Http2Client } from "../../support/http2-client.js";
import { flags, frame, preface, requestFields, settingIds, settings, uint32 } from "../../support/http2-frames.js";

/** Connections that do the same at the same time. */
const width = 4;

interface Flood {
  /**
   * The frames from one number on.
   * @param path of a request that is answered
   */
  readonly frames: (at: number) => Buffer;
  /** What is sent before it. */
  readonly before?: Buffer;
  readonly count: number;
  /** Whether Node or nghttp2 ends the connection, at least with a GOAWAY. If not, a ping on it is answered. */
  readonly ends: boolean;
  /** Whether the client reads nothing meanwhile. */
  readonly deaf?: boolean;
}

let server: ServerProcess;
let target: Target;
let warm: AtRest;
let get: Buffer;
let post: Buffer;
let list: Buffer;

beforeAll(async () => {
  const secrets = new Secrets();
  const root = fileURLToPath(new URL("../../..", import.meta.url));
  server = await ServerProcess.start(root, randomBytes(24).toString("base64url"), secrets);
  target = await Target.meet(server, root, secrets);
  warm = await warmUp(server, target);
  const { token } = await target.stock();
  const authorization = ["authorization", `Bearer ${token}`] as const;
  get = encodeFields(requestFields("GET", "/v1/ping", [authorization]));
  list = encodeFields(requestFields("GET", "/v1/payments?pageSize=100", [authorization]));
  post = encodeFields(requestFields("POST", "/oauth/v2/oauth-token"));
});

afterAll(() => server.stop());

function open(stream: number, block: Buffer, ends = true): Buffer {
  return frame("HEADERS", flags.END_HEADERS | (ends ? flags.END_STREAM : 0), stream, block);
}

function give(stream: number): Buffer {
  return frame("RST_STREAM", 0, stream, uint32(8));
}

/** A header block that is small on the wire and megabytes after decoding. */
function bomb(): Buffer {
  const entry = [Buffer.of(0x40), encodeText("x-bomb"), encodeText("x".repeat(3_000))];
  return Buffer.concat([get, ...entry, Buffer.alloc(10_000, encodeNumber(62, 7, 0x80))]);
}

const floods: Readonly<Record<string, () => Flood>> = {
  // CVE-2023-44487
  "requests that are reset at once": () => ({
    frames: (at) => Buffer.concat([open(1 + 2 * at, get), give(1 + 2 * at)]),
    count: 5_000,
    ends: true,
  }),
  "bodies that are reset at once": () => ({
    frames: (at) => Buffer.concat([open(1 + 2 * at, post, false), frame("DATA", 0, 1 + 2 * at, "a"), give(1 + 2 * at)]),
    count: 5_000,
    ends: true,
  }),
  // CVE-2024-27316 and its siblings
  CONTINUATION: () => ({
    before: frame("HEADERS", 0, 1, get),
    frames: (at) => frame("CONTINUATION", 0, 1, encodeFields([[`x-${at}`, "x"]])),
    count: 50_000,
    ends: true,
  }),
  "empty CONTINUATION": () => ({
    before: frame("HEADERS", 0, 1, get),
    frames: () => frame("CONTINUATION", 0, 1),
    count: 50_000,
    ends: true,
  }),
  // CVE-2019-9512 and CVE-2019-9515
  "PING, no answer is read": () => ({
    frames: () => frame("PING", 0, 0, "12345678"),
    // The answers fill the buffers of both systems first.
    count: 500_000,
    ends: true,
    deaf: true,
  }),
  "SETTINGS, no answer is read": () => ({
    frames: () => settings([[settingIds.INITIAL_WINDOW_SIZE, 65_535]]),
    count: 1_000_000,
    ends: true,
    deaf: true,
  }),
  PING: () => ({ frames: () => frame("PING", 0, 0, "12345678"), count: 20_000, ends: false }),
  SETTINGS: () => ({ frames: () => settings([[settingIds.INITIAL_WINDOW_SIZE, 65_535]]), count: 20_000, ends: false }),
  // CVE-2019-9518
  "empty DATA": () => ({
    before: open(1, post, false),
    frames: () => frame("DATA", 0, 1),
    count: 50_000,
    ends: false,
  }),
  // CVE-2019-9511 and CVE-2019-9517: the answers wait for a window that does not open.
  "answers that are not read": () => ({
    before: settings([[settingIds.INITIAL_WINDOW_SIZE, 0]]),
    frames: (at) => open(1 + 2 * at, list),
    count: 100,
    ends: false,
  }),
  "streams that stay open": () => ({ frames: (at) => open(1 + 2 * at, post, false), count: 10_000, ends: true }),
  "header bombs": () => ({
    frames: (at) => open(1 + 2 * at, bomb()),
    count: 500,
    ends: false,
  }),
  // CVE-2019-9513. Nobody bounds these, which cost only the reading: docs/edge.md.
  PRIORITY: () => ({
    frames: (at) => frame("PRIORITY", 0, 3 + 2 * (at % 50), Buffer.of(0, 0, 0, 0, at % 256)),
    count: 500_000,
    ends: false,
  }),
  WINDOW_UPDATE: () => ({ frames: () => frame("WINDOW_UPDATE", 0, 0, uint32(1)), count: 500_000, ends: false }),
  "unknown frames": () => ({ frames: () => frame(0x42, 0, 0, "nothing"), count: 500_000, ends: false }),
};

test.each(Object.keys(floods))("others are served during a flood of %s", async (name) => {
  const flood = floods[name]?.() as Flood;
  const senders = Array.from({ length: width }, () => send(flood));
  let isOver = false;
  void Promise.allSettled(senders).then(() => {
    isOver = true;
  });
  do await target.probe();
  while (!isOver);
  expect(await Promise.all(senders)).toEqual(senders.map(() => (flood.ends ? "ended" : "goes on")));
});

test("memory and descriptors are released after the floods, and nothing was written to standard error", async () => {
  expect(await checkRest(server, target, warm)).toEqual([]);
  expect({ ended: server.ended, errors: server.errors }).toEqual({ ended: undefined, errors: "" });
});

/** @returns how it ended */
async function send({ frames, before = Buffer.alloc(0), count, ends, deaf }: Flood): Promise<string> {
  const folder = join(server.certs, "clients", "demo");
  const client = await Http2Client.open(
    {
      port: server.ports.api,
      ca: readFileSync(join(server.certs, "ca.pem"), "utf8"),
      cert: readFileSync(join(folder, "cert.pem"), "utf8"),
      key: readFileSync(join(folder, "key.pem"), "utf8"),
    },
    Buffer.concat([preface, settings([[settingIds.HEADER_TABLE_SIZE, 0]]), before]),
  );
  afterTest(() => client.destroy());
  const { closed, socket } = client.connection;
  if (deaf) socket.pause();
  for (let at = 0; at < count && !client.isClosed && socket.writable; ) {
    const batch: Buffer[] = [];
    for (const end = Math.min(count, at + 500); at < end; at++) batch.push(frames(at));
    if (!socket.write(Buffer.concat(batch))) await Promise.race([once(socket, "drain").catch(() => {}), closed]);
    // Lets other connections run.
    await new Promise((resolve) => setImmediate(resolve));
  }
  socket.resume();
  if (!ends) return (await client.isAlive()) ? "goes on" : "ended";
  await eventually(() => client.isClosed || client.received.goaways.length > 0);
  return "ended";
}
