// From the start of the process to its first answer over TLS, with any status.
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { identitiesReady, Missing, startFloor, startSandbox, startWireMock } from "../contenders.mjs";
import { certificateFiles } from "../lib/certificates.mjs";
import { interleave, spread } from "../lib/measure.mjs";

const answer = { path: "/v1/ping", headers: { "Content-Type": "application/json" }, body: '{"status":"OK"}' };

export async function start(bench) {
  const { certs, folder, cli, against } = bench;
  const timed = (name, begin) => ({
    name,
    shot: async () => {
      const server = await begin();
      const { startTime } = server;
      await server.stop();
      return startTime;
    },
  });
  const firstStart = async () => {
    const fresh = mkdtempSync(join(folder, "first-"));
    const files = certificateFiles(join(fresh, "certs"));
    const server = await startSandbox(cli, files);
    // Otherwise its identities would still be made while the next contender starts.
    await identitiesReady(server);
    const stop = server.stop.bind(server);
    server.stop = async () => {
      await stop();
      rmSync(fresh, { recursive: true, force: true });
    };
    return server;
  };
  const contenders = [
    timed("sandbox, certificates present", () => startSandbox(cli, certs)),
    timed("sandbox, first start", firstStart),
    timed("floor", () => startFloor(certs, answer)),
  ];
  if (against) contenders.push(timed("sandbox, other build", () => startSandbox(against, certs, { name: "other" })));
  try {
    const first = await startWireMock(certs, folder, answer);
    await first.stop();
    contenders.push(timed("WireMock", () => first.restart()));
  } catch (error) {
    if (!(error instanceof Missing)) throw error;
    bench.notes.push(error.message);
  }
  const figures = await interleave(contenders, { rounds: bench.quick ? 5 : 11, milliseconds: 0, warmUp: 0 });
  for (const [name, times] of Object.entries(figures)) {
    bench.figures.push({ group: "start to first answer", name, unit: "ms", ...spread(times) });
  }
  const present = figures["sandbox, certificates present"];
  bench.compare("start, certificates present: sandbox / floor", present, figures.floor);
  bench.compare("start, certificates present: sandbox / other build", present, figures["sandbox, other build"]);
  bench.compare("first start: sandbox / WireMock", figures["sandbox, first start"], figures["WireMock"], { most: 0.5 });
}
