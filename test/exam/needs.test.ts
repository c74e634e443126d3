import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { needsMet } from "../../src/cli/exam/sent.js";
import { startInFolder } from "../admin/rotating.js";
import { CorrectClient } from "./correct-client.js";
import { CorrectHttp2Client } from "./correct-http2-client.js";

/** What a client sends that does this, as needs. */
async function sentBy(
  run: (client: CorrectClient) => Promise<unknown>,
  Client: typeof CorrectClient = CorrectClient,
  scenario?: string,
  lists?: Parameters<typeof startInFolder>[0] & object,
): Promise<readonly string[]> {
  const { own, certs } = await startInFolder({ scenario, ...lists });
  const read = (file: string) => readFileSync(join(certs, file), "utf8");
  const pem = read("clients/demo/identity.pem");
  const client = new Client({ url: own.sandbox.url, clientId: "demo", ca: read("ca.pem"), cert: pem, key: pem });
  await run(client);
  client.close();
  await own.sandbox.exam?.report(undefined);
  const entries = [...own.sandbox.journal.requests.newestFirst()];
  return [...needsMet(entries.map(({ item }) => item))];
}

async function pages(client: CorrectClient, count: number): Promise<void> {
  let cursor: string | undefined;
  for (let page = 0; page < count; page++) cursor = (await client.page("/v1/payments", { pageSize: "5" }, cursor)).next;
}

it.each([
  [0, []],
  [3, ["list", "second-page", "third-page"]],
])("%i pages are %j", async (count, needs) => {
  expect(await sentBy((client) => (count === 0 ? client.token() : pages(client, count)))).toEqual([
    ...needs,
    "http1.1",
  ]);
});

it("requests one after the other are not at the same time, and three at once are", { tags: "slow" }, async () => {
  const one = async (client: CorrectClient) => {
    for (let ping = 0; ping < 5; ping++) await client.ping();
  };
  expect(await sentBy(one)).toEqual(["ping", "five-requests", "http1.1"]);
  const atOnce = (client: CorrectClient) =>
    client.token().then(() => Promise.all(["1", "2", "3"].map((size) => client.call(`/v1/payments?pageSize=${size}`))));
  // They are open while the scenario delays them.
  expect(await sentBy(atOnce, CorrectClient, "too-many-at-once")).toContain("parallel");
  expect(await sentBy(one, CorrectClient, "too-many-at-once")).not.toContain("parallel");
});

it("over HTTP/2", async () => {
  expect(await sentBy((client) => client.ping(), CorrectHttp2Client)).toEqual(["ping", "http2"]);
});

it("a filter, on a list with next links", async () => {
  const linked = (query: string) =>
    sentBy((client) => client.call(`/v1/linked?pageSize=1${query}`), CorrectClient, undefined, {
      lists: { linked: { count: 2, envelope: { nextLink: "next" } } },
    });
  expect(await linked("&toCreatedAt=2300-01-01T00:00:00Z")).toEqual(["list", "filtered-link", "http1.1"]);
  expect(await linked("")).toEqual(["list", "http1.1"]);
});

it("a walk to its end", async () => {
  expect(await sentBy((client) => client.call("/v1/payments?status=NONE"))).toEqual(["list", "last-page", "http1.1"]);
});
