import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { parse } from "yaml";
import { blocksOf, root } from "../documentation/markdown.js";
import { afterFile } from "../support/cleanups.js";
import { eventually } from "../support/eventually.js";
import { freePort } from "../support/ports.js";
import { hasRedis, isThere, RedisServer } from "./redis-server.js";
import { mint, ping, token } from "./replicas.js";

const text = (path: string) => readFileSync(join(root, path), "utf8");
const page = { path: "docs/shared.md", text: text("docs/shared.md") };
const documented = (kind: string) => blocksOf(page).find((block) => block.kind === kind)?.text ?? "";

/**
 * The two sandboxes of the compose file, with its arguments, on ports of this machine instead of those of its
 * containers.
 */
async function composed(balanced: number) {
  const file = parse(text("deploy/compose/compose.yaml"), { merge: true });
  const redis = await RedisServer.start(...file.services.redis.command.slice(1));
  const certs = mkdtempSync(join(tmpdir(), "sandbox-compose-"));
  const sandboxes = await Promise.all(
    ["sandbox-1", "sandbox-2"].map(async (name) => {
      const { command, environment } = file.services[name] as {
        command: string[];
        environment: Record<string, string>;
      };
      const [port, adminPort] = [await freePort(), await freePort()];
      const given = command.map((each) =>
        each.replace("redis://redis:6379", redis.url).replace("localhost:8443", `localhost:${balanced}`),
      );
      const own = ["--port", `${port}`, "--admin-port", `${adminPort}`, "--certs", certs, "--key-type", "ec"];
      const child = spawn(process.execPath, [inject("built").cli, ...given, ...own, "--log", "none"], {
        env: { ...process.env, ...environment },
        stdio: "ignore",
      });
      afterFile(() => child.kill("SIGKILL"));
      return { name, port, adminPort, child };
    }),
  );
  afterFile(() => rmSync(certs, { recursive: true, force: true }));
  for (const { adminPort } of sandboxes) await answers(`http://127.0.0.1:${adminPort}/health`);
  return sandboxes;
}

type Composed = Awaited<ReturnType<typeof composed>>;

const answers = (url: string) =>
  eventually(() =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    ),
  );

/** A configuration of the documents, for this machine. */
function local(configuration: string, sandboxes: Composed, api: number, adminPort: number): string {
  let result = configuration.replace(/(bind :|listen )8443/, `$1${api}`).replace("bind :8090", `bind :${adminPort}`);
  for (const { name, port, adminPort: own } of sandboxes) {
    result = result.replaceAll(`${name}:8443`, `127.0.0.1:${port} check port ${own}`);
    result = result.replaceAll(`${name}:8090`, `127.0.0.1:${own} check port ${own}`);
  }
  return result;
}

function started(program: string, args: (file: string) => readonly string[], configuration: string): ChildProcess {
  const folder = mkdtempSync(join(tmpdir(), "sandbox-balancer-"));
  const file = join(folder, "balancer.cfg");
  writeFileSync(file, configuration);
  const child = spawn(program, args(file), { stdio: "ignore" });
  afterFile(() => {
    child.kill("SIGTERM");
    rmSync(folder, { recursive: true, force: true });
  });
  return child;
}

it("docs/shared.md shows the configuration of deploy/compose", () => {
  expect(documented("haproxy").trim()).toBe(text("deploy/compose/haproxy.cfg").trim());
});

describe.skipIf(!hasRedis || !isThere("haproxy"))("the sandboxes of deploy/compose, behind HAProxy", () => {
  it("act as one, and continue when one of them is killed", async () => {
    const [api, adminPort] = [await freePort(), await freePort()];
    const sandboxes = await composed(api);
    started("haproxy", (file) => ["-f", file], local(text("deploy/compose/haproxy.cfg"), sandboxes, api, adminPort));
    const balanced = { url: `https://localhost:${api}`, adminUrl: `http://127.0.0.1:${adminPort}` };
    await answers(`${balanced.adminUrl}/health`);
    // On a busy machine, a health check may be late. Then the balancer closes connections, and clients retry.
    for (let round = 0; round < 4; round++) {
      const each = await eventually(() => mint(balanced).catch(() => undefined));
      const bearer = await eventually(() => token(balanced, each).catch(() => undefined));
      expect(await eventually(() => ping(balanced, each, bearer).catch(() => undefined))).toBe(200);
    }
    const [first] = sandboxes;
    first?.child.kill("SIGKILL");
    const client = await eventually(() => mint(balanced).catch(() => undefined));
    const bearer = await eventually(() => token(balanced, client).catch(() => undefined));
    for (let round = 0; round < 4; round++)
      expect(await eventually(() => ping(balanced, client, bearer).catch(() => undefined))).toBe(200);
    await answers(`${balanced.adminUrl}/health`);
  });
});

const nginxModule = "/usr/lib/nginx/modules/ngx_stream_module.so";

describe.skipIf(!hasRedis || !isThere("nginx") || !isThere(nginxModule))(
  "nginx with the configuration of docs/shared.md",
  () => {
    it("passes TLS through to both", async () => {
      const api = await freePort();
      const sandboxes = await composed(api);
      const configuration = local(documented("nginx"), sandboxes, api, 0).replaceAll(/ check port \d+/g, "");
      const outside = `load_module ${nginxModule};\ndaemon off;\npid ${join(tmpdir(), `nginx-${api}.pid`)};\nerror_log stderr;\n`;
      started("nginx", (file) => ["-c", file], outside + configuration);
      const [first, second] = sandboxes;
      const client = await mint({ adminUrl: `http://127.0.0.1:${first?.adminPort}` });
      const balanced = { url: `https://localhost:${api}` };
      const bearer = await eventually(() => token(balanced, client).catch(() => undefined));
      second?.child.kill("SIGKILL");
      for (let round = 0; round < 4; round++)
        expect(await eventually(() => ping(balanced, client, bearer).catch(() => undefined))).toBe(200);
    });
  },
);
