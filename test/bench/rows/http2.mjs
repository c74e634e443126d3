// Ping over HTTP/2: one stream at a time on each of the connections, and 100 streams at a time on one.
import { startHonoHttp2, startSandbox } from "../contenders.mjs";
import { connections } from "../lib/bench.mjs";
import { getFields } from "../lib/load.mjs";
import { recordAnswer } from "../lib/recorded.mjs";

export async function http2(bench) {
  await compare(bench, "ping over HTTP/2", { connections, streams: 1 });
  await compare(bench, "ping over HTTP/2, 100 streams on one connection", { connections: 1, streams: 100 });
}

async function compare(bench, group, load) {
  const shots = await bench.shotsOfStarts((servers) => begin(bench, servers), undefined, load);
  bench.addRates(group, shots);
  bench.compare(`${group}: sandbox / bare Hono on http2`, shots.sandbox, shots["bare Hono on http2"]);
  bench.compare(`${group}: sandbox / other build`, shots.sandbox, shots["sandbox, other build"]);
}

async function begin(bench, servers) {
  const { certs } = bench;
  const sandbox = await startSandbox(bench.cli, certs);
  servers.push(sandbox);
  const answer = await recordAnswer(sandbox, "/v1/ping");
  const request = async () => getFields(answer.path, await sandbox.token());
  // A request takes three times as long as over HTTP/1.1, and the JIT compiler needs the same number of requests to
  // settle.
  const warmUp = 3 * bench.warmUp;
  const contenders = [{ name: "sandbox", server: sandbox, request, warmUp }];
  if (bench.against) {
    const other = await startSandbox(bench.against, certs, { name: "other" });
    servers.push(other);
    contenders.push({ name: "sandbox, other build", server: other, request, warmUp });
  }
  const hono = await startHonoHttp2(certs, answer);
  servers.push(hono);
  return [...contenders, { name: "bare Hono on http2", server: hono, request, warmUp }];
}
