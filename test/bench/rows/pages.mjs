// Pages of 10 and of 100 rows, each made and sealed with a fresh cursor, beside bare Hono that sends one such page again and again.
import { startHono, startSandbox } from "../contenders.mjs";
import { getRequest } from "../lib/load.mjs";
import { recordAnswer } from "../lib/recorded.mjs";

export async function pages(bench) {
  for (const [size, target] of [
    [10, {}],
    [100, { least: 0.6 }],
  ]) {
    const sandbox = await startSandbox(bench.cli, bench.certs);
    const answer = await recordAnswer(sandbox, `/v1/payments?pageSize=${size}`);
    const hono = await startHono(bench.certs, answer);
    const other = bench.against ? await startSandbox(bench.against, bench.certs, { name: "other" }) : undefined;
    try {
      const request = async () => getRequest(answer.path, await sandbox.token());
      const contenders = [
        { name: "sandbox", server: sandbox, request },
        ...(other ? [{ name: "sandbox, other build", server: other, request }] : []),
        { name: "bare Hono", server: hono, request },
      ];
      const group = `page of ${size} (${answer.body.length} bytes)`;
      const figures = await bench.withLoad(bench.certs.client, (load) => bench.rates(group, load, contenders));
      bench.compare(`page of ${size}: sandbox / bare Hono`, figures.sandbox, figures["bare Hono"], target);
      bench.compare(`page of ${size}: sandbox / other build`, figures.sandbox, figures["sandbox, other build"]);
    } finally {
      for (const server of [sandbox, hono, other]) await server?.stop();
    }
  }
}
