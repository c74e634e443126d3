// Whether memory stays flat over three million pings: the slope of resident memory over the last half of them.
import { startSandbox } from "../contenders.mjs";
import { connections } from "../lib/bench.mjs";
import { getRequest } from "../lib/load.mjs";
import { slope } from "../lib/slope.mjs";

const mebibyte = 2 ** 20;

export async function endurance(bench) {
  const total = bench.quick ? 150_000 : 3_000_000;
  const slices = bench.quick ? 20 : 60;
  const sandbox = await startSandbox(bench.cli, bench.certs);
  const samples = [];
  try {
    await bench.withLoad(bench.certs.client, async (load) => {
      for (let slice = 0; slice < slices; slice++) {
        const request = getRequest("/v1/ping", await sandbox.token());
        await load.run({ port: sandbox.port, request, connections, milliseconds: 60_000, answers: total / slices });
        samples.push(sandbox.residentMemory() / mebibyte);
      }
    });
  } finally {
    await sandbox.stop();
  }
  const half = samples.slice(slices / 2);
  // Growth over the whole half, as a share of resident memory: a leak of 50 bytes for each request would be 70 MiB.
  const growth = slope(half) * half.length;
  const share = 1 + growth / (half.reduce((sum, value) => sum + value, 0) / half.length);
  bench.figures.push({
    group: `memory over ${total.toLocaleString("en")} pings`,
    name: "sandbox, last half",
    unit: "MiB",
    median: half.at(Math.floor(half.length / 2)),
    low: Math.min(...half),
    high: Math.max(...half),
  });
  bench.rows.push({
    name: `memory over ${total.toLocaleString("en")} pings: growth in the last half`,
    ratio: { median: share, low: share, high: share },
    target: { most: 1.05 },
  });
}
