import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { type OutsideClient, sharedSandbox } from "./sandbox.js";

// The scenarios of docs/guide/scenarios.md, observed by a client.

const sandbox = sharedSandbox();
const page = readFileSync("docs/guide/scenarios.md", "utf8");
const examples = new Map(
  [...page.matchAll(/\(`([\w-]+)`\):\n\n```yaml\n([\s\S]*?)```/g)].map(([, name = "", text = ""]) => [name, text]),
);

async function clientUnder(name: string, seed?: string): Promise<OutsideClient> {
  await sandbox().admin("PUT", `/scenarios/${name}`, examples.get(name));
  const client = await sandbox().client(seed);
  await client.token();
  await client.freeze();
  await client.activate(name);
  return client;
}

/** Walks this many pages of payments: status and number of rows of each. */
async function walk(client: OutsideClient, pages: number): Promise<(readonly [number, number | undefined])[]> {
  const seen: (readonly [number, number | undefined])[] = [];
  for (let cursor = ""; seen.length < pages; ) {
    const answer = await client.get(`/v1/payments${cursor === "" ? "" : `?cursor=${cursor}`}`);
    if (answer.status === 401) await client.token(true);
    else cursor = answer.json.nextCursor;
    seen.push([answer.status, answer.json.items?.length]);
  }
  return seen;
}

/** What a client observes with each. */
const observations: Readonly<Record<string, () => Promise<void>>> = {
  async down() {
    const client = await clientUnder("down");
    const down = await client.get("/v1/ping");
    expect([down.status, down.headers["retry-after"]]).toEqual([503, "5"]);
    await client.advance("29999ms");
    expect((await client.get("/v1/payments")).status).toBe(503);
    await client.advance("1ms");
    expect((await client.get("/v1/ping")).status).toBe(200);
  },

  async revoked() {
    const client = await clientUnder("revoked");
    expect(await walk(client, 5)).toEqual([
      [200, 10],
      [200, 10],
      [401, undefined],
      [200, 10],
      [200, 10],
    ]);
  },

  async cut() {
    const client = await clientUnder("cut");
    const { nextCursor } = (await client.get("/v1/payments")).json;
    const second = `/v1/payments?cursor=${nextCursor}`;
    const wire = await client.wire(second);
    expect(await wire.end()).toBe("RST");
    expect([wire.head?.split("\r\n")[0], wire.body.length < wire.announced]).toEqual(["HTTP/1.1 200 OK", true]);
    expect((await client.get(second)).json.items).toHaveLength(10);
  },

  async cursor() {
    const client = await clientUnder("cursor");
    let target = "/v1/payments";
    for (let page = 1; page < 3; page++) target = `/v1/payments?cursor=${(await client.get(target)).json.nextCursor}`;
    const refused = await client.get(target);
    expect([refused.status, refused.json.code]).toEqual([400, "INVALID_CURSOR"]);
    expect((await client.get(target)).status).toBe(200);
  },

  async short() {
    expect((await walk(await clientUnder("short"), 3)).map(([, rows]) => rows)).toEqual([10, 3, 10]);
  },

  async "one-in-five"() {
    const client = await sandbox().client("five");
    await sandbox().admin("PUT", "/scenarios/one-in-five", examples.get("one-in-five"));
    await client.activate("one-in-five");
    const faults: unknown[] = [];
    for (let request = 0; request < 12; request++) faults.push((await client.get("/v1/ping")).headers["sandbox-fault"]);
    const late = faults.filter((fault) => fault !== undefined);
    expect(late.length).toBeGreaterThan(0);
    expect(late.length).toBeLessThan(12);
    for (const fault of late) expect(fault).toMatch(/^one-in-five\/late#\d+;seed=five$/);
  },

  async limited() {
    const [one, two] = [await clientUnder("limited"), await clientUnder("limited")];
    const statuses: number[] = [];
    for (let round = 0; round < 3; round++)
      for (const client of [one, two]) statuses.push((await client.get("/v1/ping")).status);
    expect(statuses.slice(0, 5)).toEqual([200, 200, 200, 200, 200]);
    // The bucket refills meanwhile.
    const answers = [];
    for (let request = 0; request < 30; request++) answers.push(await one.get("/v1/ping"));
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers["retry-after"]).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
  },

  async "new-field"() {
    const answer = await (await clientUnder("new-field")).get("/v1/payments?pageSize=2");
    expect(answer.json).toMatchObject({ apiRevision: "2031-01", items: [{ riskScore: 7 }, { riskScore: 7 }] });
  },
};

it("are six", () => {
  expect([...examples.keys()].sort()).toEqual(Object.keys(observations).sort());
});

it.each(Object.keys(observations))("%s", { tags: "slow" }, async (name) => {
  await observations[name]?.();
});
