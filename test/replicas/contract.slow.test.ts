import { describe, expect, it } from "vitest";
import type { Sandbox } from "../../src/library/composition/sandbox.js";
import { hasRedis, RedisServer } from "./redis-server.js";
import { admin, mint, ping, Replicas, send, token } from "./replicas.js";

const teapot =
  "description: Of a test.\nrules:\n  - { name: it, when: { operation: ping }, limit: 2, then: { respond: { status: 418 } } }\n";

/** What differs between two runs: keys, certificates, times, addresses. */
function still(value: unknown): unknown {
  const text = JSON.stringify(value) ?? "";
  return JSON.parse(
    text
      .replaceAll(/-----BEGIN[^"]*?-----END[^"-]*-----(\\n)?/g, "PEM")
      .replaceAll(/(?<![\w-])[\w-]{43}(?![\w-])/g, "THUMBPRINT")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
      .replaceAll(/"(serialNumber|url|registration|downloads)":"[^"]*"/g, '"$1":"…"')
      .replaceAll(/https?:\/\/[^"/]*/g, "URL"),
  );
}

/**
 * Calls that change everything that can be changed, in turns at one place and at another, and after each what both then
 * show.
 */
async function transcript(here: Sandbox, there: Sandbox): Promise<readonly unknown[]> {
  const lines: unknown[] = [];
  let turn = 0;
  const overview = async (at: Sandbox) => {
    const calls = ["GET /clients", "GET /clock", "GET /scenario", "GET /scenarios", "GET /requests/count"];
    const answers = await Promise.all(calls.map((call) => admin(at, call)));
    const uploaded = answers[3]?.body.items.filter(({ origin }: { origin: string }) => origin === "uploaded");
    return still([answers[0]?.body, answers[1]?.body, answers[2]?.body, uploaded, answers[4]?.body]);
  };
  const call = async (text: string, body?: unknown) => {
    turn += 1;
    const { status, body: answer } = await admin(turn % 2 === 0 ? there : here, text, body);
    const [one, other] = [await overview(here), await overview(there)];
    expect(other, text).toEqual(one);
    lines.push(still([text, status, answer, one]));
    return answer;
  };
  const requests = async (...statuses: readonly Promise<number>[]) => lines.push(await Promise.all(statuses));

  await call("POST /clients", { clientId: "one", seed: "1" });
  const second = await call("POST /clients", { clientId: "two", seed: "2" });
  await call("POST /clients", { clientId: "one" });
  await call("POST /clients/one/certificates", { certificate: second.certificate });
  await call("DELETE /clients/two");
  await call("POST /clients/one/certificates", { certificate: second.certificate });
  await call("POST /clients", { clientId: "two", seed: "3" });
  await call("POST /clients/one/rotate", { overlap: "1h" });
  await call("POST /clients/one/clock", { advance: "2h" });
  await call("GET /clients/one");
  await call(`DELETE /clients/one/certificates/${second.thumbprint}`);
  await call(`DELETE /clients/one/certificates/${second.thumbprint}`);
  await call("POST /clients/demo/rotate", { sameKey: true });
  await call("DELETE /clients/one");
  await call("DELETE /clients/one");
  await call("GET /clients/one");

  await call("POST /clients", { clientId: "five", seed: "6", expected: ["INVALID_PAGE_SIZE"] });
  await call("PUT /clients/five/expected", { expected: ["A", "B"] });
  await call("PUT /clients/five/expected", { expected: ["A B"] });
  await call("POST /reset", { client: "five" });
  await call("PUT /clients/two/expected", { expected: ["A"] });

  await call("PUT /clock", { offset: "1h" });
  await call("PUT /clients/two/clock", { frozenAt: "2030-01-01T00:00:00Z" });
  await call("DELETE /clock");
  await call("PUT /clock", { now: "0001-01-01T00:00:00Z" });

  await call("PUT /scenarios/teapot", teapot);
  await call("PUT /scenarios/broken", "rules: 5");
  await call("PUT /clients/two/scenario", { name: "teapot" });
  await call("PUT /scenario", { name: "teapot" });
  await call("PUT /scenario", { name: "absent" });
  await call("PUT /scenarios/teapot", teapot.replace("418", "409"));
  await call("DELETE /clients/two/clock");
  const client = await mint(here, { clientId: "three", seed: "4" });
  const bearer = await token(there, client);
  for (const at of [here, there, here, there]) await requests(ping(at, client, bearer));
  await call("PUT /clients/three/scenario", { name: "teapot" });
  for (const at of [there, there, there]) await requests(ping(at, client, bearer));
  await call("POST /reset", { client: "three" });
  for (const at of [here, there, here]) await requests(ping(at, client, bearer));
  await call("DELETE /requests?client=three&operation=ping");
  await call("DELETE /requests?client=*");
  await requests(send(there, client, "GET /v1/ping", { Authorization: "Bearer wrong" }).then(({ status }) => status));
  await call("GET /requests/count?client=three");
  await call("DELETE /scenarios/teapot");
  await call("DELETE /scenarios/teapot");
  await requests(ping(here, client, bearer), ping(there, client, bearer));

  await call("POST /server/next-ca", {});
  await call("POST /server/certificate", { issuer: "next-ca" });
  await call("POST /clients", { clientId: "four", seed: "5" });
  await call("POST /reset", {});
  await call("DELETE /requests");
  return lines;
}

describe.skipIf(!hasRedis)("a state in Redis behaves as one in memory", () => {
  it("the same calls have the same answers and effects", async () => {
    const alone = await new Replicas(undefined).start({ seed: "7" });
    const replicas = new Replicas((await RedisServer.start()).url);
    const [a, b] = [await replicas.start({ seed: "7" }), await replicas.start({ seed: "7" })];
    const [expected, shown] = [await transcript(alone, alone), await transcript(a, b)];
    for (const [place, line] of shown.entries()) expect(line).toEqual(expected[place]);
    expect(shown).toHaveLength(expected.length);
    const late = await replicas.start({ seed: "7" });
    for (const call of ["GET /clients", "GET /scenario", "GET /requests/count", "GET /ca.pem"])
      expect(still((await admin(late, call)).body), call).toEqual(still((await admin(a, call)).body));
  });

  it.each(["memory", "Redis"])(
    "in %s: calls at the same time have one order, and one that fails changes nothing",
    async (kind) => {
      const replicas = new Replicas(kind === "Redis" ? (await RedisServer.start()).url : undefined);
      const a = await replicas.start();
      const b = kind === "Redis" ? await replicas.start() : a;
      const places = [a, b, a, b, a, b];
      const moves = places.flatMap((at) => [at, at]).map((at) => admin(at, "POST /clock", { advance: "1s" }));
      const made = places.map((at) => admin(at, "POST /clients", { clientId: "wanted" }));
      const refused = places.map((at) =>
        admin(at, "PUT /clients/demo/clock", { offset: "1s", now: "0001-01-01T00:00:00Z" }),
      );
      expect((await Promise.all(moves)).every(({ status }) => status === 200)).toBe(true);
      expect((await Promise.all(made)).map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
      expect((await Promise.all(refused)).map(({ status }) => status)).toEqual(Array(6).fill(400));
      for (const at of [a, b]) {
        expect((await admin(at, "GET /clock")).body.offset).toBe(12_000);
        expect((await admin(at, "GET /clients/demo/clock")).body.offset).toBe(0);
      }
    },
  );

  it("a change of more records than a replica reads at once, at every replica", async () => {
    const replicas = new Replicas((await RedisServer.start()).url);
    const [a, b] = [await replicas.start(), await replicas.start()];
    await Promise.all(Array.from({ length: 600 }, (_, index) => admin(index % 2 === 0 ? a : b, "POST /clients", {})));
    expect((await admin(a, "POST /reset", {})).status).toBe(204);
    expect((await admin(b, "PUT /scenario", { name: "internal-error-always" })).status).toBe(200);
    const client = await mint(b);
    expect(await ping(a, client, await token(b, client))).toBe(500);
    const late = await replicas.start();
    const lists = await Promise.all([a, b, late].map(async (at) => (await admin(at, "GET /clients")).body.items));
    const ids = lists.map((items) => items.map(({ clientId }: { clientId: string }) => clientId));
    expect(ids[0].length).toBeGreaterThan(600);
    expect([ids[1], ids[2]]).toEqual([ids[0], ids[0]]);
    expect(replicas.warnings).toEqual([]);
  });
});
