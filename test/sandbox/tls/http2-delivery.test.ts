import { describe, expect, test } from "vitest";
import { wireAnswer } from "../../../src/sandbox/connection/wire-answer.js";
import type { Fetch } from "../../../src/sandbox/tls/adapter.js";
import { eventually } from "../../support/eventually.js";
import { Http2Client } from "../../support/http2-client.js";
import { frame, headers, preface, requestFields, settingIds, settings, uint32 } from "../../support/http2-frames.js";
import { certificates, plain, startServer } from "./fixture.js";
import { underFault } from "./under-fault.js";

type Env = Parameters<Fetch>[1];

const cancel = 8;
const answer = { status: 200, headers: { "Content-Type": "text/plain" }, body: Buffer.from("0123456789") };

/** A client, and the report on each answer: the stream, and whether the whole answer was passed to the network. */
async function tracked(
  fetch: (env: Env) => Response | Promise<Response>,
  options: Parameters<typeof startServer>[0] = {},
  first?: Buffer,
) {
  const reported: (readonly [stream: number | undefined, delivered: boolean])[] = [];
  const server = await startServer({
    ...options,
    fetch(_request, env) {
      env.track({ closed: (delivered) => void reported.push([env.stream, delivered]) });
      return fetch(env);
    },
  });
  const { port } = server;
  const client = await Http2Client.open({ port, ca: certificates.ca.cert, ...certificates.client }, first);
  return { server, client, reported };
}

/** An answer after the request has been read to its end. */
async function lately({ incoming }: Env): Promise<Response> {
  incoming.resume();
  await new Promise((resolve) => setTimeout(resolve, 5));
  return plain("fine");
}

describe("an answer that was sent completely is reported as delivered", () => {
  test.each([
    { name: "at once", late: false, method: "GET" },
    { name: "late", late: true, method: "GET" },
    { name: "late, without a body", late: true, method: "HEAD" },
  ])("$name", async ({ late, method }) => {
    const { client, reported } = await tracked((env) => (late ? lately(env) : plain("fine")));
    client.send(headers(1, requestFields(method, "/")));
    expect((await client.over(1)).status).toBe(200);
    await eventually(() => reported.length > 0);
    expect(reported).toEqual([[1, true]]);
  });

  test("immediately, although the rest of the request is still awaited", async () => {
    const { client, reported } = await tracked(() => plain("early"), { limits: { drainTimeoutMs: 600_000 } });
    client.send(headers(1, requestFields("POST", "/"), false), frame("DATA", 0, 1, "part"));
    expect((await client.over(1)).status).toBe(200);
    await eventually(() => reported.length > 0);
    client.send(frame("RST_STREAM", 0, 1, uint32(cancel)));
    expect(await client.isAlive()).toBe(true);
    expect(reported).toEqual([[1, true]]);
  });

  test("to a HEAD whose body is still awaited", async () => {
    const { client, reported } = await tracked(() => plain(null), { limits: { drainTimeoutMs: 600_000 } });
    client.send(headers(1, requestFields("HEAD", "/"), false));
    expect((await client.over(1)).status).toBe(200);
    await eventually(() => reported.length > 0);
    expect(reported).toEqual([[1, true]]);
  });

  test.each([
    ["GET", 204],
    ["HEAD", 200],
  ])("to %s with %i and no body, although a fault waits after its head", async (method, status) => {
    const { client, reported } = await tracked(async (env) => {
      const wire = env.wire();
      const answer = wireAnswer(method, { status, headers: {}, body: Buffer.from("body") });
      wire.writeHead(answer);
      await wire.clientGone(20);
      await wire.write(answer.body);
      wire.end();
      return wire.alreadySent;
    });
    client.send(headers(1, requestFields(method, "/")));
    expect(await client.over(1)).toMatchObject({ status, ended: true, reset: undefined });
    await eventually(() => reported.length > 0);
    expect(reported).toEqual([[1, true]]);
  });
});

test.each(["GET", "HEAD"])("a fault and the application notice that a client resets its %s", async (method) => {
  const gone: string[] = [];
  const server = await startServer({
    fetch({ signal }, env) {
      signal.addEventListener("abort", () => gone.push("application"));
      return underFault(env, { connection: { kind: "hang", duration: "60s" } }).finally(() => gone.push("fault"));
    },
  });
  const client = await Http2Client.open({ port: server.port, ca: certificates.ca.cert, ...certificates.client });
  client.send(headers(1, requestFields(method, "/")));
  await eventually(() => server.requests.length > 0);
  client.send(frame("RST_STREAM", 0, 1, uint32(cancel)));
  await eventually(() => gone.length > 1);
  expect(gone.toSorted()).toEqual(["application", "fault"]);
  client.destroy();
});

describe("an answer that the client did not wait for is reported as not delivered", () => {
  test.each([
    {
      name: "the stream is reset",
      go: (client: Http2Client) => client.send(frame("RST_STREAM", 0, 1, uint32(cancel))),
    },
    { name: "the connection is gone", go: (client: Http2Client) => client.destroy() },
  ])("$name", async ({ go }) => {
    const { client, reported } = await tracked((env) =>
      underFault(env, { connection: { kind: "drip", duration: "60s" } }, answer),
    );
    client.get(1, "/");
    await eventually(() => client.received.stream(1).status === 200);
    go(client);
    await eventually(() => reported.length > 0);
    expect(reported).toEqual([[1, false]]);
  });
});

/** A client that accepts no byte of a body. */
const noWindow = Buffer.concat([preface, settings([[settingIds.INITIAL_WINDOW_SIZE, 0]])]);

test.each(["GET", "POST"])(
  "an answer to %s that waits for a window is reported as not delivered if the client resets the stream without an error",
  async (method) => {
    const limits = { checkingIntervalMs: 10, drainTimeoutMs: 30 };
    const { client, server, reported } = await tracked(() => plain("waits"), { limits }, noWindow);
    client.send(headers(1, requestFields(method, "/"), method === "GET"));
    await eventually(() => client.received.stream(1).status === 200);
    client.send(frame("RST_STREAM", 0, 1, uint32(0)));
    await eventually(() => reported.length > 0 && !server.isBusy());
    expect(reported).toEqual([[1, false]]);
  },
);

test("an answer that waits for a window for too long is reported as not delivered, and only its stream ends", async () => {
  const { client, reported } = await tracked(() => plain("waits"), { limits: { inactivityTimeoutMs: 100 } }, noWindow);
  client.get(1, "/");
  expect((await client.over(1)).reset).toBe("CANCEL");
  await eventually(() => reported.length > 0);
  expect(reported).toEqual([[1, false]]);
  expect(await client.isAlive()).toBe(true);
});

test("a client that reads nothing is disconnected, and its answer is reported as not delivered", async () => {
  const limits = { checkingIntervalMs: 10, drainTimeoutMs: 30 };
  // Windows of HTTP/2 that are large enough, so that only TCP holds the answer up.
  const wide = [
    settings([[settingIds.INITIAL_WINDOW_SIZE, 2 ** 31 - 1]]),
    frame("WINDOW_UPDATE", 0, 0, uint32(2 ** 30)),
  ];
  const long = plain("x".repeat(32 * 1024 * 1024));
  const { client, server, reported } = await tracked(() => long, { limits }, Buffer.concat([preface, ...wide]));
  client.connection.socket.pause();
  client.get(1, "/");
  await eventually(() => reported.length > 0 && !server.isBusy());
  expect(reported).toEqual([[1, false]]);
  await eventually(() => server.requests[0]?.connection.rawSocket.destroyed === true);
});

test("GOAWAY does not refuse a stream that has its answer", async () => {
  let end = (): void => {};
  const answered = new Promise<void>((resolve) => {
    end = resolve;
  });
  const { client } = await tracked(
    async (env) => {
      if (env.stream !== 1) return plain("answered");
      await answered;
      return underFault(env, { connection: { kind: "goaway", code: "NO_ERROR", lastStream: "before" } });
    },
    { limits: { drainTimeoutMs: 50 } },
  );
  client.get(1, "/");
  client.send(headers(3, requestFields("POST", "/"), false));
  await eventually(() => client.received.stream(3).status === 200);
  end();
  await eventually(() => client.isClosed);
  expect([client.received.stream(1).reset, client.received.stream(3).reset]).toEqual(["REFUSED_STREAM", "NO_ERROR"]);
});

describe("a request whose body is still open is not reported as a problem after a fault", () => {
  test.each<[string, (env: Env) => Promise<Response>]>([
    ["of its stream", (env) => underFault(env, { stream: "refused" })],
    [
      "of the connection that leaves it out",
      (env) => underFault(env, { connection: { kind: "goaway", code: "NO_ERROR", lastStream: "before" } }),
    ],
    ["of the connection that ends it", (env) => underFault(env, { connection: "close" })],
  ])("%s", async (_name, fault) => {
    const { client, server, reported } = await tracked(fault);
    client.send(headers(1, requestFields("POST", "/"), false));
    await eventually(() => client.received.stream(1).reset !== undefined || client.isClosed);
    await eventually(() => !server.isBusy());
    expect([reported, server.problems]).toEqual([[[1, false]], []]);
  });
});

test("requests of the same read do not count as later than a refused stream among them", async () => {
  const passages: { readonly arrivedAt: number; readonly releasedAt: number }[] = [];
  const { client } = await tracked((env) => {
    env.track({
      closed: (_delivered, passage) => {
        if (passage) passages.push({ arrivedAt: passage.arrivedAt, releasedAt: passage.releasedAt });
      },
    });
    return underFault(env, { stream: "refused" });
  });
  const fields = requestFields("GET", "/");
  client.send(...[1, 3, 5].map((stream) => headers(stream, fields)));
  await eventually(() => passages.length === 3);
  const released = Math.min(...passages.map(({ releasedAt }) => releasedAt));
  expect(passages.every(({ arrivedAt }) => arrivedAt <= released)).toBe(true);
});
