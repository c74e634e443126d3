import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { afterFile } from "../support/cleanups.js";
import { eventually } from "../support/eventually.js";
import { CommandProcess, clientOf, copyOfCerts, StartedSandbox } from "./command.js";
import { expectOneLine, free } from "./one-line.js";

const onSystemsWithLimits = describe.runIf(process.platform === "linux");

onSystemsWithLimits("with few open files, one clear line says what to raise", () => {
  it.concurrent.each([
    [22, "start"],
    [255, "start"],
    [128, "exam"],
  ])("%d: %s", async (openFiles, command) => {
    const args = command === "start" ? [...free, "--certs", copyOfCerts()] : ["--", process.execPath, "-e", "0"];
    expectOneLine(await new CommandProcess([command, ...args], { openFiles }).ended, 1, /raise its limit to 1024/);
  });
});

onSystemsWithLimits("with 256 open files, the smallest limit", () => {
  it("more connections than that are closed, and what opens files later works", async () => {
    const certs = copyOfCerts();
    const sandbox = new StartedSandbox(["start", ...free, "--certs", certs], certs, { openFiles: 256 });
    await sandbox.ready();
    const api = await held(new URL(sandbox.url).port, 100);
    const admin = await held(new URL(sandbox.adminUrl).port, 60);
    // Those beyond the limit are closed.
    await eventually(async () => (open(api).length === 48 && open(admin).length < 17) || undefined);
    open(api)[0]?.destroy();
    for (const socket of open(admin).slice(0, 4)) socket.destroy();

    // The admin API, its documents and the scenarios are in files that nothing has loaded yet.
    for (const path of ["/report", "/scenarios", "/openapi.json", "/"])
      expect([path, await eventually(() => statusOf(`${sandbox.adminUrl}${path}`))]).toEqual([path, 200]);
    expect(
      await eventually(() =>
        clientOf(sandbox)
          .send("/v1/ping")
          .then(
            ({ status }) => status,
            () => undefined,
          ),
      ),
    ).toBe(401);
    for (const socket of [...api, ...admin]) socket.destroy();
    const { code, stderr } = await sandbox.stop();
    expect([code, stderr]).toEqual([0, ""]);
  });
});

/** Connections to a port that send nothing. */
async function held(port: string, count: number): Promise<readonly Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(Number(port), "127.0.0.1").on("error", () => {}));
  afterFile(() => {
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(sockets.map((socket) => once(socket, "connect").catch(() => {})));
  return sockets;
}

const open = (sockets: readonly Socket[]) => sockets.filter(({ closed, destroyed }) => !closed && !destroyed);

/** The status of an answer; undefined if there is none. */
const statusOf = (url: string) =>
  fetch(url).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    },
    () => undefined,
  );
