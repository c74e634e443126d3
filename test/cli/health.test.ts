import { createServer, type RequestListener } from "node:http";
import { expect, it } from "vitest";
import { afterFile } from "../support/cleanups.js";
import { freePort } from "../support/ports.js";
import { run, start, workFolder } from "./command.js";
import { inProcess } from "./in-process.js";
import { nodeBehindProxy } from "./run/proxied-clients.js";

async function something(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterFile(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as { port: number }).port;
}

const health = (port: number | string) => inProcess(["health", "--admin-port", String(port)]);

it("status 0 and the report when the sandbox is ready; found by flag, variable and file", async () => {
  const { adminUrl } = await start();
  const { port } = new URL(adminUrl);
  const outcomes = [
    await run(["health", "--admin-port", port]),
    await inProcess(["health"], { env: { SANDBOX_ADMIN_PORT: port, SANDBOX_ADMIN_HOST: "0.0.0.0" } }),
    await inProcess(["health"], { cwd: workFolder({ "sandbox.yaml": `adminPort: ${port}\n` }) }),
  ];
  for (const { code, stdout, stderr } of outcomes) {
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toMatchObject({ status: "ok", identities: "ready" });
  }
});

it("finds the sandbox directly, also if Node.js sends requests to a proxy", { tags: "slow" }, async () => {
  const { adminUrl } = await start();
  const env = { HTTP_PROXY: "http://127.0.0.1:9", ...nodeBehindProxy() };
  const { code, stderr } = await run(["health", "--admin-port", new URL(adminUrl).port], { env });
  expect([code, stderr]).toEqual([0, ""]);
});

it("status 1 and one line when nothing listens", async () => {
  const { code, stdout, stderr } = await health(await freePort());
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(
    /^payments-sandbox: No sandbox answers at http:\/\/127\.0\.0\.1:\d+\/health: nothing listens there\. Start one, or give the port of its admin API with --admin-port\.\n$/,
  );
});

it("status 1 for a 503, as while identities are still being made", async () => {
  const port = await something((_request, response) => response.writeHead(503).end("{}"));
  expect((await health(port)).code).toBe(1);
});

it("status 2 when the port is any free one", async () => {
  const { code, stderr } = await health(0);
  expect([code, stderr]).toEqual([2, expect.stringContaining("--admin-port")]);
});

it("status 1 and one line if something else answers: without an end, with a redirect, or with control characters", async () => {
  const endless = await something((_request, response) => {
    const more = () => {
      while (response.write("x".repeat(10_000)));
    };
    response.on("drain", more);
    more();
  });
  const { code, stdout, stderr } = await health(endless);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(
    /^payments-sandbox: No sandbox answers at .*: the server there is not a sandbox\. Start one, or .*\n$/,
  );

  const switching = await something((_request, response) =>
    response.writeHead(101, { Connection: "Upgrade", Upgrade: "other" }).end(),
  );
  expect(await health(switching)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("101 Switching Protocols"),
  });

  let asked = 0;
  const elsewhere = await something((_request, response) => {
    asked += 1;
    response.end("{}");
  });
  const redirecting = await something((_request, response) =>
    response.writeHead(302, { Location: `http://127.0.0.1:${elsewhere}/` }).end("moved \u001b[2J"),
  );
  const moved = await health(redirecting);
  expect([moved.code, moved.stdout, asked]).toEqual([1, "moved \\u{1b}[2J\n", 0]);
});
