import { appendFile, mkdir, open as openFile, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openKept } from "../../src/library/open-kept.js";
import { copyOfRun, newFolder, open } from "./files.js";

/** The entries of a run that was changed, and what is said of it. */
async function shown(keep: string): Promise<{ readonly count: number; readonly page: string }> {
  const { admin, url } = await open(keep);
  const { kept } = (await admin.get("/journal?pageSize=1000")).json;
  return { count: kept, page: await (await fetch(url)).text() };
}

const requests = "requests-1.ndjson";

/** A run of three requests, to whose file something was added. */
async function added(text: string) {
  const { keep, folder } = await copyOfRun();
  await appendFile(join(folder, requests), text);
  return shown(keep);
}

/** The line of the first request, with something changed. */
async function changed(change: (line: Record<string, never>) => unknown) {
  const { keep, folder } = await copyOfRun();
  const path = join(folder, requests);
  const lines = (await readFile(path, "utf8")).trim().split("\n");
  const last = lines.findLastIndex((line) => line.startsWith('{"request":'));
  await writeFile(path, `${lines.with(last, JSON.stringify(change(JSON.parse(lines[last] ?? "")))).join("\n")}\n`);
  return shown(keep);
}

describe("a line of a kept run", () => {
  it("that was not written to its end is left out, and the page says so", async () => {
    const { count, page } = await added('{"request":4,"order":4,"exch');
    expect(count).toBe(3);
    expect(page).toContain("Line 8 of requests-1.ndjson was not written to its end: the sandbox was killed.");
  });

  it("of another program is left out, once for all of its kind", async () => {
    const { count, page } = await added("hello\nGET / HTTP/1.1\n[1]\n");
    expect(count).toBe(3);
    expect(page).toContain("Line 8 of requests-1.ndjson is not JSON, and was left out, and 2 more.");
  });

  it.each<[string, (line: never) => unknown]>([
    [
      "a member of another type",
      (line: { exchange: object }) => ({ ...line, exchange: { ...line.exchange, rawHeaders: 7 } }),
    ],
    [
      "a number that is out of range",
      (line: { exchange: object }) => ({ ...line, exchange: { ...line.exchange, now: 1e300 } }),
    ],
    [
      "a number that does not exist",
      (line: { exchange: object }) => ({ ...line, exchange: { ...line.exchange, status: -1 } }),
    ],
    [
      "a cause that does not exist",
      (line: { exchange: { refusal: object } }) => ({
        ...line,
        exchange: { ...line.exchange, refusal: { ...line.exchange.refusal, reason: { kind: "constructor" } } },
      }),
    ],
    ["the number of another entry", (line: object) => ({ ...line, request: 1 })],
    ["a body instead of everything", () => ({ request: 9, order: 9, exchange: "x" })],
  ])("with %s is left out", async (_, change) => {
    const { count, page } = await changed(change as never);
    expect(count).toBe(2);
    expect(page).toMatch(/was left out\./);
  });

  it("changes no prototype", async () => {
    const { keep, folder } = await copyOfRun();
    const path = join(folder, requests);
    const text = await readFile(path, "utf8");
    await writeFile(
      path,
      text.replaceAll('"exchange":{', '"exchange":{"__proto__":{"isFoe":true},"toString":"foe","constructor":7,'),
    );
    // Only the handshake, if there is one, has no such member.
    expect((await shown(keep)).count).toBe(0);
    expect(({} as { isFoe?: boolean }).isFoe).toBeUndefined();
  });

  it("of any depth is left out", async () => {
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    const line = (await readFile(join((await copyOfRun()).folder, requests), "utf8")).trim().split("\n").at(-2) ?? "";
    const { count } = await added(
      `${line.replace('"request":2', '"request":7').replace('"reason":{', `"reason":{"deep":${deep},`)}\n${deep}\n`,
    );
    expect(count).toBe(3);
  });

  it("that is longer than any is not held in memory", { tags: "slow" }, async () => {
    const { keep, folder } = await copyOfRun();
    const file = await openFile(join(folder, requests), "a");
    // A file with a hole: it takes no place on the disk.
    await file.truncate(200_000_000);
    await file.close();
    const { count, page } = await shown(keep);
    expect(count).toBe(3);
    expect(page).toContain("is too long, and was left out");
  });

  it("is text on the page, whatever is in it", async () => {
    const { page } = await added("<script>alert(1)</script>\n");
    expect(page).not.toContain("<script>alert");
  });
});

describe("the state of a kept run", () => {
  it.each([
    ["a client whose id is a path", '{"client":"../../etc"}'],
    ["a client with members of other types", '{"client":"demo","record":{"id":"demo"}}'],
    ["a clock that is out of range", '{"sandbox":{"clock":{"setting":{"mode":"frozen","at":1e300},"changes":1}}}'],
    ["identities that are none", '{"identities":[{"name":1}]}'],
  ])("with %s is left out", async (_, line) => {
    const { keep, folder } = await copyOfRun();
    await appendFile(join(folder, "state.ndjson"), `${line}\n`);
    const { page, count } = await shown(keep);
    expect(count).toBe(3);
    expect(page).toMatch(/Line \d+ of state\.ndjson is not what the sandbox writes, and was left out\./);
  });

  it("with a certificate that is none, or a scenario that has a mistake, is shown without it", async () => {
    const { keep, folder } = await copyOfRun();
    const identity = { name: "foe", kind: "misfit", purpose: "x", clientId: "demo", certPem: "none", thumbprint: "x" };
    const lines = [{ identities: [identity] }, { scenario: "mine", text: "rules: {" }];
    await appendFile(join(folder, "state.ndjson"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const { admin, url } = await open(keep);
    const names = (await admin.get("/identities")).json.items.map(({ name }: { name: string }) => name);
    expect(names).toEqual(["demo", "other", "chained"]);
    const page = await (await fetch(url)).text();
    expect(page).toContain("The certificate of foe is not one that can be shown.");
    expect(page).toContain("The scenario mine is not one that this release can show.");
  });
});

describe("a folder of kept runs", () => {
  const why = (folder: string) =>
    openKept(folder, 0).then(
      () => "it was opened",
      (error: Error) => `${error.name}: ${error.message}`,
    );

  it("that does not exist, or has none, is refused with what to give", async () => {
    expect(await why("/nowhere/at/all")).toMatch(/KeptRunError: The folder \/nowhere\/at\/all cannot be read: ENOENT/);
    expect(await why(await newFolder())).toMatch(/There is no kept run in .*: give the folder of --keep/);
  });

  it.each([
    ["of another program", '{"kind":"other"}', /is not of a run that payments-sandbox has kept/],
    ["that is no JSON", "hello", /is not of a run that payments-sandbox has kept/],
    [
      "of a later format",
      '{"kind":"payments-sandbox run","format":99,"version":"9.1.0"}',
      /has the format 99, and this release reads 1: .* payments-sandbox 9\.1\.0/,
    ],
    ["with members of other types", '{"kind":"payments-sandbox run","format":1,"version":7}', /run\.json is damaged/],
  ])("with a run %s is refused", async (_, text, message) => {
    const folder = await newFolder();
    await mkdir(join(folder, "one"));
    await writeFile(join(folder, "one", "run.json"), text);
    expect(await why(folder)).toMatch(message);
  });

  it("shows the others, and says which it cannot", async () => {
    const { keep } = await copyOfRun();
    await mkdir(join(keep, "9999-later"));
    await writeFile(join(keep, "9999-later", "run.json"), '{"kind":"payments-sandbox run","format":99}');
    const { problems, admin } = await open(keep);
    expect(problems).toEqual([expect.stringMatching(/9999-later.*format 99/)]);
    expect((await admin.get("/journal")).json.kept).toBe(3);
  });

  it("with a run whose configuration was changed is refused", async () => {
    const { keep, folder } = await copyOfRun();
    const path = join(folder, "run.json");
    const facts = JSON.parse(await readFile(path, "utf8"));
    await writeFile(path, JSON.stringify({ ...facts, assumptions: {} }));
    expect(await why(keep)).toMatch(/is damaged, and cannot be shown/);
  });

  it("of a release that had fewer assumptions is shown with what was usual then", async () => {
    const { keep, folder } = await copyOfRun();
    const path = join(folder, "run.json");
    const facts = JSON.parse(await readFile(path, "utf8"));
    delete facts.assumptions.values["http.compression"];
    await writeFile(path, JSON.stringify(facts));
    const { admin } = await open(keep);
    const { items } = (await admin.get("/assumptions")).json;
    const shown = items.find(({ id }: { id: string }) => id === "http.compression");
    expect(shown).toMatchObject({ setting: "none", changed: false });
    expect(JSON.stringify((await admin.get("/openapi.json")).json)).not.toContain("ContentEncoding");
  });

  it("follows no link out of it", async () => {
    const { keep, folder } = await copyOfRun();
    await rm(join(folder, requests));
    await symlink("/etc/passwd", join(folder, requests));
    const { count, page } = await shown(keep);
    expect(count).toBe(0);
    expect(page).toContain("requests-1.ndjson: it is a symbolic link; it cannot be read.");
    await symlink(folder, join(keep, "0000-link"));
    expect((await open(keep)).runs).toHaveLength(1);
  });
});

describe("a kept run that is shown", () => {
  it("can only be read", async () => {
    const { keep } = await copyOfRun();
    const { admin } = await open(keep);
    for (const [method, path] of [
      ["POST", "/reset"],
      ["POST", "/clients"],
      ["DELETE", "/requests"],
      ["PUT", "/scenario"],
      ["GET", "/ca.pem"],
      ["GET", "/metrics"],
      ["GET", "/clients/demo/key.pem"],
      ["GET", "/identities/demo/client.p12"],
      ["GET", "/server/certificate"],
    ] as const) {
      const { status, json } = await admin.send(method, path);
      expect([status, json.code], path).toEqual([409, "KEPT_RUN"]);
    }
    expect((await admin.get("/journal")).json.kept).toBe(3);
  });

  it("answers to its own names alone", async () => {
    const { keep } = await copyOfRun();
    const { admin } = await open(keep);
    expect((await admin.get("/journal", { Host: "evil.test" })).status).toBe(403);
    expect((await admin.get("/journal", { Origin: "http://evil.test" })).status).toBe(403);
  });
});
