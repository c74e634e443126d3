// Ping with a token: all checks, journal on, default settings. And what is resident after the same load.
import { setTimeout as sleep } from "node:timers/promises";
import { Missing, startFloor, startHono, startMockoon, startSandbox, startWireMock } from "../contenders.mjs";
import { getRequest } from "../lib/load.mjs";
import { recordAnswer } from "../lib/recorded.mjs";

export async function ping(bench) {
  const { certs, folder } = bench;
  const sandbox = await startSandbox(bench.cli, certs);
  const servers = [sandbox];
  try {
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
    if (!bench.against) {
      try {
        add("WireMock", await startWireMock(certs, folder, answer), { warmUp: bench.warmUpOfJava });
      } catch (error) {
        if (!(error instanceof Missing)) throw error;
        bench.notes.push(error.message);
      }
      add("Mockoon", await startMockoon(certs, folder, answer));
    }
    const figures = await bench.withLoad(certs.client, (load) => bench.rates("ping", load, contenders));
    const { sandbox: own } = figures;
    bench.compare("ping: sandbox / bare Hono", own, figures["bare Hono"], { least: 0.85 });
    bench.compare("ping: sandbox / bare Hono, c.json", own, figures["bare Hono, c.json"]);
    bench.compare("ping: sandbox / floor", own, figures.floor);
    bench.compare("ping: sandbox / WireMock", own, figures["WireMock"], { least: 1.5 });
    bench.compare("ping: sandbox / Mockoon", own, figures["Mockoon"]);
    bench.compare("ping: sandbox / other build", own, figures["sandbox, other build"]);
    await sleep(1000);
    const memory = Object.fromEntries(
      contenders.map(({ name, server }) => [name, [server.residentMemory() / 2 ** 20]]),
    );
    for (const [name, [value]] of Object.entries(memory)) {
      bench.figures.push({
        group: "memory after the ping load",
        name,
        unit: "MiB",
        median: value,
        low: value,
        high: value,
      });
    }
    bench.compare("memory: sandbox / WireMock", memory.sandbox, memory["WireMock"], { most: 0.25 });
    bench.compare("memory: sandbox / floor", memory.sandbox, memory.floor);
  } finally {
    for (const server of servers) await server.stop();
  }
}
