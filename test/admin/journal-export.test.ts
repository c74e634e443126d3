import "@hyperjump/json-schema/formats";
import { registerSchema, type SchemaObject, setShouldValidateFormat, validate } from "@hyperjump/json-schema/draft-06";
// @ts-expect-error It has no types.
import harSchemas from "har-schema";
import { beforeAll, describe, expect, it } from "vitest";
import type { AdminContext } from "../../src/admin/context.js";
import { exportOf } from "../../src/admin/journal-export.js";
import { Journal } from "../../src/sandbox/journal/journal.js";
import { openTls } from "../support/raw-client.js";
import { startShared, type TestSandbox } from "./fixture.js";

setShouldValidateFormat(true);
for (const schema of Object.values(harSchemas as Record<string, { $id: string }>)) {
  const { $id, ...rest } = schema;
  registerSchema(rest as SchemaObject, `https://schemas.test/har/${$id.replace("#", "")}`);
}

/** Characters with a meaning for files, shells and terminals. */
const hostile = "\0\u202e</script>\"'`$(id)\\\r\n\u2028\ud83d\ude00";

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startShared();
  const client = await sandbox.mint({ clientId: "mine" });
  await client.ping();
  await client.get("/v1/payments?pageSize=100&status=COMPLETED&x=%zz&access_token=geheim");
  await client.requestToken({ client_secret: "geheim", scope: "write" });
  await client.get(`/v1/payments?cursor=${encodeURIComponent(hostile)}`, undefined, {
    "X-Other": "caf\u00e9 </script>",
  });
  await client.requestToken({ scope: hostile });
  await sandbox.admin.put("/clients/mine/scenario", { name: "internal-error-once" });
  await client.ping();
  const { port } = new URL(sandbox.sandbox.url);
  const raw = await openTls({ port: Number(port), ca: sandbox.sandbox.caPem });
  await raw.sendAndClose("GET mailto:x HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const strange = await openTls({ port: Number(port), ca: sandbox.sandbox.caPem });
  await strange.sendAndClose("GARBAGE\r\n\r\n");
});

/** Each byte percent-encoded. */
const encoded = (text: string) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join("");

const exported = (query: string) => sandbox.admin.get(`/journal/export${query}`);

describe("GET /journal/export", () => {
  it("does not decode a token that was encoded twice", async () => {
    const own = await sandbox.mint({ clientId: "twice" });
    const token = await own.token();
    await own.send(`/v1/ping?x=${encoded(encoded(token))}`);
    const { json } = await exported("?q=client:twice");
    const { queryString } = json.log.entries.at(-1).request;
    expect(queryString.map(({ value }: { value: string }) => decodeURIComponent(value)).join()).not.toContain(
      token.split(".")[1],
    );
  });

  it.each([
    ["Bad Header: y\r\n\r\n", 400],
    [`${"X: y\r\n".repeat(2_000)}\r\n`, 431],
  ])("has no body of the answer to a HEAD that is refused (%#)", async (rest, status) => {
    const own = await sandbox.mint();
    const { certificate: cert, key, ca } = own.minted;
    const raw = await openTls({ port: Number(new URL(sandbox.sandbox.url).port), ca, cert, key });
    const received = await raw.sendAndClose(`HEAD /v1/ping HTTP/1.1\r\nHost: localhost\r\n${rest}`);
    expect([received.slice(9, 12), received.split("\r\n\r\n")[1]]).toEqual([`${status}`, ""]);
    const [{ request, response, _sandbox }] = (await exported(`?q=client:${own.clientId}`)).json.log.entries;
    expect([request.method, response.status, response.bodySize]).toEqual(["HEAD", status, 0]);
    expect(response.content).toEqual({ size: 0, mimeType: "application/json", comment: expect.any(String) });
    expect(_sandbox.delivered).toBe(true);
  });

  it("is a valid HTTP Archive by a published schema, oldest first", async () => {
    const { headers, text, json } = await exported("");
    expect(headers["content-disposition"]).toBe('attachment; filename="journal.har"');
    const output = await validate("https://schemas.test/har/har.json", json, "BASIC");
    expect(output.valid ? [] : output.errors).toEqual([]);
    const { items } = (await sandbox.admin.get("/requests")).json;
    const entries = json.log.entries as { startedDateTime: string; _sandbox: { id: string }; time: number }[];
    expect(entries.map(({ _sandbox }) => _sandbox.id)).toEqual(items.map(({ id }: { id: string }) => id).reverse());
    expect(text).not.toContain("geheim");
    expect(json.log.entries[1]).toMatchObject({
      request: { method: "GET", url: `${new URL(sandbox.sandbox.url).origin}/v1/ping`, queryString: [] },
      response: { status: 200, statusText: "OK", content: { text: '{"status":"OK"}', mimeType: "application/json" } },
      _sandbox: { id: "2", client: "mine", operation: "ping" },
    });
  });

  it("says how long an answer was waited for, and how long its parts took", async () => {
    const own = await sandbox.mint({ clientId: "in-parts" });
    const rule = "{ when: { operation: ping }, skip: 1, then: { connection: { kind: stall, duration: 50ms } } }";
    const scenario = `description: The second ping comes in parts.\nrules:\n  - ${rule}\n`;
    expect((await sandbox.admin.putYaml("/scenarios/in-parts", scenario)).status).toBeLessThan(300);
    await sandbox.admin.put("/clients/in-parts/scenario", { name: "in-parts" });
    for (const _ of [1, 2]) await own.ping(await own.token());
    const { json } = await exported("?q=client:in-parts%20op:ping");
    const [whole, inParts] = json.log.entries.map(({ time, timings }: { time: number; timings: object }) => ({
      time,
      ...timings,
    }));
    expect(whole).toMatchObject({ wait: whole.time, receive: 0 });
    expect(inParts.wait + inParts.receive).toBeCloseTo(inParts.time, 6);
    expect(inParts.receive).toBeGreaterThan(0);
  });

  it("has a line of JSON for each entry", async () => {
    const { headers, text } = await exported("?format=ndjson&q=client:mine");
    expect(headers["content-type"]).toBe("application/x-ndjson");
    const lines = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.slice(0, 2)).toMatchObject([
      { kind: "request", key: "r1", operation: "token", decisions: expect.any(Array) },
      { kind: "request", key: "r2", answer: { body: '{"status":"OK"}' } },
    ]);
    expect(text).not.toContain("geheim");
  });

  it("contains hostile values unchanged", async () => {
    const { entries } = (await exported("?q=code:INVALID_CURSOR")).json.log;
    expect(entries[0].request.queryString).toEqual([{ name: "cursor", value: hostile }]);
    expect(entries[0].request.headers).toContainEqual({ name: "X-Other", value: "caf\u00e9 </script>" });
    const [form] = (await exported("?q=op:token%20status:400%20-code:INVALID_CLIENT")).json.log.entries.slice(-1);
    expect(form.request.postData.params).toContainEqual({ name: "scope", value: hostile });
    const { text } = await exported("?format=ndjson&q=code:INVALID_CURSOR");
    expect(text.trimEnd()).not.toContain("\n");
    expect(JSON.parse(text).target).toContain(encodeURIComponent(hostile));
  });

  it("is an empty file if nothing matches", async () => {
    expect((await exported("?q=nothing-like-this")).json.log.entries).toEqual([]);
    expect((await exported("?format=ndjson&q=nothing-like-this")).text).toBe("");
  });

  it("ends when the journal is emptied while it is read", async () => {
    const { journal, explanations } = sandbox.sandbox;
    const own = new Journal();
    const [entry] = journal.requests.newestFirst();
    for (let index = 0; index < 500; index++) own.requests.add(entry?.item as never);
    const url = () => sandbox.sandbox.url;
    const context = { journal: own, explanations, url, health: () => ({ version: "1" }) } as unknown as AdminContext;
    const reader = exportOf("har", context, () => true, new AbortController().signal).body?.getReader();
    let text = Buffer.from((await reader?.read())?.value ?? []).toString();
    own.remove();
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
      text += Buffer.from(part.value).toString();
    expect(JSON.parse(text).log.entries.length).toBeLessThan(500);
  });

  it("contains all of a journal with many entries", async () => {
    const { requests } = sandbox.sandbox.journal;
    const [entry] = requests.newestFirst();
    for (let index = 0; index < 500; index++) requests.add(entry?.item as never);
    const { json } = await exported("");
    expect(json.log.entries).toHaveLength(requests.count);
  });
});
