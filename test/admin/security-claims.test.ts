import { beforeAll, describe, expect, it } from "vitest";
import { openTcp, openTls, startTls } from "../support/raw-client.js";
import { AdminClient } from "./admin-client.js";
import { EventReader } from "./event-reader.js";
import { type ApiClient, eventually, startShared, type TestSandbox } from "./fixture.js";

// What docs/security.md says about secrets, from outside: everything is sent over a real connection, and everything
// that the sandbox shows is read. `test/journal/redact.test.ts` has the single functions, `other-sites.test.ts` what
// browsers could do, `secrets.test.ts` tokens and keys, `guard.test.ts` names and tokens of the admin API,
// `documentation/security.test.ts` the other sentences.

/** Begins every secret that is sent. No answer and no log line may contain it. */
const hush = "hunter2-";

let sandbox: TestSandbox;
let client: ApiClient;
let streams: readonly EventReader[];
const logs = { text: "", json: "" };
const clients: Record<string, ApiClient> = {};
const sandboxes: TestSandbox[] = [];

beforeAll(async () => {
  for (const logFormat of ["json", "text"] as const) {
    const log = (text: string) => {
      logs[logFormat] += text;
    };
    const one = await startShared({ log: "requests", logFormat }, { output: { log, warn: log } });
    await one.sandbox.identities;
    sandboxes.push(one);
    clients[logFormat] = await one.standing("demo");
  }
  sandbox = sandboxes[1] as TestSandbox;
  client = clients["text"] as ApiClient;
  streams = ["/requests/stream", "/journal/stream"].map((path) => new EventReader(sandbox.admin.url, path));
  await eventually(() => streams.every(({ text }) => text.includes("retry")) || undefined);
});

/**
 * Everything that the sandbox shows of what it received, besides its streams: those must have arrived, and are checked
 * here.
 */
async function everything(): Promise<string> {
  const admin = new AdminClient(sandbox.sandbox.adminUrl);
  const { items } = (await admin.get("/requests?pageSize=1000")).json;
  const newest = `"id":"${items[0]?.id}"`;
  await eventually(() => streams.every(({ text }) => items.length === 0 || text.includes(newest)) || undefined);
  for (const { text } of streams) for (const secret of [hush, inJwt]) expect(text).not.toContain(secret);
  const paths = [
    "/requests?pageSize=1000",
    "/journal?pageSize=1000",
    "/journal/overview",
    "/journal/export",
    "/journal/export?format=ndjson",
    "/handshakes",
    "/report?client=demo",
    "/metrics",
    ...items.map(({ id }: { id: string }) => `/requests/${id}`),
  ];
  const texts = await Promise.all(paths.map(async (path) => (await admin.get(path)).text));
  admin.close();
  const page = await (await fetch(`${sandbox.sandbox.adminUrl}/`)).text();
  return [...texts, page].join("\n");
}

const long = hush.padEnd(40, "x");
const jwt = `eyJhbGciOiJFUzI1NiJ9.${Buffer.from(`{"sub":"${hush}"}`).toString("base64url")}.c2lnbmF0dXJl`;
const inJwt = jwt.split(".")[1] as string;
const form = { "Content-Type": "application/x-www-form-urlencoded" };
const post =
  (body: string, headers: Record<string, string> = form) =>
  (to: ApiClient) =>
    to.send("/oauth/v2/oauth-token", { method: "POST", headers, body });
const ping =
  (query: string, headers: Record<string, string> = {}) =>
  (to: ApiClient) =>
    to.send(`/v1/ping${query}`, { headers });

const names = [
  "api_key",
  "clientSecret",
  "CLIENT-SECRET",
  "secret",
  "Passphrase",
  "private_key",
  "token",
  "id_token",
  "assertion",
  "code",
  "pin",
  "db_password",
  "user[password]",
];
const headerNames = [
  "X-Api-Key",
  "x-client-secret",
  "X-Auth-Token",
  "DPoP",
  "Cookie",
  "X-Anything-Secret",
  "X-Other-Key",
];

const ways: readonly (readonly [string, (to: ApiClient) => Promise<unknown>])[] = [
  ...names.map((name) => [`the field ${name}`, post(`grant_type=x&${name}=${hush}1&${name}=${hush}2`)] as const),
  ...names.map((name) => [`the parameter ${name}`, ping(`?x=1&${name}=${hush}1&${name}=${hush}2`)] as const),
  ...headerNames.map((name) => [`the header ${name}`, ping("", { [name]: `${hush}1` })] as const),
  ["an encoded name", post(`client%5Fsecret=${hush}1&client%5fSECRET=${hush}2`)],
  ["an encoded name in a query", ping(`?api%5Fkey=${hush}1&%70in=${hush}2`)],
  ["a name that is encoded wrongly", post(`client_secret%zz=${hush}1&grant_type=x`)],
  ["a name in a query that is encoded wrongly", ping(`?client_secret%zz=${hush}1`)],
  ["semicolons", post(`client_id=demo;client_secret=${hush}1;x=1`)],
  [
    "JSON in place of a form",
    post(`{"client_secret":"${hush}1","a":{"code":"${hush}2&${hush}3=","pin":["${hush}4"]}}`),
  ],
  ["JSON that is cut off", post(`{"a":1,"clientSecret" : "${hush}1`)],
  ["JSON in a field", post(`request=${encodeURIComponent(JSON.stringify({ password: `${hush}1` }))}`)],
  [
    "a parameter of a header",
    post("grant_type=x", { "Content-Type": `multipart/form-data; boundary=b; token=${hush}1` }),
  ],
  ["Basic", post("grant_type=x", { ...form, Authorization: `Basic ${hush}1` })],
  ["Digest, which has several parts", ping("", { Authorization: `Digest username="a", response="${hush}1"` })],
  ["an unknown scheme", ping("", { Authorization: `Hobby ${hush}1, ${hush}2` })],
  ["credentials for a proxy", ping("", { "Proxy-Authorization": `Basic ${hush}1` })],
  ["a URL in a header", ping("", { Referer: `https://user:${hush}1@a.test/cb?code=${hush}2&x=1` })],
  ["a URL with a token as the user", ping("", { Origin: `https://${hush}1@a.test` })],
  ["a URL in a parameter", ping(`?next=${encodeURIComponent(`https://u:${hush}1@a.test/?api_key=${hush}2`)}`)],
  ["a URL in a field", post(`uri=${encodeURIComponent(`https://u:${hush}1@a.test/?pin=${hush}2`)}`)],
  ["a JWT as a correlation ID", ping("", { "X-Correlation-ID": jwt })],
  ["a JWT as a scenario", ping("", { "Sandbox-Scenario": jwt })],
  ["a JWT as a client", post(`grant_type=client_credentials&client_id=${jwt}&scope=read`)],
];

describe("secrets that clients send", () => {
  it("in each place of a request", { tags: "slow" }, async () => {
    for (const [how, send] of ways) {
      for (const to of Object.values(clients)) await send(to);
      const { items } = (await sandbox.admin.get("/requests?pageSize=1")).json;
      const { text } = await sandbox.admin.get(`/requests/${items[0].id}`);
      expect(text, how).toContain("[redacted]");
      for (const secret of [hush, inJwt]) expect(text, how).not.toContain(secret);
    }
    const shown = await everything();
    for (const text of [shown, ...Object.values(logs)])
      for (const secret of [hush, inJwt]) expect(text).not.toContain(secret);
    await sandbox.admin.delete("/requests");
  });

  it("in an absolute target, in Host, and in what is not valid HTTP", async () => {
    const port = Number(new URL(sandbox.sandbox.url).port);
    for (const head of [
      `GET https://u:${hush}1@localhost/v1/ping?pin=${hush}2 HTTP/1.1\r\nHost: localhost`,
      `GET /v1/ping HTTP/1.1\r\nHost: u:${hush}1@localhost`,
      `CONNECT u:${hush}1@localhost:443 HTTP/1.1\r\nHost: localhost`,
      `BREW /v1/ping?secret=${hush}1 HTTP/1.1\r\nHost: localhost`,
      `GET /v1/ping?secret=${hush}1 HTTP/9.9\r\nHost: localhost`,
    ]) {
      const raw = await openTls({ port, ca: sandbox.sandbox.caPem });
      raw.send(`${head}\r\nConnection: close\r\n\r\n`);
      raw.socket.end();
      await raw.closed;
    }
    expect((await sandbox.admin.get("/requests")).json.items.length).toBeGreaterThanOrEqual(4);
    expect(await everything()).not.toContain(hush);
    expect(logs.text).not.toContain(hush);
    await sandbox.admin.delete("/requests");
  });

  it("in the name of the server of a handshake", async () => {
    const port = Number(new URL(sandbox.sandbox.url).port);
    const raw = startTls({ port, ca: sandbox.sandbox.caPem, servername: jwt });
    await raw.closed;
    await eventually(async () => (await sandbox.admin.get("/handshakes")).json.items.length > 0 || undefined);
    const shown = await everything();
    expect(shown).toContain("[redacted]");
    expect(shown).not.toContain(inJwt);
    for (const log of Object.values(logs)) expect(log).not.toContain(inJwt);
  });

  it("in a body that is not a form, which is not kept", async () => {
    for (const to of Object.values(clients))
      await post(`{"client_secret":"${hush}1"}`, { "Content-Type": "application/json" })(to);
    const shown = await everything();
    expect(shown).toContain("application/json");
    expect(shown).not.toContain(hush);
    for (const log of Object.values(logs)) expect(log).not.toContain(hush);
    await sandbox.admin.delete("/requests");
  });

  it("in answers that a scenario gives, where the error code stays", async () => {
    const body = {
      code: "MY_CODE",
      client_secret: `${hush}1`,
      nested: [{ "refresh-token": `${hush}2`, pin: 1234567 }],
    };
    const yaml = [
      "description: Secrets.",
      "rules:",
      "  - name: a",
      "    then:",
      "      respond:",
      "        status: 400",
      `        headers: { Location: "https://u:${hush}3@a.test/?code=${hush}4", X-Session-Token: ${hush}5 }`,
      `        body: ${JSON.stringify(body)}`,
    ];
    expect((await sandbox.admin.putYaml("/scenarios/secrets", yaml.join("\n"))).status).toBe(200);
    const answer = await client.get("/v1/ping", undefined, { "Sandbox-Scenario": "secrets" });
    // The client gets what the scenario says.
    expect(answer.json).toEqual(body);
    const shown = await everything();
    expect(shown).not.toContain(hush);
    expect(shown).not.toContain("1234567");
    const { json } = await sandbox.admin.get("/requests?pageSize=1");
    const { answer: kept } = (await sandbox.admin.get(`/requests/${json.items[0].id}`)).json;
    expect(JSON.parse(kept.body)).toEqual({
      code: "MY_CODE",
      client_secret: "[redacted]",
      nested: [{ "refresh-token": "[redacted]", pin: "[redacted]" }],
    });
    await sandbox.admin.delete("/requests");
  });

  it("are seen by the service itself, and are sent again when a request is repeated", async () => {
    const wrong = await post(`grant_type=client_credentials&client_id=demo&scope=read&client_secret=${hush}1`)(client);
    expect([wrong.status, wrong.json.code]).toEqual([400, "INVALID_REQUEST"]);
    const [{ id }] = (await sandbox.admin.get("/requests?pageSize=1")).json.items;
    const again = (await sandbox.admin.post(`/requests/${id}/repeat`, {})).json;
    expect(again.status).toBe(400);
    const { json } = await sandbox.admin.get(`/requests/${again.id}`);
    expect(json.request.form).toContainEqual({ name: "client_secret", values: ["[redacted]"] });
    expect(json.explanation).toContain("client_secret");
  });

  it("are not found by a search, by which one could guess them", async () => {
    await ping(`?pin=${hush}1`)(client);
    for (const q of [hush, `"${hush}1"`, `*${hush}*`]) {
      const { json } = await sandbox.admin.get(`/requests/count?q=${encodeURIComponent(q)}`);
      expect(json.count).toBe(0);
    }
  });

  it("are not quoted by the errors of the admin API", async () => {
    const json = { "Content-Type": "application/json" };
    for (const body of [`{"secret":"${long}"`, `{"a":1,"password":"${hush}1" "b":2}`, `secret=${hush}1`]) {
      const { status, json: answer } = await sandbox.admin.send("POST", "/clients", { headers: json, body });
      expect(status).toBe(400);
      expect(answer.message).toMatch(/^The body is not JSON: /);
      expect(answer.message).not.toContain(hush.slice(0, 4));
    }
  });
});

describe("what is no secret", () => {
  it("stays: cursors, filters, business headers, and the headers of the sandbox", async () => {
    const token = await client.token();
    const page = await client.get("/v1/payments?pageSize=1", token);
    const { nextLink, nextCursor } = page.json;
    const cursor = nextCursor ?? new URL(nextLink, sandbox.sandbox.url).searchParams.get("cursor");
    await client.get(`/v1/payments?pageSize=1&cursor=${cursor}`, token, {
      "Idempotency-Key": "order-17",
      "Sandbox-Scenario": "none",
      "X-Monkey": "banana",
    });
    const [{ id, target }] = (await sandbox.admin.get("/requests?pageSize=1")).json.items;
    expect(target).toBe(`/v1/payments?pageSize=1&cursor=${cursor}`);
    const { request } = (await sandbox.admin.get(`/requests/${id}`)).json;
    expect(request.headers).toEqual(
      expect.arrayContaining([
        ["Authorization", "Bearer [redacted]"],
        ["Idempotency-Key", "order-17"],
        ["X-Monkey", "banana"],
      ]),
    );
  });
});

// Only Linux has the other addresses of 127.0.0.0/8. A port that is bound to every address answers there.
it.runIf(process.platform === "linux")(
  "both ports are bound to 127.0.0.1 by default, and to nothing else",
  async () => {
    for (const url of [sandbox.sandbox.url, sandbox.sandbox.adminUrl]) {
      const port = Number(new URL(url).port);
      const open = await openTcp(port, "127.0.0.1");
      open.socket.destroy();
      await expect(openTcp(port, "127.0.0.2")).rejects.toMatchObject({ code: "ECONNREFUSED" });
    }
  },
);

it("`GET /health` answers to any name and any page, and contains no secret", async () => {
  const { status, text } = await sandbox.admin.get("/health", {
    Host: "attacker.test",
    Origin: "https://attacker.test",
  });
  expect(status).toBe(200);
  expect(text).not.toMatch(/PRIVATE|eyJ|token/i);
});

it("the API gives a client without a certificate only answers with an error", async () => {
  const nobody = sandbox.connect();
  const good = "grant_type=client_credentials&client_id=demo&scope=read";
  const answers = [
    await post(good)(nobody),
    await nobody.get("/v1/ping", await client.token()),
    await nobody.get("/v1/payments", await client.token()),
  ];
  expect(answers.map(({ status }) => status)).toEqual([400, 401, 401]);
});
