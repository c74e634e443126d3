import { describe, expect, it } from "vitest";
import type { Passage } from "../../../src/sandbox/connection/passage.js";
import { activate, choose, faultOf, type ScenarioHarness, under } from "./through-the-api.js";

describe("concurrency", () => {
  /**
   * A token is verified at its first use, which takes a moment. Later requests with it are handled immediately, in
   * their order.
   */
  async function known(harness: ScenarioHarness): Promise<void> {
    for (const as of ["demo", "other"] as const) expect((await harness.get("/v1/ping", { as })).status).toBe(200);
  }

  it("refuses requests beyond the limit", { tags: "slow" }, async () => {
    const { harness, get } = await under(
      "{ name: two, then: { concurrency: { limit: 2, retryAfter: 1s }, delay: 100ms } }",
    );
    await known(harness);
    const answers = await Promise.all([1, 2, 3].map(() => get("/v1/ping")));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect([answers[2]?.json.code, answers[2]?.headers.get("Retry-After")]).toEqual(["TOO_MANY_REQUESTS", "1"]);
    expect((await get("/v1/ping")).status).toBe(200);
    expect((await harness.get("/v1/ping", { headers: choose("it"), as: "other" })).status).toBe(200);
  });

  it("does nothing and does not count if nothing is open", async () => {
    const { get } = await under("{ limit: 1, then: { concurrency: { limit: 1 } } }");
    for (let index = 0; index < 3; index++) expect(faultOf(await get("/v1/ping"))).toBeNull();
  });

  it("counts requests of all clients with share: all", async () => {
    const { harness } = await under("{ share: all, then: { concurrency: { limit: 1 }, delay: 100ms } }");
    await known(harness);
    const statuses = await Promise.all(
      (["demo", "other"] as const).map(
        async (as) => (await harness.get("/v1/ping", { as, headers: choose("it") })).status,
      ),
    );
    expect(statuses).toEqual([200, 429]);
  });

  it.each([
    ["without a token", {}],
    ["with a token of another client", { token: "other" }],
    ["without a certificate", { token: "demo", peer: "none" }],
    ["with a token that is not genuine", { token: "x.y.z" }],
  ] as const)(
    "a request %s does not count as open while it waits, because it is refused for another reason",
    async (_what, { ...how }) => {
      const { harness } = await under("{ share: all, then: { concurrency: { limit: 1 }, delay: 100ms } }");
      await known(harness);
      harness.service.scenarios.forAll.choose("it");
      const { token, peer } = { token: undefined, peer: "demo", ...how } as { token?: string; peer: "demo" | "none" };
      const sent =
        token === undefined || !(token in harness.tokens) ? token : harness.tokens[token as "demo" | "other"];
      const refused = () =>
        harness.send("/v1/ping", { peer: harness.peers[peer], ...(sent === undefined ? {} : { token: sent }) });
      const pings = () => [1, 2].map(() => harness.get("/v1/ping"));
      const answers = await Promise.all([refused(), refused(), ...pings(), refused()]);
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 200, 429, 401]);
      expect((await Promise.all(pings())).map(({ status }) => status)).toEqual([200, 429]);
    },
  );

  it("a request that is refused for its parameters counts as open, because its client was accepted", async () => {
    const { harness } = await under("{ then: { concurrency: { limit: 1 }, delay: 100ms } }");
    await known(harness);
    activate(harness, "demo", "it");
    const answers = await Promise.all([harness.get("/v1/payments?pageSize=0"), harness.get("/v1/ping")]);
    expect(answers.map(({ status }) => status)).toEqual([400, 429]);
  });

  describe("with the connection", () => {
    type Listener = { closed(delivered: boolean, passage?: Passage): void };

    /**
     * A request of a client whose connection is controlled by the test, which notifies the newest listener of the end
     * once.
     */
    function begin(harness: ScenarioHarness) {
      const tracked: Listener[] = [];
      const bindings = {
        peer: harness.peers.demo,
        incoming: { url: "/v1/ping" },
        rawHeaders: ["Host", "localhost", "Authorization", `Bearer ${harness.tokens.demo}`],
        track: (listener: Listener) => tracked.push(listener),
      };
      const answer = Promise.resolve(harness.app.request("https://localhost/v1/ping", {}, bindings));
      return { answer, closed: (...how: Parameters<Listener["closed"]>) => tracked.at(-1)?.closed(...how) };
    }

    it("a client that disconnects before its token is verified does not count as open", async () => {
      const { harness } = await under("{ then: { concurrency: { limit: 1 } } }");
      activate(harness, "demo", "it");
      const { answer, closed } = begin(harness);
      closed(false);
      await answer;
      expect((await harness.get("/v1/ping")).status).toBe(200);
    });

    it("reports the delivery of the answer, as without a limit", async () => {
      const { harness } = await under("{ then: { concurrency: { limit: 1 } } }");
      activate(harness, "demo", "it");
      const { answer, closed } = begin(harness);
      await answer;
      expect((await harness.get("/v1/ping")).status).toBe(429);
      const passage: Passage = { arrivedAt: 1, releasedAt: 2, ordinal: 3, keptOpen: true, isBroken: false };
      const [exchange] = harness.exchanges.slice(-2);
      closed(true, passage);
      exchange?.recorded(1, undefined);
      expect(exchange?.passage).toMatchObject(passage);
      expect((await harness.get("/v1/ping")).status).toBe(200);
    });
  });

  it("sequential requests are never refused, whatever the results of earlier ones", async () => {
    const { harness } = await under("{ then: { concurrency: { limit: 1 } } }");
    activate(harness, "demo", "it");
    for (const target of ["/v1/ping", "/v1/ping?produceError=true", "/v1/payments?pageSize=0", "/v1/ping"])
      expect((await harness.get(target)).status).not.toBe(429);
    expect((await harness.send("/v1/ping")).status).toBe(401);
    expect((await harness.get("/v1/ping")).status).toBe(200);
  });
});
