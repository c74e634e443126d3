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
  await client.waitFor(/\}\n$/);
  client.socket.end();
  await client.closed;
  const [answer] = parseResponses(client.received);
  expect(answer?.status).toBe(status);
  expect(client.received).toMatch(/\r\nDate: [^\r]+ GMT\r\n/);
  expect(JSON.parse(answer?.body ?? "")).toEqual({ message: expect.any(String), code: expect.any(String) });
  await sandbox.sandbox.identities;
  expect((await sandbox.admin.get("/health")).status).toBe(200);
});

it("a broken header of HEAD is answered without a body", async () => {
  const { sandbox } = await startShared();
  const client = await openTcp(Number(new URL(sandbox.adminUrl).port));
  client.send("HEAD /ca.pem HTTP/1.1\r\nHost: localhost\r\nA B: c\r\n\r\n");
  await client.waitFor("\r\n\r\n");
  client.socket.end();
  await client.closed;
  expect(client.received).toMatch(/^HTTP\/1\.1 400 .*\r\nContent-Length: [1-9].*\r\n\r\n$/s);
});

it("pipelined requests are answered in their order", async () => {
  const late = ({ url }: Request) =>
    new Promise<Response>((resolve) => answers.push(() => resolve(new Response(new URL(url).pathname))));
  const answers: (() => void)[] = [];
  const server = await startAdminServer({ fetch: late } as unknown as AdminApp, ["127.0.0.1"], 0);
  afterTest(() => server.close(0));
  const client = await openTcp(server.port);
  const paths = ["/a", "/b", "/c"];
  client.send(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(""));
  await eventually(() => answers.length === paths.length);
  for (const answer of answers.reverse()) answer();
  await client.waitFor("/c");
  expect(parseResponses(client.received).map(({ body }) => body)).toEqual(paths);
  client.socket.destroy();
});

it("with its connection, every pipelined request ends", async () => {
  let [begun, cancelled] = [0, 0];
  const cancel = () => {
    cancelled += 1;
  };
  const endless = ({ signal }: Request) => {
    begun += 1;
    signal.addEventListener("abort", cancel);
    return Promise.resolve(new Response(new ReadableStream()));
  };
  const server = await startAdminServer({ fetch: endless } as unknown as AdminApp, ["127.0.0.1"], 0);
  afterTest(() => server.close(0));
  const client = await openTcp(server.port);
  client.send("GET /requests/stream HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(3));
  await client.waitFor("200 OK");
  client.socket.destroy();
  await eventually(() => cancelled === 3);
  expect(begun).toBe(3);
});

it("what is not HTTP ends the connection while an answer is pending, and the request is carried out", async () => {
  const { sandbox, admin } = await startShared();
  const { clientId } = (await admin.post("/clients", {})).json;
  const client = await openTcp(Number(new URL(sandbox.adminUrl).port));
  client.send(`DELETE /clients/${clientId} HTTP/1.1\r\nHost: localhost\r\n\r\nGARBAGE\r\n\r\n`);
  await client.closed;
  expect(client.received).toBe("");
  await eventually(async () => (await admin.get(`/clients/${clientId}`)).status === 404);
});
