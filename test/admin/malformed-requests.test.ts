import { expect, it } from "vitest";
import type { AdminApp } from "../../src/admin/app.js";
import { startAdminServer } from "../../src/admin/server.js";
import { afterTest } from "../support/cleanups.js";
import { openTcp, parseResponses } from "../support/raw-client.js";
import { eventually, startShared } from "./fixture.js";

it.each([
  ["no Host", "GET /health HTTP/1.1\r\n\r\n", 400],
  ["data that is not HTTP", "GARBAGE\r\n\r\n", 400],
  ["a broken header", "GET /health HTTP/1.1\r\nHost: localhost\r\nA B: c\r\n\r\n", 400],
  ["an expectation that is not known", "GET /health HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\n\r\n", 417],
  ["CONNECT", "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n", 400],
  ["a body that breaks", "PUT /clock HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400],
  ["headers that are too large", `GET /health HTTP/1.1\r\nHost: localhost\r\nA: ${"x".repeat(20_000)}\r\n\r\n`, 431],
])("%s is answered with the error object", async (_name, request, status) => {
  const sandbox = await startShared();
  const client = await openTcp(Number(new URL(sandbox.sandbox.adminUrl).port));
  client.send(request);
  await client.waitFor(/\}$/);
  client.socket.end();
  await client.closed;
  const [answer] = parseResponses(client.received);
  expect(answer?.status).toBe(status);
  expect(client.received).toMatch(/\r\nDate: [^\r]+ GMT\r\n/);
  expect(JSON.parse(answer?.body ?? "")).toEqual({ message: expect.any(String), code: expect.any(String) });
  await sandbox.sandbox.identities;
  expect((await sandbox.admin.get("/health")).status).toBe(200);
});

it.each([
  ["a broken header", "A B: c\r\n\r\n"],
  ["a body that breaks", "Transfer-Encoding: chunked\r\n\r\nzz\r\n"],
])("%s of HEAD is answered without a body", async (_name, rest) => {
  const { sandbox } = await startShared();
  const client = await openTcp(Number(new URL(sandbox.adminUrl).port));
  client.send(`HEAD /ca.pem HTTP/1.1\r\nHost: localhost\r\n${rest}`);
  await client.waitFor("\r\n\r\n");
  client.socket.end();
  await client.closed;
  expect(client.received).toMatch(/^HTTP\/1\.1 400 .*\r\nContent-Length: [1-9].*\r\n\r\n$/s);
});

it.each([
  ["a second request after the last one", "Connection: close\r\n", "GET /clock HTTP/1.1\r\nHost: localhost\r\n\r\n"],
  ["what is not HTTP", "", "GARBAGE\r\n\r\n"],
  ["CONNECT", "", "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n"],
])("a request that was carried out is answered, with %s after it", async (_name, header, behind) => {
  const { sandbox, admin } = await startShared();
  const { clientId } = (await admin.post("/clients", {})).json;
  const client = await openTcp(Number(new URL(sandbox.adminUrl).port));
  client.send(`DELETE /clients/${clientId} HTTP/1.1\r\nHost: localhost\r\n${header}\r\n${behind}`);
  await client.closed;
  expect(parseResponses(client.received).map(({ status }) => status)).toEqual([204]);
});

it("many segments that are not HTTP cause no warning while an answer is pending", async () => {
  const { sandbox } = await startShared();
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on("warning", note);
  const client = await openTcp(Number(new URL(sandbox.adminUrl).port));
  client.socket.setNoDelay();
  const body = JSON.stringify({ keyType: "rsa" }); // slow enough for the following steps
  const json = `Content-Type: application/json\r\nContent-Length: ${body.length}`;
  client.send(`POST /clients HTTP/1.1\r\nHost: localhost\r\n${json}\r\n\r\n${body}`);
  for (let left = 30; left > 0; left--) {
    client.send("GARBAGE\r\n\r\n");
    await new Promise(setImmediate);
  }
  await client.closed;
  process.off("warning", note);
  expect(parseResponses(client.received).map(({ status }) => status)).toEqual([201]);
  expect(warnings).toEqual([]);
});

it("requests after one that does not end are not started, and it is cancelled with its connection", async () => {
  let [begun, cancelled] = [0, 0];
  const cancel = () => {
    cancelled += 1;
  };
  const endless = () => {
    begun += 1;
    return new Response(new ReadableStream({ cancel }));
  };
  const server = await startAdminServer({ fetch: endless } as unknown as AdminApp, "127.0.0.1", 0);
  afterTest(() => server.close(0));
  const client = await openTcp(server.port);
  client.send("GET /requests/stream HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(3));
  await client.waitFor("200 OK");
  client.socket.destroy();
  await eventually(() => cancelled === 1);
  expect(begun).toBe(1);
});

it("requests of a connection are answered one at a time, and at most a hundred wait", async () => {
  const answers: (() => void)[] = [];
  const late = ({ url }: Request) =>
    new Promise<Response>((resolve) => answers.push(() => resolve(new Response(new URL(url).pathname))));
  const server = await startAdminServer({ fetch: late } as unknown as AdminApp, "127.0.0.1", 0);
  afterTest(() => server.close(0));
  const client = await openTcp(server.port);
  const paths = Array.from({ length: 150 }, (_none, at) => `/${at}`);
  client.send(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(""));
  for (let at = 0; at <= 100; at++) {
    await eventually(() => answers.length === at + 1);
    answers[at]?.();
  }
  await client.closed;
  expect(parseResponses(client.received).map(({ body }) => body)).toEqual(paths.slice(0, 101));
});

it("the guard sees a header after thousands of others", async () => {
  const { sandbox } = await startShared();
  const client = await openTcp(Number(new URL(sandbox.adminUrl).port));
  const many = "a:\r\n".repeat(3000);
  client.send(`GET /clock HTTP/1.1\r\nHost: localhost\r\n${many}Origin: http://evil.test\r\n\r\n`);
  await client.waitFor(/\}$/);
  expect(parseResponses(client.received)[0]?.status).toBe(403);
  client.socket.destroy();
});
