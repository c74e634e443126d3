import { describe, expect, it } from "vitest";
import { OneAtATime } from "../../src/replicas/one-at-a-time.js";

describe("one run at a time", () => {
  it("one who cannot wait for long fails with the run that goes on; another one gets the next run", async () => {
    const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
    const runs = new OneAtATime(() => new Promise<void>((resolve, reject) => ends.push({ resolve, reject })));
    const first = runs.run();
    await Promise.resolve();
    const [patient, hasty] = [runs.run(), runs.soon()];
    ends[0]?.reject(new Error("no answer"));
    await expect(first).rejects.toThrow("no answer");
    await expect(hasty).rejects.toThrow("no answer");
    expect(ends).toHaveLength(2);
    ends[1]?.resolve();
    await patient;
    const after = runs.soon();
    await Promise.resolve();
    ends[2]?.resolve();
    await after;
  });
});
