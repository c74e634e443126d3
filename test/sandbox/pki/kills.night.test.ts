import { beforeAll, describe, expect, it } from "vitest";
import { folderToCopy } from "./fixture.js";
import { Killer, situations } from "./kills.js";
import { childProcesses } from "./processes.js";

// Killed among other processes: processes.test.ts.
const start = childProcesses(beforeAll);
const copiedFolder = folderToCopy(beforeAll);

describe.skipIf(process.platform === "win32").each(situations)("a process that is killed: %s", (situation) => {
  const killer = new Killer(start, situation, copiedFolder);

  it("at ten random moments is followed by one that completes the folder", async () => {
    let { took } = await killer.usual();
    let killed = 0;
    for (let attempt = 0; killed < 10 && attempt < 40; attempt++) {
      const milliseconds = Math.random() * took;
      if (await killer.kill({ milliseconds })) killed += 1;
      // It had ended by then: the machine is less busy than it was.
      else took = milliseconds;
    }
    expect(killed).toBe(10);
  });

  it("before any call that changes the folder is followed by one that completes it", async () => {
    const { calls } = await killer.usual();
    for (let call = 1; call <= calls; call++) expect([call, await killer.kill({ call })]).toEqual([call, true]);
  });
});
