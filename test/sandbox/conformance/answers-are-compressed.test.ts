import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { startSandbox } from "../../../src/index.js";
import { curl, hasCurl } from "../scenarios/curl-client.js";
import { sharedSandbox } from "../scenarios/sandbox.js";

// RFC 9110 §8.4.1.3 and §12.5.3: `http.compression`
const sandbox = sharedSandbox({}, "assumptions: { http.compression: gzip }\n");
const gzip = { "Accept-Encoding": "br, gzip" };

/** The rows of a page, read as a client does that knows gzip. */
const unpacked = (bytes: Buffer) => JSON.parse(gunzipSync(bytes).toString());

it("a page is compressed for a client that accepts it, and is the same page", async () => {
  const client = await sandbox().client();
  const plain = await client.get("/v1/payments?pageSize=20");
  const packed = await client.get("/v1/payments?pageSize=20", gzip);
  expect(packed.headers).toMatchObject({
    "content-encoding": "gzip",
    "content-type": "application/json",
    "content-length": String(packed.bytes.length),
    vary: "Accept-Encoding",
  });
  expect(unpacked(packed.bytes).items).toEqual(plain.json.items);
  expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
  expect([plain.headers["content-encoding"], plain.headers.vary]).toEqual([undefined, "Accept-Encoding"]);
});

it("tokens and errors are compressed, too", async () => {
  const client = await sandbox().client();
  const token = await client.postToken(gzip);
  expect(unpacked(token.bytes)).toMatchObject({ token_type: "bearer" });
  const refused = await client.getWith("wrong", "/v1/ping", gzip);
  expect([refused.status, unpacked(refused.bytes).code]).toEqual([401, "UNAUTHORIZED"]);
  const unknown = await client.get("/nothing", gzip);
  expect([unknown.status, unpacked(unknown.bytes).code]).toEqual([404, "NOT_FOUND"]);
});

it.each([
  ["gzip", true],
  ["GZIP;q=0.001", true],
  ["deflate, gzip;q=0.5 , br", true],
  ["x-gzip", true],
  ["*", true],
  ["br;q=1, *;q=0.1", true],
  [["br", "gzip"], true],
  ["identity", false],
  ["gzip;q=0", false],
  ["gzip; q=0.000", false],
  ["*;q=0", false],
  ["gzip;q=0, *", false],
  ["gzip2, br", false],
  ['gzip;q="0"', false],
  ["gzip; q = 0", false],
  ["gzip;q=00", false],
  ["", false],
] as const)("Accept-Encoding %j", async (accepted, isPacked) => {
  const answer = await (await sandbox().client()).get("/v1/ping", { "Accept-Encoding": accepted });
  expect(answer.headers["content-encoding"]).toBe(isPacked ? "gzip" : undefined);
  expect(isPacked ? unpacked(answer.bytes) : answer.json).toEqual({ status: "OK" });
});

it("the library's own client unpacks it", async () => {
  const sandbox = await startSandbox({ assumptions: { "http.compression": "gzip" } });
  try {
    const client = await sandbox.createClient();
    const answer = await client.request("/v1/ping", { token: await client.token(), headers: gzip });
    expect([answer.headers["content-encoding"], answer.json()]).toEqual(["gzip", { status: "OK" }]);
  } finally {
    await sandbox.close();
  }
});

it("the journal has the text, and what was sent", async () => {
  const client = await sandbox().client();
  const { bytes } = await client.get("/v1/ping", gzip);
  const path = `/requests?client=${client.id}&operation=ping`;
  const { items } = (await sandbox().admin("GET", path)) as { items: { id: number }[] };
  const { answer } = (await sandbox().admin("GET", `/requests/${items[0]?.id}`)) as {
    answer: { headers: string[][]; body: string; length: number; sent: number };
  };
  expect(answer).toMatchObject({ body: '{"status":"OK"}', length: bytes.length, sent: bytes.length });
  const sent = answer.headers.map(([name = "", value]) => [name.toLowerCase(), value]);
  expect(sent).toContainEqual(["content-encoding", "gzip"]);
  const har = (await sandbox().admin("GET", `/journal/export?format=har&q=client:${client.id}`)) as {
    log: { entries: { response: { content: object; bodySize: number } }[] };
  };
  const { content, bodySize } = har.log.entries.at(-1)?.response ?? { content: {} };
  expect(bodySize).toBe(bytes.length);
  expect(content).toMatchObject({ size: -1, text: '{"status":"OK"}' });
});

describe("under a scenario", () => {
  const pageUnder = async (name: string, then: string) => {
    await sandbox().upload(name, `  - { when: { operation: list }, limit: 1, then: ${then} }`);
    return (await sandbox().clientUnder(name)).get("/v1/payments?pageSize=5", gzip);
  };

  it("what it changes is compressed afterwards", async () => {
    const { bytes, headers } = await pageUnder("changed", "{ alter: { body: { extra: 1 } } }");
    expect(unpacked(bytes)).toMatchObject({ extra: 1 });
    expect(headers["sandbox-fault"]).toMatch(/^changed\//);
  });

  it.each([
    ["drip", "{ connection: { kind: drip, duration: 30ms } }"],
    ["chunked", "{ alter: { body: { extra: 1 }, chunked: true } }"],
    ["until-close", "{ connection: untilClose }"],
  ])("it arrives whole: %s", async (name, then) => {
    const { bytes } = await pageUnder(name, then);
    expect(unpacked(bytes).items).toHaveLength(5);
  });

  it("half of a truncated answer is half of the compressed one", async () => {
    await sandbox().upload("half", "  - { when: { operation: list }, then: { connection: truncate } }");
    const client = await sandbox().clientUnder("half");
    await expect(client.get("/v1/payments?pageSize=5", gzip)).rejects.toThrow();
    const path = `/requests?client=${client.id}&operation=list`;
    const { items } = (await sandbox().admin("GET", path)) as { items: { id: number }[] };
    const { answer } = (await sandbox().admin("GET", `/requests/${items[0]?.id}`)) as {
      answer: { length: number; sent: number };
    };
    expect(answer.length).toBeLessThan(1000);
    expect(answer.sent).toBe(Math.floor(answer.length / 2));
  });

  it("an answer without a body stays without one", async () => {
    const { bytes, headers } = await pageUnder("empty", '{ respond: { status: 502, body: "" } }');
    expect([bytes.length, headers["content-encoding"]]).toEqual([0, undefined]);
  });

  it("an answer that has an encoding of its own stays as it is", async () => {
    const { text, headers } = await pageUnder(
      "own",
      '{ respond: { status: 200, headers: { Content-Encoding: identity }, body: "own" } }',
    );
    expect([text, headers["content-encoding"], headers.vary]).toEqual(["own", "identity", undefined]);
  });
});

describe.skipIf(!hasCurl)("curl", () => {
  it.each(["--http1.1", "--http2"])("unpacks it over %s", async (version) => {
    const client = await sandbox().client();
    const { stdout } = await curl(client, version, "--compressed", "-i", "/v1/payments?pageSize=3");
    const [head = "", body = ""] = stdout.split("\r\n\r\n");
    expect(head).toMatch(/^content-encoding: gzip$/im);
    expect(JSON.parse(body).items).toHaveLength(3);
  });
});
