import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
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

describe("the keys of the certificates folder", () => {
  it("are not served: those of the CA and the server, and those that sign tokens and seal cursors", {
    tags: "slow",
  }, async () => {
    const folder = await mkdtemp(join(tmpdir(), "certs-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const sandbox = await start({ certs: folder, hostCerts: folder, keyType: "ec" });
    await sandbox.sandbox.identities;
    const files = (await readdir(folder)).filter((name) => name.endsWith(".key.pem") || name === "cursor.key");
    const keys = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
    expect(files).toEqual(expect.arrayContaining(["ca.key.pem", "token-signing.key.pem", "cursor.key"]));
    const serverKey = await readdir(join(folder, "server")).catch(() => []);
    for (const name of serverKey.filter((file) => file.includes("key")))
      keys.push(await readFile(join(folder, "server", name), "utf8"));
    for (const key of keys) {
      const body = key
        .replace(/-----.*-----/g, "")
        .trim()
        .split("\n");
      for (const line of body) sandbox.admin.secrets.add(line);
    }
    const client = await sandbox.mint();
    await client.ping();
    await readEverything(sandbox, client.clientId);
    const guesses = [
      "ca.key.pem",
      "certs/ca.key.pem",
      "..%2fca.key.pem",
      "%2e%2e/ca.key.pem",
      "../ca.key.pem",
      "cursor.key",
    ];
    for (const guess of guesses) {
      for (const base of ["/", "/clients/", "/clients/demo/", "/identities/demo/", "/scenarios/"]) {
        expect((await sandbox.admin.get(base + guess)).status).toBeGreaterThanOrEqual(400);
      }
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
  it("auto requires a token from every caller if the bind is not loopback", { tags: "slow" }, async () => {
    const sandbox = await start({ adminHosts: ["0.0.0.0"], adminAuth: "auto" });
    const token = sandbox.sandbox.adminToken?.value as string;
    expect(sandbox.sandbox.adminToken?.made).toBe(true);
    expect(token).toMatch(/^[\w-]{32}$/);
    const { port } = new URL(sandbox.sandbox.adminUrl);
    const addresses = ["127.0.0.1", "localhost"];
    for (const address of addresses) {
      const caller = new AdminClient(`http://${address}:${port}`);
      onTestFinished(() => caller.close());
      expect((await caller.get("/health")).status).toBeLessThan(504);
      for (const { method, path } of adminRoutes.filter((route) => route.path !== "/health")) {
        const { status, headers, json } = await caller.send(method, path.replaceAll(/[{}]/g, ""));
        expect([method, path, status, json.code]).toEqual([method, path, 401, "ADMIN_TOKEN_REQUIRED"]);
        expect(headers["www-authenticate"]).toBe('Bearer realm="admin"');
      }
    }
    expect((await sandbox.admin.get("/clients")).status).toBe(200);
    const env = await sandbox.admin.get("/clients/demo/client.env");
    expect(env.text).toContain('-H "Authorization: Bearer $SANDBOX_ADMIN_TOKEN"');
    expect(env.text).not.toContain(token);
    sandbox.admin.secrets.add(token);
    await readEverything(sandbox, "demo");
  });

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
