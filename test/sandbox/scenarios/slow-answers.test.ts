import { describe, expect, it } from "vitest";
import { eventually } from "../../support/eventually.js";
import { openHttp2, sendOnStream } from "../../support/http2-session.js";
import { type OutsideClient, sharedSandbox } from "./sandbox.js";

// Answers that come slowly or without a length, and what the journal says of them.

const sandbox = sharedSandbox();
let uploads = 0;

/** A client with a scenario of these rules; each is called `it` if it has no name. */
async function clientUnder(...rules: readonly string[]): Promise<OutsideClient> {
  uploads += 1;
  await sandbox().upload(`slow-${uploads}`, rules.map((rule) => `  - ${rule}`).join("\n"));
  return sandbox().clientUnder(`slow-${uploads}`);
}

interface Entry {
  readonly id: string;
  readonly status: number;
  readonly delivered: boolean | null;
  readonly fault: string | null;
  readonly explanation: string;
}

/** What the journal says of the newest request of a client, once it is over. */
async function entryOf({ id }: OutsideClient): Promise<Entry> {
  let newest: Entry | undefined;
  await eventually(async () => {
    const { items } = (await sandbox().admin("GET", `/requests?client=${id}&operation=ping`)) as { items: Entry[] };
    newest = items[0];
    return newest !== undefined && newest.delivered !== null;
  });
  return (await sandbox().admin("GET", `/requests/${newest?.id}`)) as Entry;
}

/** Sends requests on one connection of HTTP/2. */
async function overHttp2(client: OutsideClient, headers: Record<string, string> = {}) {
  const { url, ca, certificate: cert, key } = client.material;
  const token = await client.token();
  const { session } = await openHttp2(url, { ca, identity: { cert, key } });
  const send = () => sendOnStream(session, "/v1/ping", { headers: { authorization: `Bearer ${token}`, ...headers } });
  return { send, close: () => session.close() };
}

describe("slowHeaders", () => {
  it("status line and headers a piece at a time, then the body, then a FIN; the journal says that it arrived", {
    tags: "slow",
  }, async () => {
    const client = await clientUnder("{ name: it, then: { connection: { kind: slowHeaders, duration: 300ms } } }");
    const wire = await client.wire("/v1/ping");
    expect([await wire.end(), wire.closeNotify]).toEqual(["FIN", true]);
    expect(wire.head).toMatch(/^HTTP\/1\.1 200 OK\r\nContent-Type: application\/json\r\n/);
    expect(wire.head).toMatch(/\r\nSandbox-Fault: slow-\d+\/it#1;seed=\w+\r\n/);
    expect(wire.head).toMatch(/\r\nConnection: close$/);
    expect([wire.announced, wire.body]).toEqual([15, '{"status":"OK"}']);
    const pieces = wire.arrivals.filter(({ bytes }) => bytes < (wire.head?.length ?? 0) / 5);
    expect(pieces.length).toBeGreaterThan(10);
    expect(wire.arrivals.at(-1)?.at).toBeGreaterThan(295);
    const { delivered, status, explanation } = await entryOf(client);
    expect([delivered, status]).toEqual([true, 200]);
    expect(explanation).toMatch(/acted: the status line and the headers a piece at a time, over 300 ms\. Ping was/);
  });

  it("a client that leaves: the journal says so", async () => {
    const client = await clientUnder("{ then: { connection: { kind: slowHeaders, duration: 60s } } }");
    const wire = await client.wire("/v1/ping");
    await wire.bytes(1);
    wire.giveUp();
    const { delivered, explanation } = await entryOf(client);
    expect(delivered).toBe(false);
    expect(explanation).toMatch(/The client gave up after [\d.]+ m?s: it closed the connection, when /);
  });

  it("the next request of the connection is not answered", async () => {
    const client = await clientUnder("{ then: { connection: { kind: slowHeaders, duration: 1ms } } }");
    const wire = await client.wire("/v1/ping");
    wire.send("GET /v1/ping HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await wire.end();
    expect(wire.received.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it("over HTTP/2 its rule does not match: another one acts, and it is not counted", async () => {
    const client = await clientUnder(
      "{ name: slow, limit: 1, then: { connection: { kind: slowHeaders, duration: 1ms } } }",
      "{ name: other, then: { error: NOT_FOUND } }",
    );
    const { send, close } = await overHttp2(client);
    expect((await send()).headers["sandbox-fault"]).toMatch(/\/other#1;/);
    close();
    expect((await client.get("/v1/ping")).headers["sandbox-fault"]).toMatch(/\/slow#1;/);
  });

  it("a replay over HTTP/2 is refused, and says why", async () => {
    const client = await clientUnder("{ name: it, then: { connection: slowHeaders } }");
    const { send, close } = await overHttp2(client, { "sandbox-replay": `slow-${uploads}/it#1;seed=x` });
    const { status, text } = await send();
    close();
    expect([status, JSON.parse(text).message]).toEqual([400, expect.stringContaining("acts over HTTP/1.1 only")]);
  });

  it("combines with a body in chunks, and with a status that has none", async () => {
    const chunked = await clientUnder(
      "{ then: { alter: { chunked: true }, connection: { kind: slowHeaders, duration: 1ms } } }",
    );
    const wire = await chunked.wire("/v1/ping");
    await wire.end();
    expect(wire.body).toBe('8\r\n{"status\r\n7\r\n":"OK"}\r\n0\r\n\r\n');
    for (const then of ["respond: { status: 204, chunked: true }", "alter: { status: 204, chunked: true }"]) {
      const empty = await clientUnder(`{ then: { ${then}, connection: { kind: slowHeaders, duration: 1ms } } }`);
      const bodiless = await empty.wire("/v1/ping");
      await bodiless.end();
      expect(bodiless.head).toMatch(/^HTTP\/1\.1 204 No Content\r\n/);
      expect(bodiless.head).not.toMatch(/content-length|transfer-encoding/i);
      expect(bodiless.body).toBe("");
    }
  });

  it("to HTTP/1.0, which has no chunks, the body ends with the connection", async () => {
    const client = await clientUnder(
      "{ then: { alter: { chunked: true }, connection: { kind: slowHeaders, duration: 1ms } } }",
    );
    const wire = await client.wire("/v1/ping", {}, {}, "HTTP/1.0");
    await wire.end();
    expect(wire.head).not.toMatch(/content-length|transfer-encoding/i);
    expect(wire.body).toBe('{"status":"OK"}');
  });
});

it.each([
  "respond: { status: 200, headers: { X-Note: é }, body: ü, chunked: true }",
  "error: { code: NOT_FOUND, headers: { X-Note: é } }",
  "alter: { headers: { X-Note: é } }, connection: { kind: slowHeaders, duration: 5ms }",
])("a header beyond ASCII is sent in Latin-1, however its answer is sent: %s", async (then) => {
  const client = await clientUnder(`{ name: it, then: { ${then} } }`);
  const wire = await client.wire("/v1/ping", { Connection: "close" });
  await wire.end();
  expect(wire.head).toMatch(/\r\nX-Note: é\r\n/);
});

describe("stall", () => {
  it("half of the body, nothing for the given time, and the rest; the connection stays open", async () => {
    const client = await clientUnder("{ name: it, then: { connection: { kind: stall, duration: 300ms } } }");
    const wire = await client.wire("/v1/payments");
    const { body } = await wire.answer();
    expect(JSON.parse(body).items).toHaveLength(10);
    expect(wire.arrivals.at(-1)?.at).toBeGreaterThan(295);
    wire.giveUp();
    expect((await client.get("/v1/ping")).json).toEqual({ status: "OK" });
    const { delivered, explanation } = await entryOf(client);
    expect(delivered).toBe(true);
    expect(explanation).toMatch(/acted: nothing for 300 ms in the middle of the body\. Ping was answered/);
  });

  it("a client whose read time-out fires: the journal says that it left", async () => {
    const client = await clientUnder("{ then: { connection: { kind: stall, duration: 60s } } }");
    const wire = await client.wire("/v1/ping");
    await eventually(() => wire.body !== "");
    expect([wire.announced, wire.body]).toEqual([15, '{"status']);
    wire.giveUp();
    const { delivered, explanation } = await entryOf(client);
    expect(delivered).toBe(false);
    expect(explanation).toMatch(/The client gave up after [\d.]+ m?s: it closed the connection, when /);
  });

  it("over HTTP/2, other streams go on", async () => {
    const client = await clientUnder("{ limit: 1, then: { connection: { kind: stall, duration: 200ms } } }");
    const { send, close } = await overHttp2(client);
    const order: string[] = [];
    const [slow, fast] = await Promise.all(
      ["slow", "fast"].map(async (name) => {
        const answer = await send();
        order.push(name);
        return answer;
      }),
    );
    close();
    expect(order).toEqual(["fast", "slow"]);
    expect([slow?.text, fast?.text]).toEqual(['{"status":"OK"}', '{"status":"OK"}']);
    expect((await entryOf(client)).delivered).toBe(true);
  });
});

describe("a body in chunks", () => {
  it.each([
    ["respond: { status: 200, body: { status: OK }, chunked: true }", '{"status":"OK"}'],
    ["alter: { chunked: true }", '{"status":"OK"}'],
    ["alter: { body: { note: äöü }, chunked: true }", '{"status":"OK","note":"äöü"}'],
  ])("%s: no length, two chunks, and the same answer", async (then, text) => {
    const client = await clientUnder(`{ name: it, then: { ${then} } }`);
    const wire = await client.wire("/v1/ping", { Connection: "close" });
    await wire.end();
    expect(wire.head).toMatch(/\r\nTransfer-Encoding: chunked/i);
    expect(wire.head).not.toMatch(/content-length/i);
    expect(wire.head).toMatch(/\r\nSandbox-Fault: /);
    expect(wire.body).toMatch(/^[\da-f]+\r\n[^\r]+\r\n[\da-f]+\r\n[^\r]+\r\n0\r\n\r\n$/);
    for (let round = 0; round < 2; round++) expect((await client.get("/v1/ping")).text).toBe(text);
    const entry = await entryOf(client);
    expect([entry.delivered, (entry as unknown as { answer: { body: string } }).answer.body]).toEqual([true, text]);
    const { send, close } = await overHttp2(client);
    const answer = await send();
    close();
    expect([answer.text, answer.headers["content-length"]]).toEqual([text, undefined]);
  });

  it.each(["drip", "stall"])("also with %s", async (kind) => {
    const client = await clientUnder(
      `{ then: { alter: { chunked: true }, connection: { kind: ${kind}, duration: 20ms } } }`,
    );
    const answer = await client.get("/v1/ping");
    expect([answer.json, answer.headers["content-length"]]).toEqual([{ status: "OK" }, undefined]);
  });
});

describe("a condition on the version of HTTP", () => {
  it.each([
    [1, [404, 200]],
    [2, [200, 404]],
  ])("http: %i", async (version, statuses) => {
    const client = await clientUnder(`{ when: { http: ${version} }, then: { error: NOT_FOUND } }`);
    const { send, close } = await overHttp2(client);
    const wire = await client.wire("/v1/ping", { Connection: "close" });
    await wire.end();
    expect([Number(wire.head?.slice(9, 12)), (await send()).status]).toEqual(statuses);
    close();
  });
});

it("a token with a defect has no step of the scenario among its decisions, and a token that is revoked has", async () => {
  const stepsOf = async (operation: string, { id }: OutsideClient) => {
    const { items } = (await sandbox().admin("GET", `/requests?client=${id}&operation=${operation}`)) as {
      items: Entry[];
    };
    const detail = (await sandbox().admin("GET", `/requests/${items[0]?.id}`)) as { decisions: { step: string }[] };
    return detail.decisions.map(({ step }) => step);
  };
  const defect = await clientUnder("{ then: { token: { tokenType: mac } } }");
  await defect.postToken();
  expect(await stepsOf("token", defect)).not.toContain("scenario");
  const revoked = await clientUnder("{ then: { token: { revoke: true } } }");
  await revoked.get("/v1/ping");
  expect(await stepsOf("ping", revoked)).toContain("scenario");
});
