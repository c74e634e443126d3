import { describe, expect, it } from "vitest";
import type { CertificateObservation } from "../../src/exam/observation.js";
import { startSandbox } from "../../src/index.js";
import { MadeUpClient } from "./observed.js";

const good: CertificateObservation = {
  replaces: false,
  hasEnded: false,
  hasOverlapEnded: false,
  chain: undefined,
  left: 300 * 86_400_000,
};
const ended = { certificate: { ...good, hasEnded: true }, status: 401 } as const;

describe("certificate.renewed", () => {
  it("passes with a new connection over the new certificate", () => {
    const client = new MadeUpClient();
    client.does({ ordinal: 2, certificate: { ...good, replaces: true } });
    expect(client.verdict("certificate.renewed")).toBe("not-exercised");
    client.does({ connection: 2, ordinal: 1, certificate: { ...good, replaces: true } });
    expect(client.verdict("certificate.renewed")).toBe("pass");
  });
});

describe("certificate.old-connection", () => {
  it("passes when nothing follows but one token request", () => {
    const client = new MadeUpClient();
    client.does(ended);
    client.wait(10).does({ ...ended, operation: "token", status: 400 });
    client.wait(10).does({ connection: 2, certificate: good });
    expect(client.verdict("certificate.old-connection")).toBe("pass");
  });

  it("does not count what was on its way", () => {
    const client = new MadeUpClient();
    client.does({ ...ended, arrivedAt: 1000, releasedAt: 1020, overAt: 1020 });
    client.does({ ...ended, arrivedAt: 1010, releasedAt: 1021, overAt: 1021 });
    expect(client.verdict("certificate.old-connection")).toBe("pass");
  });
});

it("certificate.near-its-end never fails, and says the fewest days", () => {
  const client = new MadeUpClient();
  client.does({ certificate: { ...good, left: 31.5 * 86_400_000 } });
  expect(client.verdict("certificate.near-its-end")).toBe("not-exercised");
  for (const days of [15.2, 4.9, 5.5]) client.does({ certificate: { ...good, left: days * 86_400_000 } });
  expect(client.result("certificate.near-its-end")).toMatchObject({
    verdict: "pass",
    message: "The certificate has 4 days left; nothing is judged by that.",
  });
});

it("a client that reads its files again passes, over real connections", async () => {
  await using sandbox = await startSandbox({ lists: { payments: { count: 40 } } });
  const client = await sandbox.createClient({ issuer: "intermediate", validFor: "90d" });
  const old = await sandbox.client(client.clientId);
  const token = await old.token();
  expect((await old.request("/v1/ping", { token })).status).toBe(200);
  await client.clock.advance("86d");
  await client.rotate({ overlap: "30s", validFor: "90d" });
  await old.token();
  await client.request("/v1/ping", { token: await client.token() });
  await client.clock.advance("31s");
  await client.request("/v1/ping", { token: await client.token() });
  const { drills } = await client.report();
  const verdicts = new Map(drills.flatMap(({ checks }) => checks.map((check) => [check.id as string, check])));
  expect(verdicts.get("certificate.renewed")?.verdict).toBe("pass");
  expect(verdicts.get("certificate.chain")?.verdict).toBe("pass");
  expect(verdicts.get("certificate.near-its-end")?.message).toContain("3 days left");
});
