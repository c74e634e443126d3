import { beforeAll, describe, expect, it } from "vitest";
import { openTcp, openTls } from "../support/raw-client.js";
import { type ApiClient, eventually, start, startShared, type TestSandbox } from "./fixture.js";

interface Item {
  readonly key: string;
  readonly order: number;
  readonly kind: "request" | "handshake";
  readonly id: string;
  readonly status: number;
  readonly target: string;
  readonly claimedClient: string | null;
  readonly walk: string | null;
  readonly tokenId: string | null;
  readonly connectionId: number | null;
}

let sandbox: TestSandbox;
let first: ApiClient;
let walked: string[];

/** Nine requests and a handshake. */
beforeAll(async () => {
  sandbox = await startShared();
  first = await sandbox.mint({ clientId: "first" });
  const token = await first.token();
  await first.get("/v1/ping", token);
  await first.get("/v1/ping?produceError=true", token);
  await first.get("/v1/payments?pageSize=0", token);
  walked = ["/v1/payments?pageSize=2"];
  for (let page = 0; page < 2; page++) {
    const { json } = await first.get(walked.at(-1) as string, token);
    walked.push(`/v1/payments?pageSize=2&cursor=${json.nextCursor}`);
  }
  await first.get("/v1/payments?pageSize=2", token);
  // Without a certificate.
  const anonymous = sandbox.connect(undefined, "first");
  await anonymous.requestToken();
  await anonymous.send("/v1/nothing");
  await unused(sandbox);
});

/** A connection without a request. */
async function unused({ sandbox: { url, caPem }, admin }: TestSandbox): Promise<void> {
  const before = (await admin.get("/handshakes")).json.items.length;
  const raw = await openTls({ port: Number(new URL(url).port), ca: caPem });
  raw.socket.end();
  await eventually(async () => (await admin.get("/handshakes")).json.items.length > before || undefined);
}

async function journal(query = "", from = sandbox) {
  return (await from.admin.get(`/journal${query}`)).json as {
    run: string;
    total: number;
    counts: Record<string, number>;
    items: Item[];
    nextCursor?: string;
  };
}

const q = (query: string) => `?q=${encodeURIComponent(query)}`;

describe("GET /journal", () => {
  it("has exchanges and handshakes as one list, newest first, with counts", async () => {
    const { items, total, counts, run } = await journal();
    expect(items.map(({ key }) => key)).toEqual(["h1", "r9", "r8", "r7", "r6", "r5", "r4", "r3", "r2", "r1"]);
    expect(items.map(({ order }) => order)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(total).toBe(10);
    expect(counts).toEqual({ all: 10, success: 5, refused: 4, injected: 0, handshake: 1 });
    expect(run).toMatch(/^[0-9a-f]{16}$/);
    expect((await journal()).run).toBe(run);
  });

  it("counts over everything that matches, not over the page", async () => {
    const page = await journal(`${q("client:first outcome:refused")}&pageSize=1`);
    expect([page.items.map(({ key }) => key), page.total, page.nextCursor]).toEqual([["r8"], 3, "8"]);
    expect(page.counts).toEqual({ all: 8, success: 5, refused: 3, injected: 0, handshake: 0 });
  });

  it("leaves out everything before a given entry, also in the counts", async () => {
    const page = await journal("?after=7&q=outcome:refused");
    expect([page.items.map(({ key }) => key), page.total, page.counts["all"]]).toEqual([["r9", "r8"], 2, 3]);
  });

  it("has pages without gaps or duplicates", async () => {
    const all = (await journal()).items;
    const joined: Item[] = [];
    let page = await journal("?pageSize=3");
    joined.push(...page.items);
    while (page.nextCursor !== undefined) {
      page = await journal(`?pageSize=3&cursor=${page.nextCursor}`);
      joined.push(...page.items);
    }
    expect(joined).toEqual(all);
  });

  it("finds requests that only claimed to be a client", async () => {
    const { items } = await journal(q("client:first -conn:1"));
    expect(items).toMatchObject([{ key: "r8", client: null, claimedClient: "first", code: "INVALID_CLIENT" }]);
  });

  it("says which pages belong to one walk, and which requests to one token and connection", async () => {
    const { items } = await journal(q("list:payments status:200"));
    const [again, second, one] = items.map(({ walk }) => walk);
    expect(one).toMatch(/^[\w-]{12}$/);
    expect(second).toBe(one);
    expect(again).not.toBe(one);
    const { tokenId } = (await journal(q("op:token status:200"))).items[0] as Item;
    expect(items.map((item) => [item.tokenId, item.connectionId])).toEqual(Array(3).fill([tokenId, 1]));
    expect((await journal(q(`token:${tokenId}`))).total).toBe(7);
  });

  it.each([
    ["an unknown key", "statu:4xx", 'In the query: q, characters 1 to 9: There is no key "statu"'],
    ["a long text", "x".repeat(2000), "give a query of at most 1000 characters"],
  ])("refuses %s and says where", async (_name, query, message) => {
    for (const path of [
      "/journal",
      "/journal/overview",
      "/journal/stream",
      "/journal/export",
      "/requests",
      "/requests/stream",
    ]) {
      const { status, json } = await sandbox.admin.get(path + q(query));
      expect([status, json.code]).toEqual([400, "INVALID_REQUEST"]);
      expect(json.message).toContain(message);
    }
  });

  it.each(["?q=%FF%FE", "?q=%00", "?q=%F0%9F%98%80", "?q=*", "?q=%22%22", "?q=-"])("answers %s", async (query) => {
    expect((await sandbox.admin.get(`/journal${query}`)).status).toBe(200);
  });

  it("accepts the same query on the other routes", async () => {
    const count = async (query: string) => (await sandbox.admin.get(`/requests/count${query}`)).json.count;
    expect(await count(q("client:first status:4xx"))).toBe(3);
    expect(await count(`${q("client:first")}&status=4xx`)).toBe(2 + 1);
    expect(await count(q("kind:handshake"))).toBe(0);
    const { items } = (await sandbox.admin.get(`/requests${q("-outcome:success")}&pageSize=2`)).json;
    expect(items.map(({ id }: Item) => id)).toEqual(["9", "8"]);
  });
});

describe("GET /requests/{id}", () => {
  it("names the nearest successful exchange of the same kind: earlier, of the same walk or with the same target", async () => {
    const lastGood = async (id: number) => (await sandbox.admin.get(`/requests/${id}`)).json.lastGood;
    // The refused page, the refused ping, the token request that only claimed to be the client, and a request without
    // an operation.
    expect([await lastGood(4), await lastGood(3), await lastGood(8), await lastGood(9)]).toEqual(["5", "2", "1", null]);
    // A second page, another walk with the same target, and the only ping.
    expect([await lastGood(6), await lastGood(7), await lastGood(2)]).toEqual(["5", "5", null]);
  });
});

describe("a query that looks into requests and answers", () => {
  let own: TestSandbox;
  let token: string;

  beforeAll(async () => {
    own = await startShared();
    const client = await own.mint({ clientId: "shop" });
    token = await client.token();
    await client.get("/v1/ping", token, { "X-Shop": "Till 7" });
    await client.get("/v1/payments?pageSize=0", token);
    await client.get("/v1/payments?pageSize=50", token);
    await unused(own);
  });

  const keys = async (query: string) => (await journal(q(query), own)).items.map(({ key }) => key);

  it.each([
    ["header:x-shop", ["r2"]],
    ["header:X-SHOP=till*", ["r2"]],
    ['header:"x-shop=Till 7"', ["r2"]],
    ['header:"x-shop=Till*"', []],
    ["header:x-shop=till", []],
    ["header:content-type=application/json* -header:x-shop", ["r4", "r3", "r1"]],
    ["body:invalid_page_size", ["r3"]],
    ['body:"client_id=shop"', ["r1"]],
    // A page has random ids and a cursor, in which any two letters may be.
    ["op:ping body:status*ok", ["r2"]],
    ["took:>1m kind:request", []],
    ["took:<=1m", ["r4", "r3", "r2", "r1"]],
    ["size:>1kb", ["r4"]],
    ["size:<0.02kb", ["r2"]],
    ["-size:>10b", ["h1"]],
    ["http:1.1", ["r4", "r3", "r2", "r1"]],
    ["http:2", []],
  ])("%s finds %j", async (query, found) => {
    expect(await keys(query)).toEqual(found);
  });

  it("finds no secrets", async () => {
    expect(await keys(`header:authorization="Bearer ${token}"`)).toEqual([]);
    expect(await keys("header:authorization=*eyj*")).toEqual([]);
    expect(await keys(`body:"${token}"`)).toEqual([]);
  });

  it("sorts by duration or size, in pages, also the requests alone", async () => {
    expect(await keys("sort:size")).toEqual(["r4", "r1", "r3", "r2", "h1"]);
    expect(await keys("sort:time")).toEqual(await keys(""));
    expect(await keys("-sort:time")).toEqual((await keys("")).reverse());
    expect(await keys("-sort:size")).toEqual(["h1", "r2", "r3", "r1", "r4"]);
    const paths = await keys("sort:path kind:request");
    expect(await keys("-sort:path kind:request")).not.toEqual(paths);
    const first = await journal(`${q("sort:size kind:request")}&pageSize=3`, own);
    const rest = await journal(`${q("sort:size kind:request")}&pageSize=3&cursor=${first.nextCursor}`, own);
    expect([first, rest].map(({ items }) => items.map(({ key }) => key))).toEqual([["r4", "r1", "r3"], ["r2"]]);
    const { items } = (await own.admin.get(`/requests${q("sort:took")}`)).json;
    const durations = items.map(({ duration }: { duration: number }) => duration);
    expect(durations).toEqual([...durations].sort((one, other) => other - one));
  });

  it.each([
    ["took:100", "give a comparison such as >100ms"],
    ["size:>1", "give a comparison such as >1kb"],
    ["header:=x", "give a name such as x-correlation-id"],
    ["sort:name", "give one of time, took, size, status"],
  ])("%s is refused with an example", async (query, message) => {
    expect((await own.admin.get(`/journal${q(query)}`)).json.message).toContain(message);
  });
});

describe("GET /journal/missing", () => {
  it("names the entries that the journal does not have", async () => {
    const { json } = await sandbox.admin.get("/journal/missing?requests=1,999,2&handshakes=1,7");
    expect(json).toEqual({ requests: ["999"], handshakes: ["7"], clients: { 1: "first", 2: "first" } });
    expect((await sandbox.admin.get("/journal/missing?requests=x")).status).toBe(400);
  });
});

describe("GET /journal/overview", () => {
  it("covers what matches, from the oldest to the newest, at least a minute", async () => {
    const begin = Date.now();
    let now = begin;
    const own = await start({}, { machineClock: { now: () => now } });
    const client = await own.mint();
    await client.ping();
    now += 3_600_000;
    await client.get("/v1/pong");
    now += 3_600_000;
    const span = async (query: string) => {
      const { json } = await own.admin.get(`/journal/overview?span=matches&buckets=2${query}`);
      const [from, to] = [json.from, json.to].map((text) => Math.round((Date.parse(text) - begin) / 60_000) + 0);
      return [from, to, json.buckets.map(({ requests }: { requests: number }) => requests)];
    };
    // In minutes.
    expect(await span("")).toEqual([0, 60, [2, 2]]);
    expect((await span("&q=status:404")).slice(0, 2)).toEqual([59, 60]);
    expect((await span("&q=not-there-at-all")).slice(0, 2)).toEqual([115, 120]);
  });

  it("has the requests over time, the kinds of refusals with their queries, and the clients", async () => {
    const { json } = await sandbox.admin.get("/journal/overview?buckets=10");
    expect(json.buckets).toHaveLength(10);
    const sum = (name: string) => json.buckets.reduce((total: number, bucket: never) => total + bucket[name], 0);
    expect([sum("requests"), sum("failures"), sum("handshakes")]).toEqual([9, 4, 1]);
    expect(json.groups).toHaveLength(5);
    for (const group of json.groups) expect((await journal(q(group.q))).total).toBe(group.count);
    const facts = json.groups.map(({ newest: _, count: __, ...group }: { newest: string; count: number }) => group);
    expect(facts).toContainEqual({
      kind: "request",
      code: "INVALID_PAGE_SIZE",
      operation: "list",
      list: "payments",
      method: "GET",
      path: "/v1/payments",
      clients: ["first"],
      q: "outcome:refused code:INVALID_PAGE_SIZE op:list list:payments method:GET",
    });
    expect(facts).toContainEqual(expect.objectContaining({ kind: "handshake", code: "no-request", path: null }));
    expect(json.clients).toMatchObject([{ client: "first", requests: 8, refusals: 3 }]);
  });

  it("keeps query and range in the queries of its groups", async () => {
    const from = new Date(Date.now() - 3_600_000).toISOString();
    const { json } = await sandbox.admin.get(`/journal/overview${q("op:ping")}&from=${from}`);
    expect(json.groups.map((group: { q: string }) => group.q)).toEqual([
      `op:ping outcome:refused code:EXAMPLE_ERROR -list:* method:GET from:${from}`,
    ]);
    expect(json.from).toBe(from);
    const before = (await sandbox.admin.get(`/journal/overview?to=${from}`)).json;
    expect([before.groups, before.clients]).toEqual([[], []]);
    const first = (await sandbox.admin.get("/journal/overview?to=0000-01-01T00:00:00Z")).json;
    expect([first.from, first.to]).toEqual(["0000-01-01T00:00:00.000Z", "0000-01-01T00:00:00.000Z"]);
  });

  it("shows the beginning of a claimed name without secrets, and at most a thousand names", async () => {
    const own = await start();
    const client = own.connect();
    const token = `eyJhbGciOiJub25lIn0.${"p".repeat(40)}.${"s".repeat(40)}`;
    const claims = [`${"a".repeat(50)}${token}`, `${"b".repeat(60_000)}`, `${"%2541".repeat(2000)}${token}`, token];
    for (const claim of claims) await client.requestToken({ client_id: claim });
    const shown = async () =>
      (await own.admin.get("/journal/overview")).json.clients.map(({ client: name }: { client: string }) => name);
    expect(await shown()).toEqual([
      "[redacted]",
      "%2541".repeat(13).slice(0, 64),
      "b".repeat(64),
      `${"a".repeat(50)}[redacted]`,
    ]);
    const [newest] = own.sandbox.journal.requests.newestFirst();
    if (newest === undefined) throw new Error("Nothing was recorded.");
    for (let at = 0; at < 1100; at++) {
      const form = new Map([["client_id", [`name-${at}`]]]);
      own.sandbox.journal.requests.add(Object.create(newest.item, { form: { value: form } }));
    }
    expect((await shown()).length).toBe(100);
  });
});

describe("what the journal keeps", () => {
  it("includes refusals and handshakes up to their share, however many successes there are", async () => {
    const own = await start({ journal: { requests: 10, refusals: 3, bytes: 1e7, handshakes: 5 } });
    const client = await own.mint();
    const token = await client.token();
    for (let index = 0; index < 5; index++) await client.get(`/v1/nothing-${index}`, token);
    await unused(own);
    for (let index = 0; index < 30; index++) await client.get("/v1/ping", token);
    const { items, counts } = await journal("", own);
    expect(counts).toEqual({ all: 11, success: 7, refused: 3, injected: 0, handshake: 1 });
    expect(items.slice(-4).map(({ kind, target }) => target ?? kind)).toEqual([
      "handshake",
      "/v1/nothing-4",
      "/v1/nothing-3",
      "/v1/nothing-2",
    ]);
  });

  it("includes one entry for plain HTTP on the TLS port", async () => {
    const own = await start();
    const raw = await openTcp(Number(new URL(own.sandbox.url).port));
    const answer = await raw.sendAndClose("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(String(answer)).toContain("400 Bad Request");
    const { items } = await journal("", own);
    expect(items).toMatchObject([{ kind: "handshake", cause: "plain-http" }]);
  });

  it("can be removed by a query, including handshakes", async () => {
    const own = await start();
    await own.connect().send("/v1/nothing");
    await own.connect().send("/v1/ping");
    await unused(own);
    await own.admin.delete(`/requests${q("code:NOT_FOUND")}`);
    expect((await journal("", own)).items.map(({ key }) => key)).toEqual(["h1", "r2"]);
    await own.admin.delete(`/requests${q("kind:handshake")}&operation=ping`);
    expect((await journal("", own)).total).toBe(2);
    await own.admin.delete(`/requests${q("kind:handshake")}`);
    expect((await journal("", own)).items.map(({ key }) => key)).toEqual(["r2"]);
    await own.admin.delete("/requests");
    expect((await journal("", own)).total).toBe(0);
  });
});
