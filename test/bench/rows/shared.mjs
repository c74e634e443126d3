// The cost of two sandboxes that share their state in Redis, compared with one that is alone. All the load goes to one
// of the two.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { identitiesReady, Missing, startRedis, startSandbox } from "../contenders.mjs";
import { getRequest } from "../lib/load.mjs";
import { interleave, median, spread } from "../lib/measure.mjs";

/** A rule that counts each request, and never acts in the time of a bench. The bench measures the counting. */
const counted = `description: Counts.
rules:
  - { when: { operation: ping }, skip: 1000000, then: { error: NOT_FOUND } }
`;

/** Simultaneous calls when clients are made in parallel, as by a CI system that starts its jobs. */
const atOnce = 50;

/** Starts two sandboxes and their Redis, and adds them to the servers. */
async function startPair(bench, servers, flags = []) {
  const redis = await startRedis(bench.folder);
  servers.push(redis);
  const pair = [];
  for (const name of ["one", "other"]) {
    pair.push(await startSandbox(bench.cli, bench.certs, { name, flags: [...flags, "--shared", redis.url] }));
    servers.push(pair.at(-1));
    // It answers from the start, but with 503 until it has joined.
    await identitiesReady(pair.at(-1));
  }
  return pair;
}

async function startAlone(bench, servers, flags = []) {
  const sandbox = await startSandbox(bench.cli, bench.certs, { flags });
  servers.push(sandbox);
  await identitiesReady(sandbox);
  return sandbox;
}

/** Leaves a group out if there is no Redis. */
async function unlessMissing(bench, work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Missing)) throw error;
    if (!bench.notes.includes(error.message)) bench.notes.push(error.message);
  }
}

export function shared(bench) {
  return unlessMissing(bench, () => pings(bench));
}

async function pings(bench) {
  const folder = join(bench.folder, "counted");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "counted.yaml"), counted);
  const counts = ["--scenarios", folder, "--scenario", "counted"];
  const shots = await bench.shotsOfStarts(async (servers) => {
    const [one] = await startPair(bench, servers);
    const [countsAtRedis] = await startPair(bench, servers, counts);
    const contenders = {
      alone: await startAlone(bench, servers),
      shared: one,
      "alone, no report": await startAlone(bench, servers, ["--report", "off"]),
      "alone, a rule that counts": await startAlone(bench, servers, counts),
      "shared, a rule that counts": countsAtRedis,
    };
    return Object.entries(contenders).map(([name, server]) => ({
      name,
      server,
      request: async () => getRequest("/v1/ping", await server.token()),
    }));
  });
  bench.addRates("ping of sandboxes that share their state", shots);
  bench.compare("shared: cost of a ping / alone", shots.alone, shots.shared, { most: 4 });
  bench.compare("cost of a ping with the report / without", shots["alone, no report"], shots.alone);
  bench.compare(
    "shared: cost of a ping with a rule that counts / alone",
    shots["alone, a rule that counts"],
    shots["shared, a rule that counts"],
  );
}

export function sharedClients(bench) {
  return unlessMissing(bench, async () => {
    await oneAfterTheOther(bench);
    await inParallel(bench);
  });
}

async function oneAfterTheOther(bench) {
  const servers = [];
  try {
    const [one] = await startPair(bench, servers);
    const alone = await startAlone(bench, servers);
    const timed = (name, server) => ({
      name,
      shot: async () => {
        const times = [];
        for (let call = 0; call < 50; call++) {
          const begunAt = performance.now();
          await server.admin("POST", "/clients", {});
          times.push(performance.now() - begunAt);
        }
        return median(times);
      },
    });
    const contenders = [timed("alone", alone), timed("two replicas", one)];
    const figures = await interleave(contenders, bench);
    for (const [name, times] of Object.entries(figures)) {
      bench.figures.push({ group: "POST /clients, in µs", name, unit: "µs", ...spread(times.map((ms) => ms * 1000)) });
    }
    bench.compare("shared: time of POST /clients with two replicas / alone", figures["two replicas"], figures.alone);
  } finally {
    for (const server of servers) await server.stop();
  }
}

/** Sandboxes are new in each round, so they have no clients yet. */
async function inParallel(bench) {
  const clients = bench.quick ? 500 : 5000;
  const timed = (name, start) => ({
    name,
    shot: async () => {
      const servers = [];
      try {
        const sandboxes = await start(servers);
        const begunAt = performance.now();
        let made = 0;
        const caller = async () => {
          while (made < clients) await sandboxes[made++ % sandboxes.length].admin("POST", "/clients", {});
        };
        await Promise.all(Array.from({ length: atOnce }, caller));
        return performance.now() - begunAt;
      } finally {
        for (const server of servers) await server.stop();
      }
    },
  });
  const contenders = [
    timed("alone", async (servers) => [await startAlone(bench, servers)]),
    timed("two replicas", (servers) => startPair(bench, servers)),
  ];
  const figures = await interleave(contenders, { rounds: bench.quick ? 1 : 3, milliseconds: 0, warmUp: 0 });
  for (const [name, times] of Object.entries(figures)) {
    bench.figures.push({ group: `${clients} clients, ${atOnce} calls at once`, name, unit: "ms", ...spread(times) });
  }
  const each = `shared: time of ${clients} clients made in parallel with two replicas / alone`;
  bench.compare(each, figures["two replicas"], figures.alone);
}
