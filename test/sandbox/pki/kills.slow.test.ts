import { beforeAll, describe, expect, it } from "vitest";
import { folderToCopy } from "./fixture.js";
import { Killer, situations } from "./kills.js";
import { childProcesses } from "./processes.js";

// More of kills.test.ts.
const start = childProcesses(beforeAll);
const copiedFolder = folderToCopy(beforeAll);

describe.skipIf(process.platform === "win32").each(situations)("a process that is killed: %s", (situation) => {
  const killer = new Killer(start, situation, copiedFolder);

  it("at 25 random moments is followed by one that completes the folder", async () => {
    const { took } = await killer.usual();
    let killed = 0;
    for (let kill = 0; kill < 25; kill++) {
      if (await killer.kill({ milliseconds: Math.random() * took })) killed += 1;
    }
    expect(killed).toBeGreaterThan(12);
  });

  it("before any call that changes the folder is followed by one that completes it", async () => {
    const { calls } = await killer.usual();
    for (let call = 1; call <= calls; call++) expect([call, await killer.kill({ call })]).toEqual([call, true]);
  });
});
