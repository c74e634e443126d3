// Pages of 10 and of 100 rows, each sealed with a fresh cursor, next to bare Hono that sends the bytes of one such page
// again and again. The sandbox caches the rows of its latest pages. So there are two loads: the same page every time,
// and a thousand pages in turn, which is more than it caches.
import { startHono, startSandbox } from "../contenders.mjs";
import { getRequest } from "../lib/load.mjs";
import { recordAnswer } from "../lib/recorded.mjs";

export async function pages(bench) {
  for (const [size, target] of [
    [10, {}],
    [100, { least: 0.45, byCpu: true }],
  ]) {
    const sandbox = await startSandbox(bench.cli, bench.certs);
    const answer = await recordAnswer(sandbox, `/v1/payments?pageSize=${size}`);
    const hono = await startHono(bench.certs, answer);
    const other = bench.against ? await startSandbox(bench.against, bench.certs, { name: "other" }) : undefined;
    try {
      const request = async () => getRequest(answer.path, await sandbox.token());
      const manyPages = async () => {
        const token = await sandbox.token();
        const newest = Date.now() - 3_600_000;
        const before = (index) => new Date(newest - index * 60_000).toISOString();
        return Array.from({ length: 1000 }, (_, index) =>
          getRequest(`${answer.path}&toCreatedAt=${before(index)}`, token),
        );
      };
      const contenders = [
        { name: "sandbox", server: sandbox, request },
        { name: "sandbox, 1000 pages in turn", server: sandbox, request: manyPages },
        ...(other ? [{ name: "sandbox, other build", server: other, request }] : []),
        { name: "bare Hono", server: hono, request },
      ];
      const group = `page of ${size} (${answer.body.length} bytes)`;
      const figures = await bench.withLoad(bench.certs.client, (load) => bench.rates(group, load, contenders));
      bench.compare(`page of ${size}: sandbox / bare Hono`, figures.sandbox, figures["bare Hono"], target);
      const inTurn = figures["sandbox, 1000 pages in turn"];
      bench.compare(`page of ${size}: sandbox, 1000 pages in turn / bare Hono`, inTurn, figures["bare Hono"]);
      bench.compare(`page of ${size}: sandbox / other build`, figures.sandbox, figures["sandbox, other build"]);
    } finally {
      for (const server of [sandbox, hono, other]) await server?.stop();
    }
  }
}
