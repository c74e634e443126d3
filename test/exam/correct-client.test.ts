import { Agent } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkIds } from "../../src/exam/checks.js";
import { type ClientHandle, type StartedSandbox, startSandbox } from "../../src/index.js";
import { type ClientSettings, CorrectClient, tlsOf } from "./correct-client.js";
import { CorrectHttp2Client } from "./correct-http2-client.js";

const lists = { payments: { count: 40 } };
/**
 * The check that a run with a scenario exercises in addition to those of every run. run/exam.night.test.ts runs it with
 * all scenarios.
 */
const exercised: Readonly<Record<string, string>> = {
  "unauthorized-once": "token.refused",
  maintenance: "retry.after",
  redirected: "token.host",
  "html-page-with-200": "list.lost-page",
  "internal-error-always": "retry.paced",
  "cursor-refused-once": "list.restart",
};

let sandbox: StartedSandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ lists, seed: "exam" });
});

afterAll(() => sandbox.close());

function clientOf(
  registered: ClientHandle,
  more: Partial<ClientSettings> = {},
  Client: typeof CorrectClient = CorrectClient,
): CorrectClient {
  return new Client({ url: registered.url, clientId: registered.clientId, ...registered.tls, ...more });
}

/** Its requests wait for one of two connections, with the token that they have. */
class Pooled extends CorrectClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 2, ...tlsOf(this) });

  override agent(): Agent {
    return this.#agent;
  }

  override close(): void {
    this.#agent.destroy();
  }
}

async function verdictsOf(registered: ClientHandle, finished = false): Promise<ReadonlyMap<string, string>> {
  const { drills } = await registered.report({ finished });
  return new Map(drills.flatMap(({ checks }) => checks.map(({ id, verdict }) => [id, verdict] as const)));
}

describe.concurrent("a correct client fails nothing", () => {
  it("without a scenario, and the report says what it did not exercise", async () => {
    const registered = await sandbox.createClient();
    const client = clientOf(registered);
    await client.run();
    client.close();
    const { failed, summary, drills } = await registered.report({ finished: true });
    expect(failed).toEqual([]);
    expect(summary).toEqual({ pass: 18, fail: 0, warn: 0, notExercised: checkIds.length - 18 });
    expect(drills).toMatchObject([{ name: "run", verdict: "pass", outcome: { expected: "any", exitStatus: null } }]);
  });

  it.each(Object.entries(exercised))("with %s, which exercises %s", { tags: "slow" }, async (name, check) => {
    const registered = await sandbox.createClient({ seed: name });
    await registered.useScenario(name);
    const client = clientOf(registered);
    const finished = await client.run().then(
      () => true,
      () => false,
    );
    client.close();
    expect((await registered.report({ finished })).failed).toEqual([]);
    expect((await verdictsOf(registered, finished)).get(check)).toBe("pass");
  });

  it.concurrent.each([
    ["stream-refused", "h2.refused-retried"],
    ["stream-reset", "retry.bounded"],
    ["goaway", "h2.goaway"],
    ["goaway-before-request", "h2.goaway"],
  ])("over HTTP/2 with %s, which exercises %s", { tags: "slow" }, async (name, check) => {
    const registered = await sandbox.createClient({ seed: name });
    await registered.useScenario(name);
    const client = clientOf(registered, {}, CorrectHttp2Client);
    await client.run();
    client.close();
    expect((await registered.report()).failed).toEqual([]);
    expect((await verdictsOf(registered)).get(check)).toBe("pass");
  });

  it("with server-certificate-untrusted, and sends nothing", { tags: "slow" }, async () => {
    const own = await startSandbox({ lists, scenario: "server-certificate-untrusted" });
    try {
      const registered = await own.createClient();
      const client = clientOf(registered);
      await expect(client.run()).rejects.toThrow();
      client.close();
      const { failed, drills } = await own.report();
      expect(failed).toEqual([]);
      expect(drills[0]?.checks).toContainEqual(
        expect.objectContaining({ id: "tls.server-certificate", verdict: "pass", exchanges: [] }),
      );
      expect(await own.countRequests()).toBe(0);
    } finally {
      await own.close();
    }
  });

  it("with tokens that are valid for a second", { tags: "slow" }, async () => {
    const own = await startSandbox({ lists, assumptions: { "token.lifetime": 1 } });
    try {
      const registered = await own.createClient();
      const client = clientOf(registered);
      // On a busy machine, a token may expire before it is used.
      await client.ping().catch(() => {});
      await sleep(2500);
      await client.ping().catch(() => {});
      client.close();
      expect((await registered.report()).failed).toEqual([]);
      expect((await verdictsOf(registered)).get("token.expired")).toBe("pass");
    } finally {
      await own.close();
    }
  });

  it.each([
    [1, "same"],
    [3, "same"],
    [1, "first"],
    [3, "first"],
  ] as const)("on a list whose page %i leads to the %s page", async (page, cursor) => {
    const registered = await sandbox.createClient();
    await registered.useScenario({ rules: [{ when: { operation: "list", page }, then: { page: { cursor } } }] });
    const client = clientOf(registered);
    await expect(client.run()).rejects.toThrow("circle");
    client.close();
    expect((await registered.report()).failed).toEqual([]);
    expect((await verdictsOf(registered)).get("list.loop")).toBe("pass");
  });

  // Simultaneous requests are judged by the time of their arrival, so no other tests run at the same time.
  it.sequential("with several requests at once", { tags: "slow" }, async () => {
    const registered = await sandbox.createClient();
    await registered.useScenario({ rules: [{ limit: 10, then: { error: "SERVICE_UNAVAILABLE" } }] });
    const client = clientOf(registered);
    // Some requests fail finally.
    await Promise.allSettled([1, 2, 3, 4, 5, 6, 7, 8].map(() => client.ping()));
    await Promise.allSettled([1, 2, 3].map(() => client.walk("/v1/payments", { pageSize: "10" })));
    client.close();
    expect((await registered.report()).failed).toEqual([]);
  });

  it.sequential.each(["unauthorized-once", "token-for-other-certificate", "internal-error-always"])(
    "with %s and more requests at once than its pool has connections",
    { tags: "slow" },
    async (name) => {
      const registered = await sandbox.createClient();
      await registered.useScenario(name);
      const client = clientOf(registered, {}, Pooled);
      const walks = ["10", "7"].map((pageSize) => client.walk("/v1/payments", { pageSize }));
      // The sandbox cannot distinguish several equal requests in a row from repetitions.
      const pings = name === "internal-error-always" ? [1] : [1, 2, 3, 4];
      await Promise.allSettled([...pings.map(() => client.ping()), ...walks, client.walk("/v1/payouts")]);
      client.close();
      expect((await registered.report()).failed).toEqual([]);
    },
  );

  it.sequential.each([
    ["FORBIDDEN", true],
    ["FORBIDDEN", false],
    ["TOO_MANY_REQUESTS", true],
    ["TOO_MANY_REQUESTS", false],
  ] as const)(
    "with several requests at once that are refused with %s, with open connections: %s",
    async (code, isOpen) => {
      const registered = await sandbox.createClient();
      const client = clientOf(registered);
      const token = await client.token();
      const together = () => Promise.all(Array.from({ length: 12 }, () => client.authorised("/v1/ping", token)));
      if (isOpen) await together();
      await registered.useScenario({ rules: [{ then: { error: { code, headers: { "Retry-After": "30" } } } }] });
      await together();
      client.close();
      expect((await registered.report()).failed).toEqual([]);
    },
  );

  it("with a clock that is moved between its requests", async () => {
    const registered = await sandbox.createClient();
    const client = clientOf(registered);
    const first = await client.page("/v1/payments", { pageSize: "10" }, undefined);
    await registered.clock.advance("2h");
    await client.page("/v1/payments", { pageSize: "10" }, first.next).catch(() => {});
    client.close();
    expect((await registered.report()).failed).toEqual([]);
  });
});

it("a client that does nothing passes nothing", async () => {
  const registered = await sandbox.createClient();
  const { failed, summary, drills } = await registered.report();
  expect(failed).toEqual([]);
  expect(summary).toEqual({ pass: 0, fail: 0, warn: 0, notExercised: checkIds.length });
  expect(drills[0]?.verdict).toBe("not-exercised");
});
