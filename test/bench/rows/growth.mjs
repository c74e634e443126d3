// The cost of a request when the work grows: deep pages, many clients, many rules.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadTypeScript } from "../../support/load-typescript.mjs";
import { startSandbox } from "../contenders.mjs";
import { getRequest } from "../lib/load.mjs";

/** As many as the range of a Date permits with this spacing. */
const rows = 1_000_000_000;
const deepPage = 1_000_000;

export async function deepPages(bench) {
  const config = join(bench.folder, "big.yaml");
  writeFileSync(config, `lists:\n  big:\n    path: /v1/big\n    count: ${rows}\n    spacing: 60s\n`);
  const sandbox = await startSandbox(bench.cli, bench.certs, { config });
  try {
    const cursors = await cursorTools(bench);
    const deep = async (query, page = deepPage) => {
      const path = `/v1/big?${query}`;
      const { json } = await sandbox.send({ path, headers: { Authorization: `Bearer ${await sandbox.token()}` } });
      return `${path}${query && "&"}cursor=${cursors.moveTo(json().nextCursor, page, (page - 1) * 10)}`;
    };
    const request = (path) => async () => getRequest(path, await sandbox.token());
    const paths = {
      "page 1": "/v1/big",
      "page 2": await deep("", 2),
      "page 1,000,000": await deep(""),
      "page 1, status filter": "/v1/big?status=COMPLETED",
      "page 1,000,000, status filter": await deep("status=COMPLETED"),
    };
    const contenders = Object.entries(paths).map(([name, path]) => ({ name, server: sandbox, request: request(path) }));
    // The difference to detect is a tenth, and the rounds of a noisy machine differ by more.
    const rounds = bench.rounds * (bench.quick ? 1 : 3);
    const figures = await bench.withLoad(bench.certs.client, (load) => bench.shots(load, contenders, { rounds }));
    bench.addRates("list of 10^9 rows", figures);
    const cost = (name, than = "page 1") =>
      bench.compare(`10^9 rows: cost of ${name} / ${than}`, figures[than], figures[name]);
    cost("page 1,000,000");
    // Page 2 separates the cost of the cursor, which a first page does not open, from that of the depth.
    cost("page 1,000,000", "page 2");
    cost("page 1,000,000, status filter", "page 1, status filter");
    // The cost of the filter itself.
    cost("page 1, status filter");
    cost("page 1,000,000, status filter");
  } finally {
    await sandbox.stop();
  }
}

/** Walking a million pages to get one cursor would take minutes, so the sandbox's own code moves a cursor forward. */
async function cursorTools({ certs }) {
  const { cursorKeys, openCursor, sealCursor } = await loadTypeScript(
    new URL("../../../src/sandbox/lists/cursor.ts", import.meta.url),
  );
  const keys = cursorKeys(Buffer.from(readFileSync(join(certs.folder, "cursor.key"), "utf8"), "base64"));
  return {
    moveTo(text, page, position) {
      const opened = openCursor(keys, text);
      if (!opened.ok) throw new Error(`The cursor of page 1 cannot be opened: ${opened.fault}`);
      return sealCursor(keys, { ...opened.payload, page, position });
    },
  };
}

const ping = (server) => async () => getRequest("/v1/ping", await server.token());

export async function manyClients(bench) {
  const counts = [1, 100, bench.quick ? 1000 : 5000];
  const shots = await bench.shotsOfStarts(async (servers) => {
    const contenders = [];
    for (const count of counts) {
      const server = await startSandbox(bench.cli, bench.certs);
      servers.push(server);
      // The sandbox starts with two clients.
      if (count === 1) await server.admin("DELETE", "/clients/other");
      for (let made = 2; made < count; made++) await server.admin("POST", "/clients", {});
      contenders.push({ name: `${count} registered`, server, request: ping(server) });
    }
    return contenders;
  });
  bench.addRates("ping by registered clients", shots);
  const [alone, ...more] = counts.map((count) => `${count} registered`);
  for (const name of more) bench.compare(`clients: cost with ${name} / 1`, shots[alone], shots[name]);
}

export async function manyRules(bench) {
  const folder = join(bench.folder, "scenarios");
  mkdirSync(folder, { recursive: true });
  const kinds = {
    "of another operation": (index) => `{ operation: list, page: ${index + 1} }`,
    "that ask for a header": (index) => `{ operation: ping, headers: { X-Test-${index}: "yes" } }`,
  };
  for (const [kind, when] of Object.entries(kinds)) {
    const scenario = (count) => `${kind.replaceAll(" ", "-")}-${count}`;
    for (const count of [1, 200]) {
      const rule = (index) => `  - { when: ${when(index)}, then: { error: NOT_FOUND } }\n`;
      const text = `description: ${count} rules ${kind}.\nrules:\n${Array.from({ length: count }, (_, index) => rule(index)).join("")}`;
      writeFileSync(join(folder, `${scenario(count)}.yaml`), text);
    }
    const flags = {
      "no scenario": [],
      "1 rule": scenarioFlags(scenario(1)),
      "200 rules": scenarioFlags(scenario(200)),
    };
    const shots = await bench.shotsOfStarts(async (servers) => {
      for (const each of Object.values(flags)) {
        servers.push(await startSandbox(bench.cli, bench.certs, { flags: each }));
      }
      return Object.keys(flags).map((name, index) => ({ name, server: servers[index], request: ping(servers[index]) }));
    });
    bench.addRates(`ping under rules ${kind}`, shots);
    bench.compare(`rules ${kind}: cost of 200 / 1`, shots["1 rule"], shots["200 rules"]);
    bench.compare(`rules ${kind}: cost of 1 / no scenario`, shots["no scenario"], shots["1 rule"]);
  }

  function scenarioFlags(name) {
    return ["--scenarios", folder, "--scenario", name];
  }
}
