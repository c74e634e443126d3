import { expect, it } from "vitest";
import { speaksHttp2 } from "../../support/https-client.js";
import { sharedSandbox } from "./sandbox.js";

const sandbox = sharedSandbox();

interface Certificates {
  certificates: { thumbprint: string; ended: string | null; endsAt: string | null; valid: boolean }[];
}

const certificatesOf = async (id: string) =>
  ((await sandbox().admin("GET", `/clients/${id}`)) as Certificates).certificates;

it("renew: the request is answered, its connection ends, and the old certificate ends after the overlap", async () => {
  await sandbox().upload(
    "renew",
    "  - { limit: 1, then: { certificate: { renew: { overlap: 10s, validFor: 90d } } } }",
  );
  const client = await sandbox().clientUnder("renew");
  await client.freeze();
  const answer = await client.get("/v1/ping");
  expect([answer.status, answer.headers["sandbox-fault"]]).toEqual([200, expect.stringContaining("renew/")]);
  if (!speaksHttp2) expect(answer.headers["connection"]).toBe("close");
  expect((await client.get("/v1/ping")).status).toBe(200);
  const { items } = (await sandbox().admin("GET", `/requests?client=${client.id}&operation=ping`)) as {
    items: { connectionId: number }[];
  };
  expect(items[0]?.connectionId).not.toBe(items[1]?.connectionId);
  const [old, made] = await certificatesOf(client.id);
  expect([old?.ended, made?.ended]).toEqual(["renewed", null]);
  await client.advance("10s");
  expect((await client.get("/v1/ping")).status).toBe(401);
  await client.reload();
  expect((await client.get("/v1/ping")).status).toBe(200);
});

it("renew without an overlap: this request is answered, the next one is refused", async () => {
  await sandbox().upload("cut", "  - { limit: 1, then: { certificate: { renew: {} } } }");
  const client = await sandbox().client();
  await client.freeze();
  await client.token();
  await client.activate("cut");
  expect([(await client.get("/v1/ping")).status, (await client.get("/v1/ping")).status]).toEqual([200, 401]);
});

it("renew with a new key, unless the key is kept", async () => {
  for (const [index, sameKey] of [false, true].entries()) {
    await sandbox().upload(
      `key-${index}`,
      `  - { limit: 1, then: { certificate: { renew: { sameKey: ${sameKey} } } } }`,
    );
    const client = await sandbox().clientUnder(`key-${index}`);
    const before = client.publicKey;
    await client.get("/v1/ping");
    await client.reload();
    expect(client.publicKey === before).toBe(sameKey);
    expect((await client.get("/v1/ping")).status).toBe(200);
  }
});

it("renew at the token endpoint: the token is issued to the old certificate", async () => {
  await sandbox().upload("token-cut", "  - { limit: 1, then: { certificate: { renew: { overlap: 0s } } } }");
  const client = await sandbox().client();
  await client.activate("token-cut");
  expect((await client.postToken()).status).toBe(200);
  expect((await client.postToken()).json.code).toBe("INVALID_CLIENT");
});

it.each([
  ["expire", "expired"],
  ["revoke", "revoked"],
])("%s: this request is refused, and all that come over the certificate", async (fault, ended) => {
  await sandbox().upload(fault, `  - { when: { operation: ping }, limit: 1, then: { certificate: ${fault} } }`);
  const client = await sandbox().clientUnder(fault);
  const answer = await client.get("/v1/ping");
  expect([answer.status, answer.headers["sandbox-fault"]]).toEqual([401, expect.stringContaining(`${fault}/`)]);
  expect((await client.get("/v1/ping")).status).toBe(401);
  expect((await client.postToken()).json.code).toBe("INVALID_CLIENT");
  expect((await certificatesOf(client.id)).map((each) => each.ended)).toEqual([ended]);
});

it("a condition finds what still comes over a replaced certificate", async () => {
  await sandbox().upload("late", "  - { when: { certificate: replaced }, then: { error: SERVICE_UNAVAILABLE } }");
  const client = await sandbox().clientUnder("late");
  expect((await client.get("/v1/ping")).status).toBe(200);
  await sandbox().admin("POST", `/clients/${client.id}/rotate`, { overlap: "1h" });
  expect((await client.get("/v1/ping")).status).toBe(503);
  await client.reload();
  expect((await client.get("/v1/ping")).status).toBe(200);
});

it.each([
  ["certificate: maybe", "give expire, revoke, or renew"],
  ["certificate: { renew: { overlap: soon } }", "give"],
  ["certificate: {}", "renew"],
])("refuses %s", async (then, message) => {
  await expect(sandbox().upload("wrong", `  - { then: { ${then} } }`)).rejects.toThrow(message);
});
