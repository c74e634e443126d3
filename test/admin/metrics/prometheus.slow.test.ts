import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { workFolder } from "../../cli/command.js";
import { blocksOf } from "../../documentation/markdown.js";
import { isInstalled, root } from "../../examples/programs.js";
import { afterFile } from "../../support/cleanups.js";
import { freePort } from "../../support/ports.js";
import { type ApiClient, configuration, eventually, startShared, type TestSandbox } from "../fixture.js";

const missing = ["promtool", "prometheus"].filter((program) => !isInstalled(program, "--version"));
if (missing.length > 0) console.log(`SKIPPED: ${missing.join(" and ")} of Debian's package prometheus, not installed`);

const token = "the-token-of-a-scrape";
/** Contains the special characters of the formats. */
const hostileCode = 'E"} 1\nE\\4';

let sandbox: TestSandbox;
let client: ApiClient;

beforeAll(async () => {
  const { assumptions } = await configuration();
  sandbox = await startShared({
    adminAuth: "token",
    adminToken: token,
    assumptions: { ...assumptions, errors: { ...assumptions.errors, "http.not-found": { code: hostileCode } } },
  });
  client = await sandbox.mint();
  const bearer = await client.token();
  for (let count = 0; count < 3; count++) await client.ping(bearer);
  await client.send("/v1/nothing");
  await client.get("/v1/ping", bearer, { "Sandbox-Scenario": "connection-reset" }).catch(() => {});
  await client.get("/v1/ping", bearer, { "Sandbox-Scenario": "outage" });
});

/** The configuration of the document, for this sandbox. */
function documented(folder: string): string {
  const path = "docs/reference/metrics.md";
  const blocks = blocksOf({ path, text: readFileSync(join(root, path), "utf8") });
  const text = blocks.find(({ kind }) => kind === "yaml")?.text ?? "";
  const credentials = join(folder, "token");
  writeFileSync(credentials, token);
  const adapted = text
    .replace("/etc/prometheus/sandbox-token", credentials)
    .replace("localhost:8090", new URL(sandbox.sandbox.adminUrl).host);
  const file = join(folder, "prometheus.yml");
  writeFileSync(file, `global:\n  scrape_interval: 1s\n${adapted}`);
  return file;
}

describe.skipIf(missing.length > 0)("GET /metrics in Prometheus", () => {
  it("has no problem for promtool", async () => {
    const { text } = await sandbox.admin.get("/metrics");
    const { status, stdout, stderr } = spawnSync("promtool", ["check", "metrics"], { input: text, encoding: "utf8" });
    expect([status, stdout, stderr]).toEqual([0, "", ""]);
  });

  it("is scraped by the documented configuration, with the token, and the counts are correct", async () => {
    const folder = workFolder();
    const port = await freePort();
    const server = spawn(
      "prometheus",
      [
        `--config.file=${documented(folder)}`,
        `--storage.tsdb.path=${join(folder, "data")}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: "ignore" },
    );
    afterFile(async () => {
      server.kill("SIGKILL");
      if (server.exitCode === null && server.signalCode === null) await once(server, "close");
    });
    const resultsOf = async (query: string) => {
      const url = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(query)}`;
      const answer = await fetch(url).catch(() => undefined);
      if (answer?.status !== 200) return [];
      const { data } = (await answer.json()) as {
        data: { result: { metric: Record<string, string>; value: [number, string] }[] };
      };
      return data.result;
    };
    const requests = await eventually(async () => {
      const found = await resultsOf("payments_sandbox_requests_total");
      return found.length > 0 ? found : undefined;
    });
    const counted = requests.map(({ metric: { operation, status, code, fault }, value: [, count] }) =>
      [operation, status, code, fault, count].map((each) => each ?? ""),
    );
    expect(counted.sort()).toEqual([
      ["none", "404", hostileCode, "", "1"],
      ["ping", "0", "", "connection-reset", "1"],
      ["ping", "200", "", "", "3"],
      ["ping", "503", "SERVICE_UNAVAILABLE", "outage", "1"],
      ["token", "200", "", "", "1"],
    ]);
    const durations = await resultsOf("histogram_quantile(1, payments_sandbox_request_duration_seconds_bucket)");
    expect(durations.map(({ metric }) => metric["operation"]).sort()).toEqual(["none", "ping", "token"]);
    expect((await resultsOf("up"))[0]?.value[1]).toBe("1");
  });
});
