import { describe, expect, it } from "vitest";
import { openTcp } from "../support/raw-client.js";
import { beginTokenRequest, connectionOf, refusesConnections, start } from "./command.js";
import { answersWhatIsInFlight, endsWhileIdle, filesIn, leavesNothingBehind } from "./signal-ends.js";

describe("SIGTERM", () => {
  it("idle: it says so and ends, status 0", { tags: "slow" }, () => endsWhileIdle("SIGTERM"));

  it("a request in flight is answered first; no new connection is accepted meanwhile", () =>
    answersWhatIsInFlight("SIGTERM"));
});

it.runIf(process.platform !== "win32").each(["SIGHUP"] as const)(
  "%s, as of a closed terminal, ends it properly",
  { tags: "slow" },
  (signal) => endsWhileIdle(signal),
);

it.runIf(process.platform !== "win32")(
  "SIGUSR1 opens no debugger, and the sandbox continues",
  { tags: "slow" },
  async () => {
    const sandbox = await start();
    sandbox.kill("SIGUSR1");
    expect((await fetch(`${sandbox.adminUrl}/health`)).ok).toBe(true);
    const { code, stderr } = await sandbox.stop();
    expect([code, stderr]).toEqual([0, ""]);
  },
);

describe("SIGTERM in the first moments of a start", () => {
  it.each<[string, (certs: string) => boolean]>([
    ["at once", () => true],
    ["when the CA exists", (certs) => filesIn(certs).includes("ca.pem")],
  ])("%s: it ends, and no temporary folder is left", { tags: "slow" }, (_when, reached) =>
    leavesNothingBehind(reached),
  );
});

it("a second signal ends it at once, whatever is in flight", { tags: "slow" }, async () => {
  const sandbox = await start();
  const client = await connectionOf(sandbox);
  await beginTokenRequest(client);
  sandbox.kill("SIGINT");
  // Pending signals of a busy process are merged into one, so the first must have taken effect.
  await refusesConnections(sandbox);
  // The status after a graceful end would be 0.
  expect((await sandbox.stop("SIGINT")).code).toBe(1);
});

it("a client without a complete handshake does not delay the end", { tags: "slow" }, async () => {
  const sandbox = await start();
  const client = await connectionOf(sandbox);
  const half = await openTcp(Number(new URL(sandbox.url).port));
  half.send("\x16\x03\x01");
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect((await sandbox.stop()).code).toBe(0);
  await Promise.all([client.closed, half.closed]);
});
