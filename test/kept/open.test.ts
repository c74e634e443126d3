import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AdminClient } from "../admin/admin-client.js";
import { eventually, start, type TestSandbox } from "../admin/fixture.js";
import { newFolder, open } from "./files.js";

/** Requests of several kinds: served, refused for different reasons, broken by a scenario. */
async function use(sandbox: TestSandbox): Promise<void> {
  const demo = await sandbox.standing("demo");
  await demo.ping();
  await demo.get("/v1/payments?pageSize=2&status=nothing&unknown=1");
  await demo.get("/v1/payments?cursor=altered&access_token=secret-in-url");
  await demo.get("/v1/nowhere?password=hidden-1", "none");
  await demo.send("/v1/ping", { headers: { Authorization: "Basic aGlkZGVuLTI=", Cookie: "a=hidden-3" } });
  await demo.requestToken({ client_secret: "hidden-4", client_id: "other" });
  await sandbox.connect().send("/v1/ping");
  const expired = await sandbox.standing("expired");
  await expired.send("/v1/ping");
  const minted = await sandbox.mint({ clientId: "suite-1" });
  await minted.ping();
  await sandbox.admin.post("/clients/suite-1/clock", { advance: "400d" });
  await minted.ping("ey.none").catch(() => {});
  await sandbox.admin.put("/clients/suite-1/scenario", { name: "flaky" });
  for (let count = 0; count < 6; count += 1) await minted.send("/v1/ping").catch(() => {});
  const headers = { "Set-Cookie": ["a=1", "b=2"], Link: ["</1>", "</2>"] };
  await sandbox.admin.put("/clients/demo/scenario", {
    // biome-ignore lint/suspicious/noThenProperty: it is a rule of a scenario.
    rules: [{ when: { operation: "ping" }, then: { respond: { status: 204, headers } } }],
  });
  await demo.ping();
  await sandbox.admin.delete("/clients/demo/scenario");
  await sandbox.admin.put("/scenario", { name: "truncated-body" });
  await demo.get("/v1/payments").catch(() => {});
  await sandbox.admin.post("/clients/other/rotate", {});
}

/** The paths of everything that can be read of a run. */
async function readable(admin: AdminClient): Promise<readonly string[]> {
  const { items } = (await admin.get("/journal?pageSize=1000")).json;
  const details = items
    .filter(({ kind }: { kind: string }) => kind === "request")
    .map(({ id }: { id: string }) => `/requests/${id}`);
  return [
    "/journal?pageSize=1000",
    "/journal?q=payments",
    "/journal?q=outcome:refused%20client:demo",
    "/journal?q=body:access_token",
    "/journal?q=header:authorization",
    "/journal/overview?span=matches",
    "/journal/export?format=ndjson",
    "/handshakes",
    "/clients",
    "/identities",
    "/clock",
    "/clients/suite-1/clock",
    "/report",
    "/report?client=demo",
    "/report?client=suite-1",
    "/assumptions",
    "/openapi.json",
    ...details,
  ];
}

/** No keys are kept, and the time of a kept run stands still. */
function comparable(text: string): string {
  return text
    .replaceAll(/"downloads":\[[^\]]*\]/g, '"downloads":[]')
    .replaceAll(/"now":"[^"]*"/g, '"now":""')
    .replaceAll(/"valid":(true|false)/g, '"valid":0');
}

describe("a kept run", () => {
  it("shows what the page of the sandbox showed", async () => {
    const keep = await newFolder();
    const sandbox = await start({ keep, seed: "kept" });
    await use(sandbox);
    const paths = await readable(sandbox.admin);
    sandbox.disconnect();
    // How connections ended is told, too.
    await eventually(async () => (await sandbox.admin.get("/requests/1")).json.connection.end !== null || undefined);
    expect(paths.length).toBeGreaterThan(30);
    const live = new Map<string, string>();
    for (const path of paths) live.set(path, comparable((await sandbox.admin.get(path)).text));
    await sandbox.close();
    const { admin } = await open(keep);
    for (const path of paths) expect(comparable((await admin.get(path)).text), path).toBe(live.get(path));
  });

  it("judges a client anew after a reset, as the sandbox did", async () => {
    const keep = await newFolder();
    const sandbox = await start({ keep });
    const demo = await sandbox.standing("demo");
    await demo.requestToken({ client_secret: "x" });
    const failed = async ({ get }: Pick<AdminClient, "get">) => (await get("/report?client=demo")).json.summary.fail;
    expect(await failed({ get: (path) => sandbox.admin.get(path) })).toBeGreaterThan(0);
    await sandbox.admin.post("/reset", { client: "demo" });
    await demo.ping();
    await sandbox.close();
    const { admin } = await open(keep);
    expect(await failed({ get: (path) => admin.get(path) })).toBe(0);
    // What was emptied is still there: somebody may look for it.
    expect((await admin.get("/requests/count?status=400")).json.count).toBe(1);
  });

  it("has no secrets, and nobody else can read it", async () => {
    const keep = await newFolder();
    const sandbox = await start({ keep });
    await use(sandbox);
    const [name = ""] = await readdir(keep);
    const folder = join(keep, name);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const files = await readdir(folder);
    expect(files.sort()).toEqual(["requests-1.ndjson", "run.json", "state.ndjson"]);
    for (const file of files) {
      const path = join(folder, file);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      const text = await readFile(path, "utf8");
      expect(text).not.toMatch(/hidden-\d|secret-in-url|aGlkZGVuLTI|PRIVATE/);
      for (const secret of sandbox.admin.secrets) expect(text.includes(secret), `${file} has ${secret}`).toBe(false);
    }
  });
});
