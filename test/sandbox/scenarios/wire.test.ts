import { describe, expect, it } from "vitest";
import { delay } from "../../../src/sandbox/scenarios/faults/delay.js";
import { eventually } from "../../support/eventually.js";
import { type OutsideClient, sharedSandbox } from "./sandbox.js";

const sandbox = sharedSandbox();
let uploads = 0;

/** A client with a scenario with one rule, called `it`. */
async function clientUnder(then: string, seed?: string): Promise<OutsideClient> {
  uploads += 1;
  await sandbox().upload(`wire-${uploads}`, `  - { name: it, then: ${then} }`);
  return sandbox().clientUnder(`wire-${uploads}`, seed);
}

/** Waits until a request has met a rule that moves the client's clock. */
const arrived = ({ id }: OutsideClient) =>
  eventually(async () => ((await sandbox().admin("GET", `/clients/${id}/clock`)) as { offset: number }).offset > 0);

/** The journal's entry of a ping, once it says that the client did not get the answer. */
const undeliveredPing = ({ id }: OutsideClient) =>
  eventually(async () => {
    const answer = await sandbox().admin("GET", `/requests?client=${id}&operation=ping`);
    const [item] = (answer as { items: { status: number; delivered: boolean | null; fault: string }[] }).items;
    return item?.delivered === false ? item : undefined;
  });

const paths = ["/v1/ping", "/v1/payments?pageSize=100"];

describe("connection", () => {
  it.each(paths)("reset: a TCP RST, and no byte of the answer (%s)", async (path) => {
    const wire = await (await clientUnder("{ connection: reset }")).wire(path);
    expect([await wire.end(), wire.received, wire.closeNotify]).toEqual(["RST", "", false]);
  });

  it.each(paths)("close: close_notify and FIN, and no byte of the answer (%s)", async (path) => {
    const wire = await (await clientUnder("{ connection: close }")).wire(path);
    expect([await wire.end(), wire.received, wire.closeNotify]).toEqual(["FIN", "", true]);
  });

  it.each(paths)("truncate: the full length is announced, half the body is sent, then a RST (%s)", async (path) => {
    const client = await clientUnder("{ connection: truncate }");
    const wire = await client.wire(path);
    expect(await wire.end()).toBe("RST");
    await client.activate(null);
    const { body } = await (await client.wire(path)).answer();
    expect(wire.announced).toBe(body.length);
    expect(wire.body).toHaveLength(Math.floor(body.length / 2));
    expect(wire.head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(wire.head).toMatch(/\r\nSandbox-Fault: wire-\d+\/it#1;seed=\w+(\r\n|$)/);
    expect(wire.closeNotify).toBe(false);
  });

  it("garbage: bytes that no HTTP parser accepts, the same for the same seed", async () => {
    const answers = await Promise.all(
      ["same", "same", "other"].map(async (seed) => {
        const wire = await (await clientUnder("{ connection: garbage }", seed)).wire("/v1/ping");
        expect(await wire.end()).toBe("FIN");
        return wire.received;
      }),
    );
    expect(answers[0]).toHaveLength(33);
    expect(answers[0]).not.toMatch(/^HTTP/);
    const client = await clientUnder("{ connection: garbage }");
    await expect(client.get("/v1/ping")).rejects.toMatchObject({ code: expect.stringMatching(/^HPE_/) });
  });

  it("hang: no byte until the client disconnects, and then the sandbox releases it", async () => {
    const client = await clientUnder("{ connection: { kind: hang, duration: 120s }, clock: { advance: 1s } }");
    const wire = await client.wire("/v1/ping");
    await arrived(client);
    expect(wire.received).toBe("");
    wire.giveUp();
    const journal = await undeliveredPing(client);
    expect(wire.received).toBe("");
    expect(journal).toMatchObject({ status: 0, fault: expect.stringMatching(/^wire-\d+\/it#1;/) });
  });

  it("hang: ends with a FIN, not before the given duration", async () => {
    const wire = await (await clientUnder("{ connection: { kind: hang, duration: 200ms } }")).wire("/v1/ping");
    expect([await wire.end(), wire.received]).toEqual(["FIN", ""]);
    expect(wire.endedAt).toBeGreaterThan(195);
  });

  it("drip: the whole answer, in equal pieces, in at least the given time", { tags: "slow" }, async () => {
    const client = await clientUnder("{ connection: { kind: drip, duration: 400ms } }");
    const wire = await client.wire("/v1/payments");
    const { head, body } = await wire.answer();
    expect(JSON.parse(body).items).toHaveLength(10);
    expect(head).toMatch(/\r\nSandbox-Fault: /);
    const [, ...pieces] = wire.arrivals;
    expect(pieces.at(-1)?.at).toBeGreaterThan(395);
    expect(pieces.length).toBeGreaterThan(10);
    // However late the timers are, no large part arrives at once.
    expect(Math.max(...pieces.map(({ bytes }) => bytes))).toBeLessThan(body.length / 10);
  });

  it("drip: does not change the connection", async () => {
    const client = await clientUnder("{ connection: { kind: drip, duration: 20ms } }");
    for (let round = 0; round < 3; round++) expect((await client.get("/v1/ping")).json).toEqual({ status: "OK" });
  });
});

describe("delay", () => {
  it.each([["/v1/payments", 300]])(
    "is not shorter than announced (%s, %i ms)",
    { tags: "slow" },
    async (path, announced) => {
      const wire = await (await clientUnder(`{ delay: ${announced}ms }`)).wire(path);
      await wire.answer();
      const [first] = wire.arrivals;
      expect(first?.at).toBeGreaterThan(announced - 2);
    },
  );

  it("is the drawn one: a replay waits for the same time", async () => {
    const client = await clientUnder("{ delay: { min: 0ms, max: 300ms } }");
    const key = { scenario: `wire-${uploads}`, rule: "it", count: 7, seed: "fixed" };
    const drawn = Number(delay.delay?.({ kind: "uniform", min: 0, max: 300 }, key));
    for (let round = 0; round < 2; round++) {
      const wire = await client.wire("/v1/ping", { "Sandbox-Replay": `${key.scenario}/it#7;seed=fixed` });
      await wire.answer();
      expect(wire.arrivals[0]?.at).toBeGreaterThan(drawn - 2);
    }
  });

  it("precedes a broken connection", async () => {
    const wire = await (await clientUnder("{ delay: 150ms, connection: reset }")).wire("/v1/ping");
    expect([await wire.end(), wire.received]).toEqual(["RST", ""]);
    expect(wire.endedAt).toBeGreaterThan(145);
  });

  it("ends when the client disconnects, so nothing in the sandbox waits for it", async () => {
    const client = await clientUnder("{ delay: 120s, clock: { advance: 1s } }");
    const wire = await client.wire("/v1/ping");
    await arrived(client);
    wire.giveUp();
    await undeliveredPing(client);
  });
});

describe("over TLS 1.2", () => {
  it("the faults are the same", async () => {
    for (const [kind, end] of [
      ["reset", "RST"],
      ["close", "FIN"],
      ["truncate", "RST"],
    ] as const) {
      const client = await clientUnder(`{ connection: ${kind} }`);
      const wire = await client.wire("/v1/payments", {}, { maxVersion: "TLSv1.2" });
      expect(await wire.end()).toBe(end);
      expect(wire.body).toHaveLength(kind === "truncate" ? Math.floor(wire.announced / 2) : 0);
    }
  });
});
