import { beforeAll, describe, expect, it } from "vitest";
import { folderToCopy } from "./fixture.js";
import { Killer, situations } from "./kills.js";
import { childProcesses } from "./processes.js";

const start = childProcesses(beforeAll);
const copiedFolder = folderToCopy(beforeAll);

describe.skipIf(process.platform === "win32")("a process that is killed at a random call to the file system", () => {
  // All calls, and random moments: kills.night.test.ts.
  it.each(situations)("is followed by one that completes the folder: %s", async (situation) => {
    const killer = new Killer(start, situation, copiedFolder);
    const { calls } = await killer.usual();
    expect(calls).toBeGreaterThan(50);
    for (let kill = 0; kill < 2; kill++) {
      const call = 1 + Math.floor(Math.random() * calls);
      expect([call, await killer.kill({ call })]).toEqual([call, true]);
    }
  });
});
