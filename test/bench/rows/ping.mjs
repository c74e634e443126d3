// Ping with a token: all checks, journal on, default settings. And the resident memory after the same load.
import { setTimeout as sleep } from "node:timers/promises";
import { Missing, startFloor, startHono, startMockoon, startSandbox, startWireMock } from "../contenders.mjs";
import { getRequest } from "../lib/load.mjs";
import { spread } from "../lib/measure.mjs";
import { recordAnswer } from "../lib/recorded.mjs";

export async function ping(bench) {
  const memory = {};
  const shots = await bench.shotsOfStarts(
    (servers) => begin(bench, servers),
    async (contenders) => {
      await sleep(1000);
      for (const { name, server } of contenders) {
        memory[name] = [...(memory[name] ?? []), server.residentMemory() / 2 ** 20];
      }
    },
  );
  bench.addRates("ping", shots);
  const { sandbox: own } = shots;
  bench.compare("ping: sandbox / bare Hono", own, shots["bare Hono"], { least: 0.45, byCpu: true });
  bench.compare("ping: sandbox / bare Hono, c.json", own, shots["bare Hono, c.json"]);
  bench.compare("ping: sandbox / floor", own, shots.floor);
  bench.compare("ping: sandbox / WireMock", own, shots["WireMock"], { least: 1.1, byCpu: true });
  bench.compare("ping: sandbox / Mockoon", own, shots["Mockoon"]);
  bench.compare("ping: sandbox / other build", own, shots["sandbox, other build"]);
  for (const [name, values] of Object.entries(memory)) {
    bench.figures.push({ group: "memory after the ping load", name, unit: "MiB", ...spread(values) });
  }
  bench.compare("memory: sandbox / WireMock", memory.sandbox, memory["WireMock"], { most: 0.4 });
  bench.compare("memory: sandbox / floor", memory.sandbox, memory.floor);
}

async function begin(bench, servers) {
  const { certs, folder } = bench;
  const sandbox = await startSandbox(bench.cli, certs);
  servers.push(sandbox);
  const answer = await recordAnswer(sandbox, "/v1/ping");
  const withToken = async () => getRequest(answer.path, await sandbox.token());
  const contenders = [{ name: "sandbox", server: sandbox, request: withToken }];
  const add = (name, server, more) => {
    servers.push(server);
    contenders.push({ name, server, request: withToken, ...more });
  };
  if (bench.against) add("sandbox, other build", await startSandbox(bench.against, certs, { name: "other" }));
  add("bare Hono", await startHono(certs, answer));
  add("bare Hono, c.json", await startHono(certs, answer, { plain: true }));
  add("floor", await startFloor(certs, answer));
  if (bench.against) return contenders;
  try {
    add("WireMock", await startWireMock(certs, folder, answer), { warmUp: bench.warmUpOfJava });
  } catch (error) {
    if (!(error instanceof Missing)) throw error;
    if (!bench.notes.includes(error.message)) bench.notes.push(error.message);
  }
  add("Mockoon", await startMockoon(certs, folder, answer));
  return contenders;
}
