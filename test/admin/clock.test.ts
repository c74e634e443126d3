import { beforeAll, describe, expect, it } from "vitest";
import { type ApiClient, start, startShared, type TestSandbox } from "./fixture.js";

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startShared();
});

async function createdAt(client: ApiClient, token?: string): Promise<string> {
  return (await client.get("/v1/payments?pageSize=1", token)).json.items[0].createdAt;
}

describe("the clock of a client", () => {
  it("makes a token expire with one call, for this client only", async () => {
    const [moved, still] = await Promise.all([sandbox.mint(), sandbox.mint()]);
    const tokens = [await moved.token(), await still.token()] as const;
    const { json } = await sandbox.admin.post(`/clients/${moved.clientId}/clock`, { advance: "301s" });
    expect(json).toMatchObject({ mode: "offset", offset: 301_000 });
    expect((await moved.ping(tokens[0])).status).toBe(401);
    expect((await still.ping(tokens[1])).status).toBe(200);
    await sandbox.admin.delete(`/clients/${moved.clientId}/clock`);
    expect((await moved.ping(tokens[0])).status).toBe(200);
  });

  it("a misspelt key and the missing one are two sentences", async () => {
    const { status, json } = await sandbox.admin.post("/clock", { duration: "301s" });
    expect([status, json.message]).toEqual([
      400,
      'In the body: The key advance is missing. Unknown key "duration". Known are: advance.',
    ]);
    const wrong = await sandbox.admin.post("/clock", { advance: "301", duration: 1 });
    expect(wrong.json.message).toMatch(
      /^In the body: advance: give [^.]*\. Unknown key "duration"\. Known are: advance\.$/,
    );
  });

  it("adds up advances, also backwards", async () => {
    const { clientId } = await sandbox.mint();
    const path = `/clients/${clientId}/clock`;
    expect((await sandbox.admin.post(path, { advance: "1h" })).json.offset).toBe(3_600_000);
    expect((await sandbox.admin.post(path, { advance: "-90m" })).json.offset).toBe(-1_800_000);
    expect((await sandbox.admin.post(path, { advance: "+30m" })).json).toMatchObject({ mode: "real", offset: 0 });
  });

  it("is set to another time, or frozen", async () => {
    const client = await sandbox.mint();
    const path = `/clients/${client.clientId}/clock`;
    const frozen = await sandbox.admin.put(path, { frozenAt: "2030-02-28T23:59:59.5+01:00" });
    expect(frozen.json).toEqual({ mode: "frozen", now: "2030-02-28T22:59:59.500Z", offset: 0 });
    const advanced = await sandbox.admin.post(path, { advance: "500ms" });
    expect(advanced.json).toEqual({ mode: "frozen", now: "2030-02-28T23:00:00.000Z", offset: 0 });
    const running = await sandbox.admin.put(path, { now: "2030-03-01T00:00:00Z" });
    expect(running.json).toMatchObject({ mode: "offset" });
    expect(running.json.now).toMatch(/^2030-03-01T00:00:00/);
    expect((await sandbox.admin.get(path)).json.now).toMatch(/^2030-03-01T00:00:00/);
    const real = await sandbox.admin.put(path, { offset: "0ms" });
    expect(real.json.mode).toBe("real");
  });

  it("applies to rows, cursors, certificates, the journal and the view of the client", async () => {
    const client = await sandbox.mint();
    const path = `/clients/${client.clientId}/clock`;
    await sandbox.admin.put(path, { frozenAt: "2027-03-01T12:34:56Z" });
    const token = await client.token();
    expect(await createdAt(client, token)).toBe("2027-03-01T12:00:00.000Z");
    const { nextCursor } = (await client.get("/v1/payments", token)).json;
    const next = `/v1/payments?cursor=${encodeURIComponent(nextCursor)}`;
    await sandbox.admin.post(path, { advance: "2m" });
    expect((await client.get(next, token)).status).toBe(200);
    const { items } = (await sandbox.admin.get(`/requests?client=${client.clientId}&pageSize=1`)).json;
    expect(items[0].time).toBe("2027-03-01T12:36:56.000Z");
    expect(items[0].receivedAt).not.toMatch(/^2027-03/);
    await sandbox.admin.put(path, { frozenAt: "2040-01-01T00:00:00Z" });
    expect((await client.requestToken()).json.code).toBe("INVALID_CLIENT");
    const { json } = await sandbox.admin.get(`/clients/${client.clientId}`);
    expect(json).toMatchObject({ clock: { mode: "frozen" }, certificates: [{ valid: false }] });
    await sandbox.admin.put(path, { frozenAt: "2027-06-01T00:00:00Z" });
    const late = await client.get(next);
    expect(late.json.code).toBe("INVALID_CURSOR");
  });

  it("refills a bucket of requests without waiting", async () => {
    const client = await sandbox.mint();
    await sandbox.admin.putYaml(
      "/scenarios/two-an-hour",
      "description: Two.\nrules: [{ name: two, when: { operation: ping }, then: { rateLimit: { limit: 2, per: 1h } } }]",
    );
    await sandbox.admin.put(`/clients/${client.clientId}/scenario`, { name: "two-an-hour" });
    await sandbox.admin.put(`/clients/${client.clientId}/clock`, { frozenAt: "2027-01-01T00:00:00Z" });
    const pings = async (count: number) => {
      const statuses: number[] = [];
      for (let index = 0; index < count; index++) statuses.push((await client.ping()).status);
      return statuses;
    };
    expect(await pings(3)).toEqual([200, 200, 429]);
    await sandbox.admin.post(`/clients/${client.clientId}/clock`, { advance: "1h" });
    expect(await pings(3)).toEqual([200, 200, 429]);
  });
});

describe("the clock of the sandbox", () => {
  it("is the base of its clients' clocks", async () => {
    const { admin, mint } = await start().then((own) => ({ admin: own.admin, mint: own.mint.bind(own) }));
    const [offset, frozen, plain] = await Promise.all([mint(), mint(), mint()]);
    await admin.put(`/clients/${offset.clientId}/clock`, { offset: "1h" });
    await admin.put(`/clients/${frozen.clientId}/clock`, { frozenAt: "2027-01-01T00:00:00Z" });
    const global = await admin.put("/clock", { frozenAt: "2028-01-01T00:00:00Z" });
    expect(global.json).toEqual({ mode: "frozen", now: "2028-01-01T00:00:00.000Z", offset: 0 });
    const now = async ({ clientId }: ApiClient) => (await admin.get(`/clients/${clientId}/clock`)).json.now;
    expect(await now(offset)).toBe("2028-01-01T01:00:00.000Z");
    expect(await now(frozen)).toBe("2027-01-01T00:00:00.000Z");
    expect(await now(plain)).toBe("2028-01-01T00:00:00.000Z");
    await admin.post("/clock", { advance: "1d" });
    expect(await now(frozen)).toBe("2027-01-01T00:00:00.000Z");
    expect(await now(plain)).toBe("2028-01-02T00:00:00.000Z");
    await admin.post("/reset", { client: offset.clientId });
    expect(await now(offset)).toBe("2028-01-02T00:00:00.000Z");
    await admin.delete("/clock");
    expect((await admin.get("/clock")).json.mode).toBe("real");
    expect(await now(frozen)).toBe("2027-01-01T00:00:00.000Z");
  });
});

describe("extreme times", () => {
  const refused = [
    ["PUT", { offset: "-999999999999d" }, "before that"],
    ["PUT", { now: "1969-12-31T23:59:59Z" }, "before that"],
    ["PUT", { frozenAt: "9999-12-31T23:59:59-23:59" }, "after that"],
    ["POST", { advance: "999999999999d" }, "after that"],
  ] as const;

  it.each(refused)("%s %j is refused, and the clock does not move", async (method, body, message) => {
    const { clientId } = await sandbox.mint();
    const path = `/clients/${clientId}/clock`;
    await sandbox.admin.put(path, { frozenAt: "2027-01-01T00:00:00Z" });
    const { status, json } = await (method === "PUT" ? sandbox.admin.put(path, body) : sandbox.admin.post(path, body));
    expect([status, json]).toEqual([
      400,
      {
        code: "INVALID_REQUEST",
        message: `A clock goes from 1970-01-01T00:00:00.000Z to 9999-12-31T23:59:59.000Z; this would set it ${message}.`,
      },
    ]);
    expect((await sandbox.admin.get(path)).json.now).toBe("2027-01-01T00:00:00.000Z");
  });

  it.each(["9999-12-31T23:59:59Z", "1970-01-01T00:00:00Z"])("at %s every part still answers", async (frozenAt) => {
    const { admin, connect, mint, standing } = await start().then((own) => ({
      admin: own.admin,
      mint: own.mint.bind(own),
      standing: own.standing.bind(own),
      connect: own.connect.bind(own),
    }));
    const client = await mint();
    const token = await client.token();
    await admin.put("/clock", { frozenAt });
    // The certificate is not valid at that time, so nothing is served. But each request is refused with an explanation.
    expect((await client.requestToken()).status).toBe(400);
    expect((await client.get("/v1/payments", token)).status).toBe(401);
    expect((await client.ping(token)).status).toBe(401);
    expect((await connect().send("/v1/ping")).status).toBe(401);
    expect((await (await standing("expired")).requestToken()).status).toBe(400);
    const { json } = await admin.get("/requests");
    expect(json.items).toHaveLength(6);
    for (const { id } of json.items) await admin.get(`/requests/${id}`);
    for (const path of ["/clients", "/identities", "/clock", "/handshakes", "/assumptions"]) {
      expect((await admin.get(path)).status).toBe(200);
    }
  });

  it.each(["9999-12-31T23:59:59Z", "1970-01-01T00:00:00Z"])(
    "at %s tokens, pages and cursors work",
    async (frozenAt) => {
      const { emptyFile } = await import("../../src/sandbox/config/shape.js");
      const { assumptions } = emptyFile;
      // With the check of certificate validity off, everything else runs at this time.
      const values = { ...assumptions.values, "certificate.validity": false };
      const { admin, mint } = await start({ assumptions: { ...assumptions, values } }).then((own) => ({
        admin: own.admin,
        mint: own.mint.bind(own),
      }));
      const client = await mint();
      await admin.put("/clock", { frozenAt });
      const token = await client.token();
      expect((await client.ping(token)).status).toBe(200);
      const page = await client.get("/v1/payments", token);
      expect(page.status).toBe(200);
      expect(page.json.items[0].createdAt).toMatch(/^\d{4}-\d\d-\d\dT/);
      const next = await client.get(`/v1/payments?cursor=${encodeURIComponent(page.json.nextCursor)}`, token);
      expect(next.status).toBe(200);
      const { items } = (await admin.get("/requests")).json;
      expect(items.map(({ status }: { status: number }) => status)).toEqual([200, 200, 200, 200]);
      expect(items.at(-1).explanation).toContain(`at ${frozenAt}`);
      for (const { id } of items) await admin.get(`/requests/${id}`);
    },
  );

  const malformed = [
    { offset: "5 minutes" },
    { offset: 300 },
    { offset: "1e3s" },
    { now: "2027-01-01" },
    { now: "2027-01-01T00:00:00+99:99" },
    { frozenAt: "+010000-01-01T00:00:00Z" },
    { frozenAt: null },
    { offset: "1s", now: "2027-01-01T00:00:00Z" },
    { of: "1s" },
    {},
  ];

  it.each(malformed)("%j is refused, and the message says what is accepted", async (body) => {
    const { status, json } = await sandbox.admin.put("/clock", body);
    expect([status, json.code]).toEqual([400, "INVALID_REQUEST"]);
    expect(json.message).toMatch(/give |Unknown key "of"/);
    expect((await sandbox.admin.get("/clock")).json.mode).toBe("real");
  });
});
