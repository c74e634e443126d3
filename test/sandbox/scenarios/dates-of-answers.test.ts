import { describe, expect, it, onTestFinished } from "vitest";
import { openHttp2, sendOnStream } from "../../support/http2-session.js";
import { openTls, parseResponses } from "../../support/raw-client.js";
import { openScenarioSandbox } from "./sandbox.js";

const hour = 3_600_000;
const start = Math.floor(Date.now() / 1000) * 1000;

/** A sandbox whose machine has a clock that stands. */
async function open() {
  const own = await openScenarioSandbox({}, {}, { now: () => start + 400 });
  onTestFinished(() => own.close());
  await own.upload(
    "later",
    "  - { when: { operation: ping }, then: { error: { code: SERVICE_UNAVAILABLE, retryAfter: { in: 5s, format: date } } } }",
  );
  await own.upload(
    "slow",
    "  - { when: { operation: ping }, then: { connection: { kind: slowHeaders, duration: 1ms } } }",
  );
  await own.upload(
    "own",
    "  - { when: { operation: ping }, then: { respond: { status: 200, headers: { X-Own: a } } } }",
  );
  await own.upload("drip", "  - { when: { operation: ping }, then: { connection: { kind: drip, duration: 1ms } } }");
  return own;
}

const at = (instant: number) => new Date(instant).toUTCString();

describe("the header Date is by the client's clock", () => {
  it.each(["slow", "own", "drip", "later"])("of a client whose clock was moved, under %s", async (scenario) => {
    const own = await open();
    const client = await own.clientUnder(scenario);
    await client.advance("2h");
    const { ca, certificate, key, url } = client.material;
    const headers = { Authorization: `Bearer ${await client.token(true)}` };
    const { session } = await openHttp2(url, { ca, identity: { cert: certificate, key } });
    onTestFinished(() => session.destroy());
    const first = await client.wire("/v1/ping", { Connection: "close" });
    await first.end();
    expect(first.head).toContain(`Date: ${at(start + 2 * hour)}`);
    const second = await sendOnStream(session, "/v1/ping", { headers });
    expect(second.headers["date"]).toBe(at(start + 2 * hour));
    if (scenario === "later") {
      // Rounded up, so that nobody waits too short.
      expect(first.head).toContain(`Retry-After: ${at(start + 2 * hour + 6_000)}`);
      expect(second.headers["retry-after"]).toBe(at(start + 2 * hour + 6_000));
    }
  });

  it("of each client its own, and on a connection that stays open", async () => {
    const own = await open();
    const [one, other] = [await own.client(), await own.client()];
    const dateOf = async (client: typeof one) => (await client.get("/v1/ping")).headers["date"];
    expect([await dateOf(one), await dateOf(other)]).toEqual([at(start), at(start)]);
    await one.advance("1m");
    expect([await dateOf(one), await dateOf(other)]).toEqual([at(start + 60_000), at(start)]);
  });

  it("of what is refused by the server itself, and of the sandbox where no client is known", {
    tags: "slow",
  }, async () => {
    const own = await open();
    const client = await own.client();
    await own.admin("POST", "/clock", { advance: "1h" });
    await client.advance("2h");
    const { ca, certificate, key } = client.material;
    for (const [identity, ahead] of [
      [{ cert: certificate, key }, 3 * hour],
      [{}, hour],
    ] as const)
      for (const bytes of [
        "GET /v1/none HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "nonsense\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
      ]) {
        const raw = await openTls({ port: client.port, ca, ...identity });
        const [answer] = parseResponses(await raw.sendAndClose(bytes));
        expect(answer?.headers["date"], bytes).toBe(at(start + ahead));
      }
  });
});
