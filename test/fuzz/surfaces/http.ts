import {
  bearer,
  breakOff,
  formType,
  type Generator,
  type Input,
  input,
  inSegments,
  type Move,
  ping,
  request,
  type Stock,
  send,
} from "../input.js";
import { mutateBytes, numbers } from "../mutate.js";
import type { Random } from "../random.js";

/** The rest of a valid head after a request line. */
const host = "Host: localhost\r\n";

/** Heads that HTTP must refuse: each is a complete request, or exceeds a limit. */
const badHeads: readonly string[] = [
  "GET /v1/ping HTTP/1.1\r\n\r\n",
  `GET /v1/ping HTTP/1.1\r\n${host}Host: other\r\n\r\n`,
  "GET /v1/ping HTTP/1.1\r\nHost: a b\r\n\r\n",
  "GET /v1/ping HTTP/1.1\r\nHost: user@localhost\r\n\r\n",
  "GET /v1/ping HTTP/1.1\r\nHost: [::1\r\n\r\n",
  `GET /v1/ping HTTP/1.1\r\n${host}Expect: tea\r\n\r\n`,
  `GET /v1/ping HTTP/1.1\r\n${host}Transfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n`,
  `GET /v1/ping HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`,
  `GET /v1/ping HTTP/1.1\r\n${host}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcde`,
  `GET /v1/ping HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\n`,
  `GET /v1/ping HTTP/1.1\r\n${host}Content-Length: 1e3\r\n\r\n`,
  `GET /v1/ping HTTP/1.1\r\n${host}Content-Length: 99999999999999999999\r\n\r\n`,
  `GET /v1/ping HTTP/3.7\r\n${host}\r\n`,
  `GET /v1/ping HTTP/2.0\r\n${host}\r\n`,
  `GET /v1/ping FTP/1.1\r\n${host}\r\n`,
  `GET v1/ping HTTP/1.1\r\n${host}\r\n`,
  `GET ftp://localhost/v1/ping HTTP/1.1\r\n${host}\r\n`,
  `GET https://a b/ HTTP/1.1\r\n${host}\r\n`,
  `CONNECT localhost:443 HTTP/1.1\r\n${host}\r\n`,
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\x12\x04\0\0\0\0\0",
  `get /v1/ping HTTP/1.1\r\n${host}\r\n`,
  `G T /v1/ping HTTP/1.1\r\n${host}\r\n`,
  `BREW /v1/ping HTTP/1.1\r\n${host}\r\n`,
  `GET /v1/ping HTTP/1.1\r\n${host}A B: c\r\n\r\n`,
  `GET /v1/ping HTTP/1.1\r\n${host}A : c\r\n\r\n`,
  `GET /v1/ping HTTP/1.1\r\n${host}: empty\r\n\r\n`,
  `GET /v1/ping HTTP/1.1\r\n${host}no colon\r\n\r\n`,
  `GET /v1/ping HTTP/1.1\r\n${host}A: b\0c\r\n\r\n`,
  `GET /v1/ping HTTP/1.1\r\n${host}A: b\x01c\r\n\r\n`,
  `GET /v1/\0ping HTTP/1.1\r\n${host}\r\n`,
  `GET /v1/ping HTTP/1.1\r\n ${host}\r\n`,
  `GET /v1/ping HTTP/1.1\r\n${host}A: ${"x".repeat(20_000)}\r\n\r\n`,
  `GET /${"x".repeat(20_000)} HTTP/1.1\r\n${host}\r\n`,
  `GET /v1/ping HTTP/1.1\r\n${host}${"A: b\r\n".repeat(4_000)}\r\n`,
  "\x16\x03\x01\0\x05hello",
  "hello\r\n\r\n",
];

/** Bodies with valid and invalid chunks. */
const chunks: readonly string[] = [
  "5\r\nhello\r\n0\r\n\r\n",
  "5;name=value\r\nhello\r\n0\r\nX-Trailer: 1\r\n\r\n",
  "005\r\nhello\r\n00\r\n\r\n",
  "5\r\nhello world\r\n0\r\n\r\n",
  "g\r\nhello\r\n0\r\n\r\n",
  "-5\r\nhello\r\n0\r\n\r\n",
  "ffffffffffffffff\r\nhello",
  "10000000000000000\r\nhello",
  "5 \r\nhello\r\n0\r\n\r\n",
  "5\nhello\n0\n\n",
  "5\r\nhello",
  "\r\n",
  `5;${"x".repeat(20_000)}\r\nhello\r\n0\r\n\r\n`,
  `0\r\n${"A: b\r\n".repeat(4_000)}\r\n`,
  "1\r\nx\r\n".repeat(3_000),
];

/** Raw HTTP, valid and invalid, whole and in pieces. */
export const rawHttp: Generator = (random, counter, stock) => {
  const make = random.pick([
    badHead,
    badHead,
    pipelined,
    pipelined,
    cutOnce,
    byteByByte,
    framing,
    mutated,
    mutated,
    brokenOff,
    upgrade,
    manyHeaders,
    adminPort,
  ]);
  return make(random, stock, counter);
};

type Make = (random: Random, stock: Stock, counter: number) => Input;

/** After valid requests, so that a refusal follows other answers. Bytes after the bad head must not be read. */
const badHead: Make = (random, stock) => {
  const head = random.pick(badHeads);
  const before = random.below(3);
  const parts = [Buffer.from(head, "latin1"), ...(random.chance(0.3) ? [ping(stock)] : [])];
  const bad = Buffer.concat(parts);
  const good = Array.from({ length: before }, (): Move[] => [send(ping(stock)), { do: "answer" }]).flat();
  return input({
    title: `a bad head: ${JSON.stringify(head.slice(0, 60))}`,
    moves: [...good, ...(random.chance(0.7) ? [send(bad)] : inSegments(random, bad, random.between(1, 4)))],
    requests: before + parts.length,
    owed: before + 1,
  });
};

const pipelined: Make = (random, stock) => {
  const count = random.between(1, 30);
  const parts = Array.from({ length: count }, () => goodRequest(random, stock));
  // The first is answered; the others may be dropped.
  return input({ title: `${count} valid requests at once`, moves: [send(...parts)], requests: count, owed: 1 });
};

/** In two segments, cut at each byte in turn. */
const cutOnce: Make = (random, stock, counter) => {
  const count = random.between(1, 3);
  const bytes = Buffer.concat(Array.from({ length: count }, () => goodRequest(random, stock)));
  const at = counter % bytes.length;
  const moves: Move[] = [
    send(bytes.subarray(0, at)),
    { do: "pause", milliseconds: random.below(3) },
    send(bytes.subarray(at)),
  ];
  return input({ title: `${count} valid requests, cut at byte ${at}`, moves, requests: count, owed: 1 });
};

const byteByByte: Make = (random, stock) => {
  const bytes = goodRequest(random, stock);
  const moves = [...bytes].flatMap((byte): Move[] => [send(Buffer.of(byte)), { do: "pause", milliseconds: 0 }]);
  return input({ title: "a valid request byte by byte", moves, owed: 1 });
};

/** Bodies that are shorter or longer than announced, or that have odd chunks. */
const framing: Make = (random, stock) => {
  const body = random.pick(["", "grant_type=client_credentials", random.text(random.below(5_000))]);
  const bytes = random.chance(0.5)
    ? request("POST", "/oauth/v2/oauth-token", [formType, "Transfer-Encoding: chunked"], random.pick(chunks))
    : request(
        "POST",
        "/oauth/v2/oauth-token",
        [formType, `Content-Length: ${Math.max(0, body.length + random.between(-20, 20))}`],
        body,
      );
  const parts = [bytes, ...(random.chance(0.5) ? [ping(stock)] : [])];
  const expecting = random.chance(0.1) ? Buffer.from("Expect: 100-continue\r\n") : Buffer.alloc(0);
  const all = Buffer.concat(parts);
  const at = all.indexOf("\r\n") + 2;
  const moves: Move[] = [send(all.subarray(0, at), expecting, all.subarray(at))];
  if (random.chance(0.5)) moves.push({ do: "pause", milliseconds: random.below(4) }, breakOff(random));
  return input({ title: "a body that is not as announced", moves, requests: parts.length, linger: random.below(30) });
};

const mutated: Make = (random, stock) => {
  const count = random.between(1, 4);
  const bytes = mutateBytes(random, Buffer.concat(Array.from({ length: count }, () => goodRequest(random, stock))), 6);
  const moves = inSegments(random, bytes, random.below(3));
  return input({ title: "altered requests", moves, requests: count, linger: random.below(20) });
};

/** The client disconnects, in one of three ways, at any byte. */
const brokenOff: Make = (random, stock) => {
  const bytes = Buffer.concat(Array.from({ length: random.between(1, 5) }, () => goodRequest(random, stock)));
  const moves: Move[] = [send(bytes.subarray(0, random.below(bytes.length + 1)))];
  if (random.chance(0.5)) moves.push({ do: "pause", milliseconds: random.below(3) });
  moves.push(breakOff(random));
  if (random.chance(0.2)) moves.push(breakOff(random));
  return input({ title: "interrupted requests", moves, linger: random.below(20) });
};

const upgrade: Make = (random, stock) => {
  const protocol = random.pick(["h2c", "websocket", "TLS/1.2", "", "x".repeat(3_000)]);
  const headers = [
    `Upgrade: ${protocol}`,
    `Connection: ${random.pick(["Upgrade", "upgrade, close", "Upgrade, HTTP2-Settings"])}`,
    "HTTP2-Settings: AAMAAABkAAQAAP__",
  ];
  const parts = [ping(stock, headers), ...(random.chance(0.5) ? [random.bytes(20)] : [])];
  return input({ title: "an upgrade", moves: [send(...parts)], owed: 1 });
};

const manyHeaders: Make = (random, stock) => {
  const count = random.pick([60, 61, 500, 1_000, 2_500]);
  const headers = Array.from(
    { length: count },
    (_none, at) => `X-${at}: ${random.pick(numbers).replaceAll(/[^ -~]/g, "0")}`,
  );
  return input({ title: `${count} headers`, moves: [send(ping(stock, headers))], owed: 1 });
};

/** Node's own answers there have no body, so the error object is not required. */
const adminPort: Make = (random, stock) => {
  const bytes = mutateBytes(random, request("GET", "/requests?pageSize=2", [bearer(stock.adminToken)]), 6);
  const moves = inSegments(random, bytes, random.below(3));
  return input({
    title: "raw HTTP to the admin API",
    to: "admin",
    moves,
    linger: random.below(10),
    bodiless: false,
    mayBeCorrupt: true,
  });
};

function goodRequest(random: Random, stock: Stock): Buffer {
  switch (random.below(5)) {
    case 0:
      return request("GET", `/v1/payments?pageSize=${random.between(1, 5)}`, [bearer(stock.token)]);
    case 1:
      return request(
        "POST",
        "/oauth/v2/oauth-token",
        [formType],
        "grant_type=client_credentials&client_id=other&scope=read",
      );
    case 2:
      return request("GET", "/v1/unknown", [bearer(stock.token)]);
    default:
      return ping(stock);
  }
}
