import { mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { start } from "../admin/fixture.js";
import { folderOfRunIn, newFolder, open } from "./files.js";

describe("a run that is larger than --keep-size", () => {
  it("has the newest requests, and says how many were removed", { tags: "slow" }, async () => {
    const keep = await newFolder();
    const sandbox = await start({ keep, keepSize: 1 });
    const demo = await sandbox.standing("demo");
    const token = await demo.token();
    const long = "x".repeat(7000);
    for (let count = 0; count < 90; count += 1) await demo.get(`/v1/ping?ignored=${long}`, token);
    await sandbox.admin.post("/clients", { clientId: "late" });
    await sandbox.close();
    const folder = await folderOfRunIn(keep);
    const sizes = await Promise.all((await readdir(folder)).map(async (file) => (await stat(join(folder, file))).size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_200_000);
    const { admin, url } = await open(keep);
    const { items, kept } = (await admin.get("/journal")).json;
    expect(items[0].id).toBe("91");
    expect(kept).toBeLessThan(91);
    const removed = 91 - kept;
    expect(await (await fetch(url)).text()).toContain(`The ${removed} oldest entries are not there`);
    expect((await admin.get("/clients/late")).json.clientId).toBe("late");
  });

  it("keeps what is true of a client, however often it changes", async () => {
    const keep = await newFolder();
    const sandbox = await start({ keep, keepSize: 1 });
    for (let count = 1; count <= 150; count += 1) await sandbox.admin.post("/clients/demo/clock", { advance: "1s" });
    await sandbox.close();
    const folder = await folderOfRunIn(keep);
    expect((await stat(join(folder, "state.ndjson"))).size).toBeLessThan(200_000);
    const { admin } = await open(keep);
    expect((await admin.get("/clients/demo/clock")).json.offset).toBe(150_000);
  });
});

describe("a run that cannot be written any more", () => {
  it("is told once, and the sandbox goes on", async () => {
    const keep = await newFolder();
    const warned: string[] = [];
    const output = { log: () => {}, warn: (text: string) => void warned.push(text) };
    const sandbox = await start({ keep, keepSize: 1 }, { output });
    // In the place of the second file.
    await mkdir(join(await folderOfRunIn(keep), "requests-2.ndjson"));
    const demo = await sandbox.standing("demo");
    const token = await demo.token();
    for (let count = 0; count < 12; count += 1) {
      const { status } = await demo.get(`/v1/ping?ignored=${"x".repeat(7000)}`, token);
      expect(status).toBe(200);
    }
    expect(warned).toEqual([expect.stringMatching(/^payments-sandbox: Nothing more is kept in .*: EEXIST/)]);
    await sandbox.close();
    const { admin } = await open(keep);
    expect((await admin.get("/requests/count")).json.count).toBeGreaterThan(5);
  });
});
