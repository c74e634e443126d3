import { networkInterfaces } from "node:os";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { adminRoutes } from "../../src/admin/routes/table.js";
import { openTls } from "../support/raw-client.js";
import { AdminClient } from "./admin-client.js";
import { EventReader } from "./event-reader.js";
import { type ApiClient, eventually, start, startShared, type TestSandbox } from "./fixture.js";

/**
 * Requests everything that can be read about one client and every exchange. The client looks for secrets in each
 * answer.
 */
async function readEverything({ admin }: TestSandbox, clientId: string): Promise<string> {
  const paths = adminRoutes
    .filter(({ method, path }) => method === "GET" && !path.endsWith("/stream") && path !== "/requests/{id}")
    .map(({ path }) => path.replace("{id}", clientId).replace("{name}", path.startsWith("/scen") ? "flaky" : "demo"));
  const { items } = (await admin.get("/requests?pageSize=1000")).json;
  const details = items.map(({ id }: { id: string }) => `/requests/${id}`);
  const texts = [];
  for (const path of [...paths, ...details]) texts.push((await admin.get(path)).text);
  return texts.join("\n");
}

describe("tokens and secrets", () => {
  let sandbox: TestSandbox;
  let client: ApiClient & { readonly minted: { readonly clientId: string } };
  let reader: EventReader;
  const lines = { text: "", json: "" };

  beforeAll(async () => {
    sandbox = await startShared();
    client = await sandbox.mint();
    reader = new EventReader(sandbox.admin.url, "/requests/stream");
    await eventually(() => reader.text.includes("retry") || undefined);
  });

  const ways: Readonly<Record<string, (token: string, client: ApiClient) => Promise<unknown>>> = {
    "as it should be": (token) => client.ping(token),
    "under another scheme": (token) => client.send("/v1/ping", { headers: { Authorization: `Token ${token}` } }),
    "without a scheme": (token) => client.send("/v1/ping", { headers: { Authorization: token } }),
    twice: (token) => client.send("/v1/ping", { headers: { Authorization: [`Bearer ${token}`, `Bearer ${token}`] } }),
    "in another header": (token) =>
      client.send("/v1/ping", { headers: { "X-Access-Token": token, Cookie: `t=${token}` } }),
    "in the query": (token) => client.send(`/v1/ping?access_token=${token}`),
    "in the query, encoded": (token) => client.send(`/v1/ping?%61ccess_token=${token}`),
    "in a parameter of another name": (token) => client.send(`/v1/payments?cursor=${token}&jwt=${token}`),
    "in the path": (token) => client.send(`/v1/${token}`),
    "cut short": (token) => client.send(`/v1/${token.slice(0, -90)}`),
    "in a form": (token) => client.requestToken({ client_id: token }),
    "in a form, as a name": (token) => client.requestToken({ [token]: "x", scope: token }),
    "as an assertion": (token) => client.requestToken({ client_assertion: token }),
    "as a correlation id": (token) => client.send("/v1/ping", { headers: { "X-Correlation-ID": token } }),
    "as a replay": (token) => client.send("/v1/ping", { headers: { "Sandbox-Replay": token } }),
    "as a scenario": (token) => client.send("/v1/ping", { headers: { "Sandbox-Scenario": token } }),
  };

  it("a token that was sent in any way is in no answer and no event", async () => {
    for (const send of Object.values(ways)) {
      const token = await client.token();
      sandbox.admin.secrets.add(token.slice(0, -90));
      sandbox.admin.secrets.add(token.split(".")[1] as string);
      await send(token, client);
    }
    await readEverything(sandbox, client.clientId);
    await eventually(
      async () => reader.events.length === (await sandbox.admin.get("/requests/count")).json.count || undefined,
    );
    for (const secret of sandbox.admin.secrets) expect(reader.text).not.toContain(secret);
    await sandbox.admin.delete("/requests");
    sandbox.admin.secrets.clear();
  });

  it.each(["text", "json"] as const)("no token is in the log as %s", { tags: "slow" }, async (logFormat) => {
    const log = (text: string) => {
      lines[logFormat] += text;
    };
    const own = await start({ log: "requests", logFormat }, { output: { log, warn: () => {} } });
    client = await own.mint();
    for (const send of Object.values(ways)) {
      const token = await client.token();
      await send(token, client);
      for (const secret of [token, token.slice(0, -90), token.split(".")[1] as string]) {
        expect(lines[logFormat]).not.toContain(secret);
      }
    }
    expect(lines[logFormat]).toContain("[redacted]");
  });

  it("passwords and private keys that were sent by mistake are not shown either", async () => {
    const { text: key } = await sandbox.admin.get("/clients/demo/key.pem");
    const inside = key.split("\n")[1] as string;
    client = await sandbox.mint();
    await client.requestToken({ client_secret: "s3cret-1", password: "s3cret-2", note: key });
    await client.send(`/v1/ping?client_secret=s3cret-3&key=${encodeURIComponent(key)}`);
    await client.send("/v1/ping", { headers: { Authorization: `Basic ${btoa("demo:s3cret-4")}` } });
    const { items } = (await sandbox.admin.get("/requests?pageSize=10")).json;
    expect(items).toHaveLength(3);
    for (const { id } of items) {
      const { text } = await sandbox.admin.get(`/requests/${id}`);
      for (const secret of ["s3cret", btoa("demo:s3cret-4"), inside]) expect(text).not.toContain(secret);
    }
  });
});

describe("what clients control", () => {
  const markup = `<script>alert(1)</script>"'\u2028`;

  it("is always reported as JSON", async () => {
    const sandbox = await start();
    const client = await sandbox.mint();
    await client.requestToken({ client_id: markup, [markup]: markup });
    await client.send(`/v1/payments?${encodeURIComponent(markup)}=${encodeURIComponent(markup)}`, {
      headers: { "X-Markup": "<b>", "User-Agent": "<img src=x onerror=alert(1)>" },
    });
    const { items } = (await sandbox.admin.get("/requests")).json;
    for (const { id } of items) {
      const { headers } = await sandbox.admin.get(`/requests/${id}`);
      expect(headers).toMatchObject({ "content-type": "application/json", "x-content-type-options": "nosniff" });
    }
    const { json } = await sandbox.admin.get(`/requests/${items[1].id}`);
    expect(json.request.form).toContainEqual({ name: markup, values: [markup] });
  });

  it("is kept unchanged, and data that is not HTTP causes no failure", async () => {
    const sandbox = await start();
    const raw = await openTls({ port: Number(new URL(sandbox.sandbox.url).port), ca: sandbox.sandbox.caPem });
    raw.send("GET /v1/ping HTTP/1.1\r\nHost: localhost\r\nX-Odd: \x9b31m\xff\xfe\r\n\r\n");
    await raw.waitFor("UNAUTHORIZED");
    raw.send("GET /v1/\x9b31m\xff HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await raw.closed;
    const { items } = (await sandbox.admin.get("/requests")).json;
    expect(items.map(({ code }: { code: string }) => code)).toEqual(["BAD_REQUEST", "UNAUTHORIZED"]);
    const { json } = await sandbox.admin.get(`/requests/${items[1].id}`);
    expect(json.request.headers).toContainEqual(["X-Odd", "\x9b31m\xff\xfe"]);
  });
});

describe("--admin-auth", () => {
  it("another address of this machine is answered as well, only under known names", async () => {
    const address = Object.values(networkInterfaces())
      .flat()
      .find((found) => found && found.family === "IPv4" && !found.internal)?.address;
    if (!address) return;
    const sandbox = await start({ adminHosts: ["0.0.0.0"], adminAuth: "none", hostnames: [address] });
    const { port } = new URL(sandbox.sandbox.adminUrl);
    const visitor = new AdminClient(`http://${address}:${port}`);
    onTestFinished(() => visitor.close());
    expect((await visitor.get("/clients")).status).toBe(200);
    expect((await visitor.get("/clients", { Host: "evil.example" })).json.code).toBe("HOST_NOT_ALLOWED");
    expect((await visitor.get("/clients", { Origin: "http://evil.example" })).json.code).toBe("ORIGIN_NOT_ALLOWED");
  });
});
