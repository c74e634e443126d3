import { expect, it } from "vitest";
import { eventually } from "../support/eventually.js";
import { clientOf, start } from "./command.js";

it("spans that cannot be sent are told once, without the password, and no request waits for them", async () => {
  const sandbox = await start(["--otlp", "http://user:hunter2@127.0.0.1:1"]);
  const client = clientOf(sandbox);
  const told = () => `${sandbox.stdout}${sandbox.stderr}`.split("Spans cannot be sent to").length - 1;
  await eventually(async () => {
    expect((await client.send("/v1/ping")).status).toBe(401);
    return told() > 0 || undefined;
  });
  // The end sends what waits, so that a second batch would be told as well.
  await client.send("/v1/ping");
  for (const path of ["/", "/health", "/metrics", "/requests", "/journal/export"])
    expect(await (await fetch(`${sandbox.adminUrl}${path}`)).text()).not.toContain("hunter2");
  const { stdout, stderr } = await sandbox.stop();
  expect(stdout + stderr).toContain("Spans cannot be sent to http://[redacted]@127.0.0.1:1/v1/traces (");
  expect(stdout + stderr).not.toContain("hunter2");
  expect(told()).toBe(1);
});
