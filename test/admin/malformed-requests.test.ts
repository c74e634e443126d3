import { expect, it } from "vitest";
import { openTcp, parseResponses } from "../support/raw-client.js";
import { startShared } from "./fixture.js";

it.each([
  ["no Host", "GET /health HTTP/1.1\r\n\r\n", 400],
  ["data that is not HTTP", "GARBAGE\r\n\r\n", 400],
  ["a broken header", "GET /health HTTP/1.1\r\nHost: localhost\r\nA B: c\r\n\r\n", 400],
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
  expect(JSON.parse(answer?.body ?? "")).toEqual({ message: expect.any(String), code: expect.any(String) });
  expect((await sandbox.admin.get("/health")).status).toBe(200);
});
