import { once } from "node:events";
import { connect } from "node:tls";
import { describe, expect, it } from "vitest";
import { clientHello } from "../../support/client-hello.js";
import { eventually } from "../../support/eventually.js";
import { openTcp } from "../../support/raw-client.js";
import { type OutsideClient, openScenarioSandbox, sharedSandbox } from "./sandbox.js";

const sandbox = sharedSandbox({ seed: "everybody" });
let uploads = 0;

async function upload(rule: string): Promise<string> {
  uploads += 1;
  await sandbox().upload(`new-${uploads}`, `  - ${rule}`);
  return `new-${uploads}`;
}

async function clientUnder(rule: string): Promise<OutsideClient> {
  return sandbox().clientUnder(await upload(rule));
}

function statusOf(head: string | undefined): string | undefined {
  return head?.split("\r\n")[0]?.slice(9, 12);
}

describe("truncate", () => {
  it.each([
    [0, 0],
    [10, 10],
    [1_000_000, "all but one"],
  ] as const)("after %d bytes of the body, then a RST", async (after, arrives) => {
    const client = await clientUnder(`{ name: it, then: { connection: { kind: truncate, after: ${after} } } }`);
    const wire = await client.wire("/v1/payments");
    expect(await wire.end()).toBe("RST");
    expect(wire.announced).toBeGreaterThan(100);
    expect(wire.body).toHaveLength(arrives === "all but one" ? wire.announced - 1 : arrives);
  });

  it("combines with an error", async () => {
    const client = await clientUnder("{ then: { error: NOT_FOUND, connection: { kind: truncate, after: 3 } } }");
    const wire = await client.wire("/v1/ping");
    expect([await wire.end(), statusOf(wire.head), wire.body]).toEqual(["RST", "404", '{"m']);
  });
});

describe("stall with a code", () => {
  it("over HTTP/1.1, ends with a RST instead of the rest", async () => {
    const client = await clientUnder("{ then: { connection: { kind: stall, duration: 10ms, code: CANCEL } } }");
    const wire = await client.wire("/v1/ping");
    expect(await wire.end()).toBe("RST");
    expect(wire.body.length).toBeLessThan(wire.announced);
  });
});

describe("alter", () => {
  it("announces the length of the changed body, and the connection stays open", async () => {
    const client = await clientUnder(
      '{ then: { alter: { body: { note: "äöü" }, headers: { Content-Type: text/html } } } }',
    );
    for (let round = 0; round < 2; round++) {
      const answer = await client.get("/v1/payments?pageSize=2");
      expect(answer.headers["content-type"]).toBe("text/html");
      expect(answer.json.note).toBe("äöü");
      expect(Number(answer.headers["content-length"])).toBe(Buffer.byteLength(answer.text));
    }
  });

  it("has no Content-Type if it was removed", async () => {
    const client = await clientUnder("{ then: { alter: { headers: { Content-Type: null } } } }");
    for (const path of ["/v1/ping", "/v1/payments?pageSize=2"]) {
      const wire = await client.wire(path);
      const { head, body } = await wire.answer();
      wire.giveUp();
      expect(head).not.toMatch(/content-type/i);
      expect(() => JSON.parse(body)).not.toThrow();
    }
  });
});

describe("a status without a body", () => {
  const ways = {
    plainly: "",
    "under truncate": ", connection: truncate",
    "under drip": ", connection: { kind: drip, duration: 60s }",
    "under stall": ", connection: { kind: stall, duration: 60s }",
    untyped: ", headers: { Content-Type: null }",
  } as const;

  // Each status with each fault: records/without-body.night.test.ts.
  it.each([
    [204, "plainly"],
    [204, "untyped"],
    [205, "under drip"],
    [304, "under stall"],
  ] as const)("%i, sent %s: no body, and a length only where it is permitted (RFC 9110 §8.6)", async (status, way) => {
    const rest = ways[way as keyof typeof ways];
    const fault = way === "untyped" ? `alter: { status: ${status}${rest} }` : `alter: { status: ${status} }${rest}`;
    const client = await clientUnder(`{ then: { ${fault} } }`);
    const wire = await client.wire("/v1/ping", { Connection: "close" });
    expect(await wire.end()).toBe("FIN");
    expect([statusOf(wire.head), wire.body.replace("0\r\n\r\n", "")]).toEqual([String(status), ""]);
    if (status === 205) expect(wire.head).toMatch(/\r\n(content-length: 0|transfer-encoding: chunked)/i);
    else expect(wire.head).not.toMatch(/content-length|transfer-encoding/i);
  });

  it("an injected one does not change the connection", async () => {
    const client = await clientUnder(
      "{ limit: 2, then: { respond: { status: 204 }, connection: { kind: drip, duration: 1ms } } }",
    );
    const seen = [];
    for (let round = 0; round < 3; round++) seen.push((await client.get("/v1/ping")).status);
    expect(seen).toEqual([204, 204, 200]);
  });
});

describe("concurrency", () => {
  /** The status line arrives at once, the body takes a minute. */
  const rule = "{ name: it, then: { concurrency: { limit: 1 }, connection: { kind: drip, duration: 60s } } }";

  async function begin(client: OutsideClient): Promise<[status: string | undefined, giveUp: () => void]> {
    const wire = await client.wire("/v1/ping");
    await wire.bytes(12);
    return [statusOf(wire.received), () => wire.giveUp()];
  }

  it("a request is open until its answer was sent; a client that disconnects makes room", async () => {
    const client = await clientUnder(rule);
    const [first, leaveFirst] = await begin(client);
    const [second, leaveSecond] = await begin(client);
    expect([first, second]).toEqual(["200", "429"]);
    leaveSecond();
    leaveFirst();
    await eventually(async () => {
      const [status, leave] = await begin(client);
      leave();
      return status === "200";
    });
  });
});

describe("reset in the handshake", () => {
  it("while the scenario is active for all: counted for all together, and in the journal", {
    tags: "slow",
  }, async () => {
    const own = await openScenarioSandbox({ seed: "fixed" });
    try {
      const client = await own.client();
      await client.token();
      await own.upload("shaken", "  - { name: it, limit: 2, then: { connection: { kind: reset, when: handshake } } }");
      await expect(own.admin("PUT", `/clients/${client.id}/scenario`, { name: "shaken" })).rejects.toThrow(/handshake/);
      await own.admin("PUT", "/scenario", { name: "shaken" });
      for (let round = 0; round < 2; round++)
        await expect(client.wire("/v1/ping")).rejects.toMatchObject({ code: "ECONNRESET" });
      const wire = await client.wire("/v1/ping");
      expect(statusOf((await wire.answer()).head)).toBe("200");
      wire.giveUp();
      // A connection that was open before is not affected.
      expect((await client.get("/v1/ping")).status).toBe(200);
      const recorded = async () =>
        ((await own.admin("GET", "/handshakes")) as { items: { cause: string; explanation: string }[] }).items;
      await eventually(async () => (await recorded()).length >= 2);
      for (const { cause, explanation } of (await recorded()).slice(0, 2)) {
        expect(cause).toBe("reset-by-scenario");
        expect(explanation).toMatch(/shaken\/it#[12];seed=fixed/);
      }
      await own.admin("PUT", "/scenario", { name: "shaken" });
      await expect(client.wire("/v1/ping")).rejects.toMatchObject({ code: "ECONNRESET" });
    } finally {
      await own.close();
    }
  });
});

describe("a handshake that does not go on", { tags: "slow" }, () => {
  it.each([
    ["hang", /^$/, /no ServerHello|not go on/],
    ["stall", /^160303007a020000760303[0-9a-f]{64}$/, /not go on/],
  ] as const)("%s: what the client gets, and the journal", async (kind, bytes, explained) => {
    const own = await openScenarioSandbox({ seed: "fixed" });
    try {
      const client = await own.client();
      await own.upload(
        "held",
        `  - { name: it, limit: 2, then: { connection: { kind: ${kind}, when: handshake, duration: 50ms } } }`,
      );
      await expect(own.admin("PUT", `/clients/${client.id}/scenario`, { name: "held" })).rejects.toThrow(/handshake/);
      await own.admin("PUT", "/scenario", { name: "held" });
      const hello = (await clientHello("localhost")).toString("latin1");
      for (let round = 0; round < 2; round++) {
        const raw = await openTcp(client.port);
        raw.send(hello);
        await raw.closed;
        expect([Buffer.from(raw.received, "latin1").toString("hex"), raw.errorCode]).toEqual([
          expect.stringMatching(bytes),
          undefined,
        ]);
      }
      // The third handshake goes on.
      expect((await client.get("/v1/ping")).status).toBe(200);
      const { items } = (await own.admin("GET", "/handshakes")) as { items: { cause: string; explanation: string }[] };
      expect(items.map(({ cause }) => cause)).toEqual(["held-by-scenario", "held-by-scenario"]);
      for (const { explanation } of items) expect(explanation).toMatch(/held\/it#[12];seed=fixed/);
      expect(items[0]?.explanation).toMatch(explained);
    } finally {
      await own.close();
    }
  });

  it("ends when the client gives up, and a Node.js client has a time-out for it", async () => {
    const own = await openScenarioSandbox({ seed: "fixed" });
    try {
      const client = await own.client();
      await own.upload("held", "  - { then: { connection: { kind: hang, when: handshake } } }");
      await own.admin("PUT", "/scenario", { name: "held" });
      const socket = connect({ port: client.port, host: "127.0.0.1", servername: "localhost", timeout: 100 });
      const [event] = await Promise.race([
        once(socket, "timeout").then(() => ["timeout"]),
        once(socket, "secureConnect").then(() => ["secureConnect"]),
      ]);
      expect(event).toBe("timeout");
      socket.destroy();
      await eventually(
        async () => ((await own.admin("GET", "/handshakes")) as { items: unknown[] }).items.length === 1,
      );
    } finally {
      // It does not wait for the held handshake.
      await own.close();
    }
  });
});
