import {
  bearer,
  breakOff,
  type Generator,
  type Input,
  identities,
  input,
  inSegments,
  type Move,
  ping,
  request,
  type Stock,
  send,
} from "../input.js";
import { mutateBytes } from "../mutate.js";
import type { Random } from "../random.js";

/** TLS records, valid and invalid: below HTTP, and mostly below TLS. */
export const tlsRecords: Generator = (random, _counter, stock) => {
  const make = random.pick([
    garbage,
    records,
    truncatedHello,
    alteredHello,
    helloInPieces,
    alert,
    plainHttp,
    damaged,
    damaged,
    refusedPeers,
    names,
    slow,
  ]);
  return make(random, stock);
};

type Make = (random: Random, stock: Stock) => Input;

/** On the TCP connection nothing is owed, and the received bytes may not be HTTP. */
function bare(random: Random, title: string, moves: readonly Move[]): Input {
  const end: readonly Move[] = random.chance(0.6) ? [breakOff(random)] : [];
  const linger = random.below(random.chance(0.05) ? 100 : 10);
  return input({ title, to: "tcp", moves: [...moves, ...end], linger, mayBeCorrupt: true });
}

const garbage: Make = (random) => bare(random, "garbage", [send(random.bytes(random.below(300)))]);

/** Records with a valid head and any content, and heads with a wrong length. */
const records: Make = (random) => {
  const parts = Array.from({ length: random.between(1, 5) }, () => {
    const content = random.bytes(random.below(60));
    const length = random.chance(0.7) ? content.length : random.below(65_536);
    return record(
      random.pick([20, 21, 22, 23, 24, 255]),
      random.pick([0x0300, 0x0301, 0x0303, 0x0304, 0x7f12]),
      content,
      length,
    );
  });
  return bare(random, "records", inSegments(random, Buffer.concat(parts), random.below(3)));
};

const truncatedHello: Make = (random, { clientHello }) =>
  bare(random, "a ClientHello cut short", [send(clientHello.subarray(0, random.below(clientHello.length)))]);

const alteredHello: Make = (random, { clientHello }) =>
  bare(random, "an altered ClientHello", [
    send(mutateBytes(random, clientHello, 3)),
    { do: "pause", milliseconds: random.below(3) },
  ]);

/** The handshake message in records of a few bytes each. */
const helloInPieces: Make = (random, { clientHello }) => {
  const message = clientHello.subarray(5);
  const parts: Buffer[] = [];
  const size = random.between(1, 100);
  for (let at = 0; at < message.length; at += size) {
    const piece = message.subarray(at, at + size);
    parts.push(record(22, 0x0301, piece, piece.length));
  }
  return bare(random, "a ClientHello in pieces", inSegments(random, Buffer.concat(parts), random.below(4)));
};

const alert: Make = (random, { clientHello }) => {
  const content = Buffer.of(random.pick([1, 2, 3]), random.pick([0, 10, 20, 40, 42, 48, 80, 90, 100, 255]));
  const parts = random.chance(0.5) ? [clientHello] : [];
  return bare(random, "an alert", [
    send(...parts, ...Array.from({ length: random.between(1, 8) }, () => record(21, 0x0303, content, 2))),
  ]);
};

/** HTTP without TLS gets an answer in HTTP. */
const plainHttp: Make = (random) =>
  input({
    title: "plain HTTP",
    to: "tcp",
    moves: [send(request(random.pick(["GET", "POST", "DELETE"]), "/v1/ping"))],
    owed: 1,
  });

/** After the handshake, with and without requests that are being answered. */
const damaged: Make = (random, stock) => {
  const before = random.chance(0.6) ? [send(...Array.from({ length: random.between(1, 5) }, () => ping(stock)))] : [];
  const type = random.pick([20, 21, 22, 23, 0, 255]);
  const content = random.bytes(random.between(1, 80));
  const damage: Move = {
    do: "raw",
    bytes: record(type, 0x0303, content, random.chance(0.8) ? content.length : random.below(65_536)),
  };
  const after = random.chance(0.5) ? [send(ping(stock))] : [];
  const pause: readonly Move[] = random.chance(0.3) ? [{ do: "pause", milliseconds: random.below(3) }] : [];
  return input({
    title: "a damaged record after the handshake",
    moves: [...before, ...pause, damage, ...after],
    requests: before.length + after.length,
    tls12: random.chance(0.3),
    // The server detects it only when the record is complete.
    linger: random.below(20),
    mayBeCorrupt: true,
  });
};

/** Certificates that are not registered, invalid or missing: the application refuses, with the error object. */
const refusedPeers: Make = (random, stock) => {
  const identity = random.pick(identities);
  return input({
    title: `a request of ${identity}`,
    identity,
    tls12: random.chance(0.2),
    moves: [send(request("GET", "/v1/ping", [bearer(identity === "demo" ? stock.otherToken : stock.token)]))],
    owed: 1,
    refused: true,
  });
};

/** Server names, some of them with a certificate that this client refuses with an alert. */
const names: Make = (random, stock) => {
  const serverName = random.pick([
    "expired.localhost",
    "wrong-host.localhost",
    "untrusted.localhost",
    "unknown.test",
    `${"x".repeat(60)}.test`,
    random.text(200),
  ]);
  return input({
    title: `the server name ${serverName.slice(0, 30)}`,
    serverName,
    moves: [send(ping(stock))],
    linger: 5,
    mayBeCorrupt: true,
  });
};

/** A handshake that stops, and a handshake without a request. */
const slow: Make = (random, { clientHello }) => {
  if (random.chance(0.5))
    return input({ title: "a handshake without a request", moves: [], requests: 0, linger: random.below(50) });
  const moves = inSegments(random, clientHello, 5).flatMap((move): Move[] => [
    move,
    { do: "pause", milliseconds: random.below(20) },
  ]);
  return bare(random, "a slow ClientHello", moves);
};

/** RFC 8446 §5.1. */
function record(type: number, version: number, content: Buffer, length: number): Buffer {
  const head = Buffer.alloc(5);
  head[0] = type;
  head.writeUInt16BE(version, 1);
  head.writeUInt16BE(length, 3);
  return Buffer.concat([head, content]);
}
