import { createRequire } from "node:module";
import { describe, expect, it, onTestFinished } from "vitest";
import type { GivenSettings } from "../../../src/sandbox/config/settings.js";
import { eventually } from "../../support/eventually.js";
import { openHttp2, sendOnStream } from "../../support/http2-session.js";
import { type OutsideClient, openScenarioSandbox, sharedSandbox } from "./sandbox.js";

// Connections that the sandbox ends although its last answer did not say so.

const sandbox = sharedSandbox();

async function clientUnder(name: string, rule: string): Promise<OutsideClient> {
  await sandbox().upload(name, `  - ${rule}`);
  return sandbox().clientUnder(name);
}

const lineOf = (head: string, name: string) => new RegExp(`^${name}: (.*)$`, "im").exec(head)?.[1];

async function entriesOf(client: OutsideClient) {
  const { items } = (await sandbox().admin("GET", `/requests?client=${client.id}`)) as { items: { id: number }[] };
  return Promise.all(
    items.toReversed().map(
      async ({ id }) =>
        (await sandbox().admin("GET", `/requests/${id}`)) as {
          status: number;
          delivered: boolean;
          fault: string | null;
          connection: { end: string | null };
        },
    ),
  );
}

describe("the settings keepAlive and keepAliveNotice", () => {
  async function headUnder(settings: GivenSettings) {
    const own = await openScenarioSandbox(settings);
    onTestFinished(() => own.close());
    const wire = await (await own.client()).wire("/v1/ping");
    return { wire, head: (await wire.answer()).head };
  }

  it("end an idle connection, and do not say so", async () => {
    const { wire, head } = await headUnder({ keepAlive: "200ms", keepAliveNotice: "off" });
    expect([lineOf(head, "connection"), lineOf(head, "keep-alive")]).toEqual(["keep-alive", undefined]);
    expect([await wire.end(), wire.closeNotify]).toEqual(["FIN", true]);
  });

  it("announce the time in whole seconds", async () => {
    const { wire, head } = await headUnder({ keepAlive: "1.5h" });
    expect(lineOf(head, "keep-alive")).toBe("timeout=5400");
    wire.giveUp();
  });
});

it("the setting maxStreams: how many requests a client may have open on a connection", async () => {
  const own = await openScenarioSandbox({ maxStreams: 7 });
  onTestFinished(() => own.close());
  const { ca, certificate, key, url } = (await own.client()).material;
  const { session } = await openHttp2(url, { ca, identity: { cert: certificate, key } });
  await eventually(() => session.remoteSettings.maxConcurrentStreams === 7);
  session.destroy();
});

describe("connection: closeAfterAnswer", () => {
  it("the whole answer as usual, then the end", async () => {
    const client = await clientUnder("close-after", "{ then: { connection: closeAfterAnswer } }");
    const wire = await client.wire("/v1/ping");
    expect([await wire.end(), wire.closeNotify, wire.body]).toEqual(["FIN", true, '{"status":"OK"}']);
    const head = wire.head ?? "";
    expect([lineOf(head, "connection"), lineOf(head, "keep-alive")]).toEqual(["keep-alive", "timeout=65"]);
    expect(lineOf(head, "sandbox-fault")).toMatch(/^close-after\//);
    expect((await entriesOf(client)).at(-1)).toMatchObject({
      status: 200,
      delivered: true,
      connection: { end: "server-closed" },
    });
  });

  it("once: the next connection stays open", async () => {
    const client = await clientUnder(
      "close-once",
      "{ when: { operation: ping }, limit: 1, then: { connection: closeAfterAnswer } }",
    );
    const first = await client.wire("/v1/ping");
    expect(await first.end()).toBe("FIN");
    const second = await client.wire("/v1/ping");
    for (let requests = 1; requests < 3; requests++) {
      await second.answer();
      second.send(`GET /v1/ping HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${await client.token()}\r\n\r\n`);
      await second.bytes(second.received.length + 1);
    }
    second.giveUp();
  });

  it("over HTTP/2: the whole answer, then the end without a GOAWAY", async () => {
    const client = await clientUnder("close-after-2", "{ then: { connection: closeAfterAnswer } }");
    const { ca, certificate, key, url } = client.material;
    const { session, socket } = await openHttp2(url, { ca, identity: { cert: certificate, key } });
    const goaways: number[] = [];
    session.on("goaway", (code) => goaways.push(code));
    const ended = new Promise((resolve) => socket.once("end", resolve));
    const headers = { Authorization: `Bearer ${await client.token()}` };
    expect((await sendOnStream(session, "/v1/ping", { headers })).status).toBe(200);
    await ended;
    expect(goaways).toEqual([]);
    expect((await entriesOf(client)).at(-1)).toMatchObject({ delivered: true, connection: { end: "server-closed" } });
  });
});

describe("connection: untilClose", () => {
  it.each(["", "alter: { chunked: true }, ", "respond: { status: 502, body: Bad }, "])(
    "the whole answer without its length, then the end: %s",
    async (besides) => {
      const client = await clientUnder("until-close", `{ then: { ${besides}connection: untilClose } }`);
      const wire = await client.wire("/v1/ping");
      const body = besides.startsWith("respond") ? "Bad" : '{"status":"OK"}';
      expect([await wire.end(), wire.closeNotify, wire.body]).toEqual(["FIN", true, body]);
      const head = wire.head ?? "";
      const framing = ["connection", "keep-alive", "content-length", "transfer-encoding"];
      expect(framing.map((name) => lineOf(head, name))).toEqual(["close", undefined, undefined, undefined]);
      expect((await client.get("/v1/ping")).text).toBe(body);
      expect((await entriesOf(client)).at(-1)).toMatchObject({
        status: besides.startsWith("respond") ? 502 : 200,
        delivered: true,
        answer: { length: body.length, sent: body.length },
        connection: { end: "server-closed" },
      });
    },
  );

  it("an answer without a body stays as it is, and the rule does not match over HTTP/2", async () => {
    const client = await clientUnder("until-close-2", "{ then: { respond: { status: 200 }, connection: untilClose } }");
    const { head } = await (await client.wire("/v1/ping")).answer();
    expect(lineOf(head, "connection")).toBe("keep-alive");
    const { ca, certificate, key, url } = client.material;
    const { session } = await openHttp2(url, { ca, identity: { cert: certificate, key } });
    const headers = { Authorization: `Bearer ${await client.token()}` };
    expect((await sendOnStream(session, "/v1/ping", { headers })).status).toBe(200);
    session.destroy();
  });
});

describe("connection: dead", () => {
  const rule =
    "{ name: gone, when: { operation: ping }, limit: 1, then: { connection: { kind: dead, duration: 1h } } }";
  const entry = {
    status: 0,
    delivered: false,
    fault: expect.stringMatching(/\/gone#1;/),
    connection: { end: "client-closed" },
  };

  it("the journal has what the client gave up, and further requests get a new connection", async () => {
    const client = await clientUnder("dead-1", rule);
    const wire = await client.wire("/v1/ping");
    expect((await client.get("/v1/payments")).status).toBe(200);
    wire.giveUp();
    await eventually(async () => (await entriesOf(client)).some(({ connection }) => connection.end !== null));
    const found = (await entriesOf(client)).filter(({ fault }) => fault !== null);
    expect(found).toMatchObject([entry]);
    expect((await client.get("/v1/ping")).status).toBe(200);
  });

  it("over HTTP/2: a PING and the requests of other streams wait until the client gives up", async () => {
    const client = await clientUnder("dead-2", rule);
    const { ca, certificate, key, url } = client.material;
    const { session } = await openHttp2(url, { ca, identity: { cert: certificate, key } });
    const headers = { Authorization: `Bearer ${await client.token()}` };
    const ping = () => new Promise<boolean>((resolve) => session.ping((error) => resolve(error === null)));
    expect((await sendOnStream(session, "/v1/payments", { headers })).status).toBe(200);
    expect(await ping()).toBe(true);
    const outcomeOf = (path: string) =>
      sendOnStream(session, path, { headers }).then(
        () => "answered",
        () => "lost",
      );
    const first = outcomeOf("/v1/ping");
    await eventually(async () => (await entriesOf(client)).some(({ fault }) => fault !== null));
    const [late, second] = [ping(), outcomeOf("/v1/payments")];
    // A request of another connection is served meanwhile.
    expect((await client.get("/v1/payments")).status).toBe(200);
    session.destroy();
    expect(await Promise.all([late, first, second])).toEqual([false, "lost", "lost"]);
    await eventually(async () =>
      (await entriesOf(client)).some(({ fault, connection }) => fault !== null && connection.end !== null),
    );
    expect((await entriesOf(client)).find(({ fault }) => fault !== null)).toMatchObject(entry);
  });
});

describe("reusedConnection", () => {
  it("holds for each request of a connection but the first", async () => {
    const client = await clientUnder("reused", "{ when: { reusedConnection: true }, then: { error: NOT_FOUND } }");
    await client.token();
    const wire = await client.wire("/v1/ping");
    expect((await wire.answer()).head).toContain(" 200 ");
    const fresh = await client.wire("/v1/ping");
    expect((await fresh.answer()).head).toContain(" 200 ");
    fresh.giveUp();
    const before = wire.received.length;
    wire.send(`GET /v1/ping HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${await client.token()}\r\n\r\n`);
    await wire.bytes(before + 12);
    expect(wire.received.slice(before)).toMatch(/^HTTP\/1\.1 404 /);
    wire.giveUp();
  });

  it("false: holds for the first only, over HTTP/2 as well", async () => {
    const client = await clientUnder("fresh", "{ when: { reusedConnection: false }, then: { error: NOT_FOUND } }");
    const { ca, certificate, key, url } = client.material;
    const { session } = await openHttp2(url, { ca, identity: { cert: certificate, key } });
    onTestFinished(() => session.destroy());
    const headers = { Authorization: `Bearer ${await client.token()}` };
    const statuses: number[] = [];
    for (let round = 0; round < 3; round++)
      statuses.push((await sendOnStream(session, "/v1/ping", { headers })).status);
    expect(statuses).toEqual([404, 200, 200]);
  });

  // The agent of Node reports it as "socket hang up".
  it("with a close: the error that clients of a pool know", async () => {
    const client = await clientUnder(
      "stale",
      "{ when: { operation: ping, reusedConnection: true }, limit: 1, then: { connection: close } }",
    );
    // The connection has carried the request for the token.
    await expect(client.get("/v1/ping")).rejects.toMatchObject({ code: "ECONNRESET", message: "socket hang up" });
    expect((await client.get("/v1/ping")).status).toBe(200);
    expect((await client.get("/v1/ping")).status).toBe(200);
  });

  it("undici reports it, too", async (context) => {
    const undici = (() => {
      try {
        return createRequire(import.meta.url)("undici");
      } catch {
        return context.skip("undici is missing");
      }
    })();
    const client = await clientUnder(
      "stale-undici",
      "{ when: { operation: ping, reusedConnection: true }, limit: 1, then: { connection: reset } }",
    );
    const { ca, certificate, key, url } = client.material;
    const dispatcher = new undici.Agent({ connections: 1, connect: { ca, cert: certificate, key } });
    onTestFinished(() => dispatcher.destroy());
    const headers = { authorization: `Bearer ${await client.token()}` };
    const ping = async () => {
      const { statusCode, body } = await undici.request(`${url}/v1/ping`, { dispatcher, headers, retry: false });
      await body.text();
      return statusCode;
    };
    expect(await ping()).toBe(200);
    // undici repeats nothing of its own accord.
    await expect(ping()).rejects.toMatchObject({ code: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/) });
    expect(await ping()).toBe(200);
  });
});
