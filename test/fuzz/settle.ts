import { setTimeout as sleep } from "node:timers/promises";
import { allowedDescriptors, allowedGrowth, settleTime } from "./bounds.js";
import type { ServerProcess } from "./child.js";
import type { Target } from "./target.js";

/** The resources of a server that is warm and has no connections; undefined if the system does not report them. */
export interface AtRest {
  readonly memory: number | undefined;
  readonly descriptors: number | undefined;
}

/** Uses each part of a server once, so that everything is loaded, and measures it. */
export async function warmUp(server: ServerProcess, target: Target): Promise<AtRest> {
  await target.stock();
  await target.admin("POST", "/clients", { clientId: "warm" });
  await target.uploadScenario("warm", "description: Warm.\nrules: [{ then: { error: INVALID_CURSOR } }]");
  for (let round = 0; round < 40; round++) await Promise.all([target.probe(), target.probe(), target.probe()]);
  await target.inspectJournal();
  await target.restore();
  await untilFewest(server);
  return { memory: server.residentMemory, descriptors: server.openDescriptors };
}

/** Waits for the descriptors of connections that are being closed. */
async function untilFewest(server: ServerProcess): Promise<void> {
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    const now = server.openDescriptors ?? 0;
    if (now >= before) return;
    before = now;
    await sleep(200);
  }
}

/** What was not released after the load, one sentence each. */
export async function checkRest(server: ServerProcess, target: Target, warm: AtRest): Promise<string[]> {
  const deadline = performance.now() + settleTime;
  // This must be done before the journal is emptied.
  const journal = await until(deadline, () => target.inspectJournal());
  await target.restore();
  const memory = await until(deadline, async () => checkMemory(server, warm));
  const descriptors = await until(deadline, async () => checkDescriptors(server, warm));
  return [...journal, ...memory, ...descriptors];
}

/** Repeats a check until it finds no problem or the time is up. */
async function until(deadline: number, look: () => Promise<string[]>): Promise<string[]> {
  for (;;) {
    const problems = await look();
    if (problems.length === 0 || performance.now() >= deadline) return problems;
    await sleep(500);
  }
}

function checkMemory(server: ServerProcess, warm: AtRest): string[] {
  const now = server.residentMemory;
  if (now === undefined || warm.memory === undefined || now - warm.memory <= allowedGrowth) return [];
  server.collectGarbage();
  return [`Memory was not released: ${mebibytes(now)} MiB, ${mebibytes(warm.memory)} MiB when it was warm.`];
}

function checkDescriptors(server: ServerProcess, warm: AtRest): string[] {
  const now = server.openDescriptors;
  if (now === undefined || warm.descriptors === undefined || now - warm.descriptors <= allowedDescriptors) return [];
  return [`Descriptors were not released: ${now}, ${warm.descriptors} when it was warm.`];
}

export function mebibytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}
