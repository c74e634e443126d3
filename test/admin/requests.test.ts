import { beforeAll, describe, expect, it } from "vitest";
import { errorFacts } from "../../src/sandbox/errors.js";
import { openTls } from "../support/raw-client.js";
import { type ApiClient, eventually, start, startShared, type TestSandbox } from "./fixture.js";

interface Item {
  readonly id: string;
  readonly client: string | null;
  readonly operation: string | null;
  readonly status: number;
  readonly code: string | null;
  readonly target: string;
}

let sandbox: TestSandbox;
let first: ApiClient;
let second: ApiClient;

beforeAll(async () => {
  sandbox = await startShared();
  [first, second] = await Promise.all([sandbox.mint({ clientId: "first" }), sandbox.mint({ clientId: "second" })]);
  const tokens = [await first.token(), await second.token()];
  await first.get("/v1/ping", tokens[0]);
  await first.get("/v1/ping?produceError=true", tokens[0]);
  await first.get("/v1/payments?pageSize=0", tokens[0]);
  await first.get("/v1/payouts", tokens[0]);
  await second.get("/v1/payments", tokens[1]);
  // The client of the token decides, on any connection.
  await second.get("/v1/ping", tokens[0]);
  await sandbox.connect().send("/v1/nothing");
});

async function found(query: string, path = "/requests"): Promise<Item[]> {
  return (await sandbox.admin.get(`${path}?${query}`)).json.items;
}

describe("GET /requests", () => {
  it("is newest first, and each item says who, what and why", async () => {
    const items = await found("");
    expect(items.map(({ client, operation, status, code }) => [client, operation, status, code])).toEqual([
      [null, null, 404, "NOT_FOUND"],
      ["first", "ping", 401, "UNAUTHORIZED"],
      ["second", "list", 200, null],
      ["first", "list", 200, null],
      ["first", "list", 400, "INVALID_PAGE_SIZE"],
      ["first", "ping", 400, "EXAMPLE_ERROR"],
      ["first", "ping", 200, null],
      ["second", "token", 200, null],
      ["first", "token", 200, null],
    ]);
    for (const item of items) expect((item as Item & { explanation: string }).explanation).not.toBe("");
  });

  const filters: readonly [query: string, expected: number][] = [
    ["client=first", 6],
    ["operation=list", 3],
    ["list=payouts", 1],
    ["status=400", 2],
    ["status=4xx", 4],
    ["code=EXAMPLE_ERROR", 1],
    ["client=first&operation=list&status=4xx&code=INVALID_PAGE_SIZE&list=payments", 1],
    ["since=1999-01-01T00:00:00Z", 9],
    ["since=2999-01-01T00:00:00%2B01:00", 0],
  ];

  it.each(filters)("?%s finds %i, and the count agrees", async (query, expected) => {
    expect(await found(query)).toHaveLength(expected);
    expect((await sandbox.admin.get(`/requests/count?${query}`)).json).toEqual({ count: expected });
  });

  it("has no next page if the last one is exactly full", async () => {
    const { json } = await sandbox.admin.get("/requests?client=second&pageSize=2");
    expect(json.items).toHaveLength(2);
    expect(json.nextCursor).toBeUndefined();
  });
});

describe("GET /requests while more arrive", () => {
  it("an exchange is in the journal as soon as its answer was received", { tags: "slow" }, async () => {
    const own = await start();
    const client = await own.mint();
    const token = await client.token();
    for (let index = 0; index < 100; index++) {
      const target = `/v1/ping?turn=${index}`;
      await client.get(target, token);
      const { items } = (await own.admin.get("/requests?pageSize=1")).json;
      expect(items[0].target).toBe(target);
    }
    expect((await own.admin.get(`/requests/count?client=${client.clientId}`)).json.count).toBe(101);
  });

  it("pages continue where they were", async () => {
    const own = await start();
    const client = await own.mint();
    const token = await client.token();
    const targets: string[] = [];
    const send = async (index: number) => {
      targets.unshift(`/v1/ping?turn=${index}`);
      await client.get(`/v1/ping?turn=${index}`, token);
    };
    for (let index = 0; index < 20; index++) await send(index);
    const expected = [...targets];
    const walked: string[] = [];
    let cursor: string | undefined;
    do {
      const { json } = await own.admin.get(`/requests?operation=ping&pageSize=3${cursor ? `&cursor=${cursor}` : ""}`);
      walked.push(...json.items.map(({ target }: Item) => target));
      cursor = json.nextCursor;
      await send(100 + walked.length);
    } while (cursor);
    expect(walked).toEqual(expected);
  });
});

describe("GET /requests/ID", () => {
  it("shows everything that is known about a refusal", async () => {
    const [item] = await found("code=INVALID_PAGE_SIZE");
    const { json } = await sandbox.admin.get(`/requests/${item?.id}`);
    expect(json).toMatchObject({
      client: "first",
      list: "payments",
      status: 400,
      basis: "§7",
      request: { line: "GET /v1/payments?pageSize=0 HTTP/1.1", form: null },
      registered: { client: "first" },
      token: { issuedTo: "first", scope: "read" },
      connection: { protocol: "TLSv1.3", cipher: expect.stringMatching(/^TLS_/), serverName: "localhost" },
    });
    expect(json.peer).toMatchObject({ chain: "trusted", chainReason: "", thumbprint: json.token.thumbprint });
    expect(json.peer.subject).toContain("CN=first");
    expect(json.decisions.map(({ step, outcome, basis }: Record<string, string>) => [step, outcome, basis])).toEqual([
      ["access-token", "passed", undefined],
      ["scope", "passed", undefined],
      ["correlation-id", "passed", undefined],
      ["parameters", "refused", "§7"],
    ]);
    expect(json.decisions.map(({ section }: { section: string }) => section)).toEqual([
      "4.1 rule 2",
      "5 point 7",
      "7 rule 3",
      "7",
    ]);
    expect(json.decisions[0].restsOn).toContain("bearer.invalid-token (§4.1 rule 2)");
    expect(JSON.parse(json.answer.body)).toMatchObject({ code: "INVALID_PAGE_SIZE" });
    expect(json.answer.length).toBe(json.answer.body.length);
    // Names have the case in which they were sent. Node's own Response makes it small.
    const sent = json.answer.headers.map(([name, value]: [string, string]) => [name.toLowerCase(), value]);
    expect(sent).toContainEqual(["content-type", "application/json"]);
  });

  it("shows the form of a token request, and steps that were not reached", async () => {
    await sandbox.connect().requestToken({ client_id: "first", client_secret: "hush" });
    const [item] = await found("operation=token&pageSize=1");
    const { json, text } = await sandbox.admin.get(`/requests/${item?.id}`);
    expect(json.request.form).toContainEqual({ name: "client_id", values: ["first"] });
    expect(json.request.form).toContainEqual({ name: "client_secret", values: ["[redacted]"] });
    expect(text).not.toContain("hush");
    expect(json.peer).toBeNull();
    expect(json.decisions.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      "passed",
      "refused",
      "not reached",
      "not reached",
      "not reached",
      "not reached",
    ]);
    expect(json.basis).toBe("token.invalid-request (§4.1)");
  });

  it("has the whole body of a long page, unchanged", async () => {
    const { text } = await first.get("/v1/payments?pageSize=100");
    const [item] = await found("list=payments&status=200&client=first&pageSize=1");
    const { json } = await sandbox.admin.get(`/requests/${item?.id}`);
    expect(text.length).toBeGreaterThan(10_000);
    expect(json.answer).toMatchObject({ body: text, length: text.length });
  });

  it("assigns malformed HTTP to its client", async () => {
    const { minted } = await sandbox.mint();
    const { port } = new URL(sandbox.sandbox.url);
    const raw = await openTls({
      port: Number(port),
      ca: sandbox.sandbox.caPem,
      cert: minted.certificate,
      key: minted.key,
    });
    await raw.sendAndClose("GET /v1/ping HTTP/1.1\r\nHost: localhost\r\nBad Header: x\r\n\r\n");
    const [item] = await found(`client=${minted.clientId}`);
    expect(item).toMatchObject({ status: 400, code: "BAD_REQUEST", operation: null });
    const { json } = await sandbox.admin.get(`/requests/${item?.id}`);
    expect(json.connection.protocol).toBe("TLSv1.3");
    expect(errorFacts("BAD_REQUEST").status).toBe(400);
  });

  it("is 404 once the entry was dropped for newer ones", async () => {
    const own = await start({ journal: { requests: 3, bytes: 1_000_000, handshakes: 2 } });
    const anonymous = own.connect();
    for (let index = 0; index < 5; index++) await anonymous.send("/v1/ping");
    const { items } = (await own.admin.get("/requests")).json;
    expect(items.map(({ id }: Item) => id)).toEqual(["5", "4", "3"]);
    expect((await own.admin.get("/requests/3")).status).toBe(200);
    const gone = await own.admin.get("/requests/2");
    expect([gone.status, gone.json]).toEqual([
      404,
      { code: "NOT_FOUND", message: "The exchange 2 is not (or no longer) in the journal." },
    ]);
    expect((await own.admin.get("/requests/0")).status).toBe(404);
    expect((await own.admin.get("/requests/6")).status).toBe(404);
    expect((await own.admin.get("/requests?cursor=2")).json).toEqual({ items: [] });
  });
});

describe("DELETE /requests", () => {
  it("removes everything that matches", async () => {
    const own = await start();
    const [one, two] = await Promise.all([own.mint(), own.mint()]);
    await one.ping();
    await two.ping();
    const count = async (query = "") => (await own.admin.get(`/requests/count${query}`)).json.count;
    await own.admin.delete(`/requests?client=${one.clientId}&operation=ping`);
    expect(await count()).toBe(3);
    await own.admin.delete(`/requests?client=${one.clientId}`);
    expect([await count(), await count(`?client=${two.clientId}`)]).toEqual([2, 2]);
    await own.admin.delete("/requests");
    expect(await count()).toBe(0);
    await two.ping();
    const { items } = (await own.admin.get("/requests")).json;
    expect(items.map(({ id }: Item) => id)).toEqual(["6", "5"]);
  });

  it("without a filter removes failed handshakes, too", async () => {
    const own = await start();
    const { port } = new URL(own.sandbox.url);
    const raw = await openTls({ port: Number(port), ca: own.sandbox.caPem });
    raw.socket.end();
    const handshakes = async () => (await own.admin.get("/handshakes")).json.items;
    await eventually(async () => (await handshakes()).length === 1 || undefined);
    await own.admin.delete("/requests?client=nobody");
    expect(await handshakes()).toHaveLength(1);
    await own.admin.delete("/requests");
    expect(await handshakes()).toEqual([]);
  });
});
