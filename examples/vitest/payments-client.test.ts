// A hundred tests run in parallel on one sandbox. Each test has its own client, with its own scenario, clock and journal: a moved
// clock or a failure in one test does not affect the others.
//
// In a project of your own: npm install --save-dev ./business-payments-sandbox.tgz vitest (docs/guide/ci.md)
import { type ClientHandle, type StartedSandbox, startSandbox } from "business-payments-sandbox";
import { afterAll, beforeAll, describe, type onTestFinished, test } from "vitest";
import { PaymentsClient } from "./payments-client.js";

/** The number of rows of the list. */
const rows = 60;

let sandbox: StartedSandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ lists: { payments: { count: rows } } });
});

afterAll(() => sandbox.close());

/** A test's own client at the sandbox, and the code under test with its identity. Each test has a different date. */
async function isolated(number: number, finished: typeof onTestFinished) {
  const client = await sandbox.createClient();
  // Less than a year away: the client's certificate is valid for a year on the client's clock.
  const { now } = await client.clock.freeze(new Date(Date.now() + number * 86_400_000));
  const payments = new PaymentsClient({ ...client.tls, baseUrl: client.url, clientId: client.clientId });
  finished(() => payments.close());
  return { client, payments, today: now.slice(0, 10) };
}

/** How many requests of each kind the sandbox has seen from a client. */
async function seen(client: ClientHandle) {
  const [tokens, pings, pages] = await Promise.all([
    client.countRequests({ operation: "token" }),
    client.countRequests({ operation: "ping" }),
    client.countRequests({ list: "payments" }),
  ]);
  return { tokens, pings, pages };
}

const numbers = (from: number) => Array.from({ length: 25 }, (_, index) => from + index);

describe.concurrent("a client", () => {
  test.for(numbers(1))("walks every page with one token (%i)", async (number, { expect, onTestFinished: finished }) => {
    const { client, payments, today } = await isolated(number, finished);
    const found = await payments.payments(20);

    expect(new Set(found.map(({ id }) => id)).size).toBe(rows);
    expect(found[0]?.createdAt).toContain(today);
    expect(await seen(client)).toEqual({ tokens: 1, pings: 0, pages: 3 });
  });

  test.for(numbers(26))("starts a walk again when a cursor is refused (%i)", async (number, context) => {
    const { expect, onTestFinished: finished } = context;
    const { client, payments, today } = await isolated(number, finished);
    await client.useScenario({
      rules: [{ when: { list: "payments", page: 3 }, limit: 1, then: { error: "INVALID_CURSOR" } }],
    });
    const found = await payments.payments(20);

    expect(found).toHaveLength(rows);
    expect(found[0]?.createdAt).toContain(today);
    expect(await seen(client)).toEqual({ tokens: 1, pings: 0, pages: 3 + 3 });
    const [refused] = await client.requests({ code: "INVALID_CURSOR" });
    expect(refused?.fault).toMatch(/#1;seed=/);
  });

  test.for(numbers(51))("gets a new token when its token has expired (%i)", async (number, context) => {
    const { expect, onTestFinished: finished } = context;
    const { client, payments } = await isolated(number, finished);
    expect(await payments.ping()).toBe("OK");
    await client.clock.advance("301s");
    expect(await payments.ping()).toBe("OK");

    expect(await seen(client)).toEqual({ tokens: 2, pings: 3, pages: 0 });
    const [expired] = await client.requests({ status: 401 });
    expect(expired?.explanation).toContain("expired");
  });

  test.for(numbers(76))("reports an error without a retry (%i)", async (number, context) => {
    const { expect, onTestFinished: finished } = context;
    const { client, payments } = await isolated(number, finished);
    await client.useScenario("maintenance");
    await expect(payments.ping()).rejects.toMatchObject({ status: 503, code: "SERVICE_UNAVAILABLE" });
    await client.clearScenario();
    expect(await client.scenario()).toMatchObject({ name: null, source: "none" });
  });
});
