import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClientHandle, type ScenarioDefinition, type StartedSandbox, startSandbox } from "../../src/index.js";
import { openHttp2 } from "../support/http2-session.js";
import { CorrectClient } from "./correct-client.js";

type Then = NonNullable<ScenarioDefinition["rules"]>[number]["then"];
type Operation = "token" | "ping" | "list";

let sandbox: StartedSandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ lists: { payments: { count: 40 } } });
});

afterAll(() => sandbox.close());

const payments = "/v1/payments?pageSize=10";

/** The verdicts on a client with a rule. */
async function verdicts(
  operation: Operation,
  then: Then,
  act: (client: CorrectClient, registered: ClientHandle) => Promise<unknown>,
): Promise<ReadonlyMap<string, string>> {
  const registered = await sandbox.createClient();
  await registered.useScenario({ rules: [{ when: { operation }, then }] });
  const client = new CorrectClient({ url: registered.url, clientId: registered.clientId, ...registered.tls });
  try {
    await act(client, registered);
  } finally {
    client.close();
  }
  const { drills } = await registered.report({ finished: true });
  return new Map(drills.flatMap(({ checks }) => checks.map(({ id, verdict }) => [id, verdict] as const)));
}

const get =
  (path: string, times = 1) =>
  async (client: CorrectClient) => {
    for (let time = 0; time < times; time++) await client.authorised(path, await client.token());
  };

const twoTokens = async (client: CorrectClient) => {
  await client.postForm();
  await client.postForm();
};

describe("clients are judged by the answers that they got", () => {
  it.concurrent.each<[string, string, Then, string]>([
    ["loses its rows", "list.empty-page", { alter: { body: { items: [] } } }, "fail"],
    ["becomes an error", "list.empty-page", { alter: { status: 503, body: { items: [] } } }, "not-exercised"],
    ["is longer than the journal keeps", "list.empty-page", longer({ items: [] }), "fail"],
    ["is a scenario's, and the last", "list.empty-page", page({ items: [], nextCursor: null }), "not-exercised"],
    ["is not JSON", "list.empty-page", { respond: { status: 200, body: "<p>" } }, "not-exercised"],
  ])("a page that %s: %s", async (_what, check, then, verdict) => {
    expect((await verdicts("list", then, get(payments))).get(check)).toBe(verdict);
  });

  it.concurrent("a second page that becomes an error does not exercise list.loop", async () => {
    const walk = (client: CorrectClient) => client.page("/v1/payments", { pageSize: "10" }, undefined);
    const second = async (client: CorrectClient, { useScenario }: Pick<ClientHandle, "useScenario">) => {
      const { next } = await walk(client);
      await useScenario({ rules: [{ then: { alter: { status: 500 } } }] });
      await client.authorised(`${payments}&cursor=${next}`, await client.token());
    };
    const found = await verdicts("ping", { delay: "1ms" }, (client, registered) =>
      second(client, { useScenario: (scenario) => registered.useScenario(scenario) }),
    );
    expect(found.get("list.loop")).toBe("not-exercised");
  });

  it.concurrent("a client that follows pages of a scenario in a circle fails list.loop", async () => {
    const then = page({ items: [{ id: 1 }], nextCursor: "again" });
    expect(
      (
        await verdicts("list", then, async (client) => {
          await get(payments)(client);
          await get(`${payments}&cursor=again`, 3)(client);
        })
      ).get("list.loop"),
    ).toBe("fail");
  });

  it.concurrent.each<[string, Then, string]>([
    ["is empty", { alter: { body: { access_token: "" } } }, "not-exercised"],
    ["cannot be sent", { alter: { body: { access_token: "a b" } } }, "not-exercised"],
    ["has no type", { alter: { setNull: ["token_type"] } }, "not-exercised"],
    ["has no end", { alter: { body: { expires_in: null } } }, "not-exercised"],
    ["is good in a long answer", longer({}), "fail"],
  ])("a token that %s, and a second one", { tags: "slow" }, async (_what, then, verdict) => {
    const found = await verdicts("token", then, twoTokens);
    expect(found.get("token.reused")).toBe(verdict);
  });

  it.concurrent("a token without a type is not a token of another type", async () => {
    const found = await verdicts("token", { alter: { body: { token_type: null } } }, async (client) => {
      const { access_token } = JSON.parse((await client.postForm()).text) as { access_token: string };
      await client.authorised("/v1/ping", { value: access_token, type: "", renewAt: 0 });
    });
    expect(found.get("token.type")).toBe("not-exercised");
  });

  it.concurrent.each<[string, string, Then]>([
    ["30", "fail", { alter: { status: 503, headers: { "Retry-After": "30" } } }],
    ["0", "pass", { alter: { status: 503, headers: { "Retry-After": "0" } } }],
    ["-5, which has no meaning", "not-exercised", { alter: { status: 503, headers: { "Retry-After": "-5" } } }],
    ["30, taken away", "not-exercised", { error: maintenance, alter: { headers: { "Retry-After": null } } }],
  ])("an answer with Retry-After: %s", { tags: "slow" }, async (_value, verdict, then) => {
    expect((await verdicts("ping", then, get("/v1/ping", 2))).get("retry.after")).toBe(verdict);
  });

  it.concurrent.each<[string, Then]>([
    ["an error", { error: maintenance }],
    ["its own answer", { respond: { status: 503, headers: { "Retry-After": "30" } } }],
  ])(
    "token requests for two scopes are two different requests, although a rule sends %s",
    { tags: "slow" },
    async (_what, then) => {
      const forScope = (scope: string) => (client: CorrectClient) =>
        client.post(`grant_type=client_credentials&client_id=${client.settings.clientId}&scope=${scope}`);
      const other = await verdicts("token", then, async (client) => {
        await forScope("read")(client);
        await forScope("write")(client);
      });
      expect(other.get("retry.after")).toBe("not-exercised");
      const same = await verdicts("token", then, async (client) => {
        await forScope("read")(client);
        await forScope("read")(client);
      });
      expect(same.get("retry.after")).toBe("fail");
    },
  );

  it.concurrent("a form that arrives after its answer is not judged", async () => {
    const found = await verdicts(
      "token",
      { error: "INVALID_CLIENT" },
      async (client, { tls: { ca, cert, key }, url }) => {
        const { session } = await openHttp2(url, { ca, identity: { cert, key } });
        const type = "application/x-www-form-urlencoded";
        const form = client.form().toString();
        const head = { ":method": "POST", ":path": "/oauth/v2/oauth-token", "content-type": type };
        const stream = session.request({ ...head, "content-length": form.length }).resume();
        await once(stream, "response");
        stream.end(form);
        await once(stream, "close");
        session.destroy();
      },
    );
    expect(found.get("token.form")).toBe("not-exercised");
  });

  it.concurrent("a refusal of a token that breaks after its status requires a new token", async () => {
    const then: Then = { error: "UNAUTHORIZED", connection: "truncate" };
    const found = await verdicts("ping", then, async (client) => {
      for (const _ of [1, 2]) {
        const token = await client.requestToken();
        await client.authorised("/v1/ping", token).catch(() => {});
      }
    });
    expect(found.get("token.reused")).toBe("pass");
  });
});

const maintenance = { code: "SERVICE_UNAVAILABLE", headers: { "Retry-After": "30" } } as const;

function longer(body: Record<string, unknown>): Then {
  return { alter: { body: { ...body, note: "x".repeat(5000) } } };
}

function page(body: unknown): Then {
  return { respond: { status: 200, body: JSON.stringify(body) } };
}
