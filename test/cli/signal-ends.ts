import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { parseResponses } from "../support/raw-client.js";
import {
  beginTokenRequest,
  CommandProcess,
  clientOf,
  connectionOf,
  refusesConnections,
  start,
  workFolder,
} from "./command.js";

// Checks for signals.test.ts, which covers some signals and moments, and for signals.night.test.ts, which covers the
// others.

type Ending = "SIGTERM" | "SIGINT" | "SIGHUP" | "SIGQUIT" | "SIGUSR2";

/** An idle sandbox says that it stops, and ends with status 0. */
export async function endsWhileIdle(ending: Ending): Promise<void> {
  const sandbox = await start();
  const client = clientOf(sandbox);
  // A kept-alive connection is idle, too.
  expect((await client.send("/v1/ping")).status).toBe(401);
  await fetch(`${sandbox.adminUrl}/health`);
  const { code, stdout, stderr } = await sandbox.stop(ending);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/\nStopping: open requests have 5 seconds\. A second Ctrl\+C does not wait for them\.\n$/);
}

/** A request in flight is answered first, and no new connection is accepted meanwhile. */
export async function answersWhatIsInFlight(ending: Ending): Promise<void> {
  const sandbox = await start();
  const client = await connectionOf(sandbox);
  const rest = await beginTokenRequest(client);
  const stopped = sandbox.stop(ending);
  await refusesConnections(sandbox);
  client.send(rest);
  await client.closed;
  const answer = parseResponses(client.received).at(-1);
  expect([answer?.status, answer?.headers["connection"]]).toEqual([200, "close"]);
  expect((await stopped).code).toBe(0);
}

/** The names in a folder; none if it does not exist. */
export const filesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

/**
 * A start that is ended by SIGTERM leaves no temporary folder.
 * @param reached whether to end it now, given the certs folder
 */
export async function leavesNothingBehind(reached: (certs: string) => boolean): Promise<void> {
  const certs = join(workFolder(), "certs");
  const child = new CommandProcess(["start", "--port", "0", "--admin-port", "0", "--certs", certs]);
  await expect.poll(() => reached(certs), { interval: 1 }).toBe(true);
  const { code, signal, stderr } = await child.stop("SIGTERM");
  // Before the command handles the signal, the system ends the process.
  expect([existsSync(certs) ? [0] : [0, "SIGTERM"], stderr]).toEqual([expect.arrayContaining([code ?? signal]), ""]);
  expect(filesIn(certs).filter((name) => name.startsWith(".making-"))).toEqual([]);
}
