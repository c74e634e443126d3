import { describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.js";
import { type StartedSandbox, start } from "./command.js";

const every = ["--admin-host", "0.0.0.0"];
const printed = /requires a token: (\S+)\)/;

async function statuses({ adminUrl }: StartedSandbox, token?: string): Promise<number[]> {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  // While identities are still being made, it is 503.
  await eventually(async () => (await fetch(`${adminUrl}/health`)).status !== 503);
  const answers = await Promise.all(["/health", "/ca.pem"].map((path) => fetch(adminUrl + path, { headers })));
  return answers.map(({ status }) => status);
}

describe.concurrent("--admin-auth auto, on a bind that is not loopback", () => {
  it("makes a token, and prints it once", async () => {
    const sandbox = await start(every);
    const token = printed.exec(sandbox.stdout)?.[1] ?? "";
    expect(token).toMatch(/^[\w-]{32}$/);
    expect(sandbox.stdout.split(token)).toHaveLength(2);
    expect(await statuses(sandbox)).toEqual([200, 401]);
    expect(await statuses(sandbox, token)).toEqual([200, 200]);
    expect(await statuses(sandbox, `${token.slice(0, -1)}!`)).toEqual([200, 401]);
    const { stdout, stderr } = await sandbox.stop();
    expect((stdout + stderr).split(token)).toHaveLength(2);
  });

  it("requires a given token, and never prints it", async () => {
    const sandbox = await start([...every, "--log", "requests"], { env: { SANDBOX_ADMIN_TOKEN: "given-by-me" } });
    expect(await statuses(sandbox)).toEqual([200, 401]);
    expect(await statuses(sandbox, "given-by-me")).toEqual([200, 200]);
    const { stdout, stderr } = await sandbox.stop();
    expect(stdout + stderr).not.toContain("given-by-me");
    expect(stdout).toContain("requires a token)");
  });
});

it.concurrent("--admin-auth none requires none on any bind", async () => {
  const sandbox = await start([...every, "--admin-auth", "none"]);
  expect(await statuses(sandbox)).toEqual([200, 200]);
  expect(sandbox.stdout).not.toContain("token:");
});

it.concurrent("--admin-auth token requires one on loopback as well", async () => {
  const sandbox = await start(["--admin-auth", "token"]);
  const token = printed.exec(sandbox.stdout)?.[1] ?? "";
  expect(await statuses(sandbox)).toEqual([200, 401]);
  expect(await statuses(sandbox, token)).toEqual([200, 200]);
});
