import { expect, it } from "vitest";
import { startSandbox } from "../../src/index.js";
import { soak } from "./soak.js";

it("answers every request of mixed traffic, and leaves nothing behind", async () => {
  const options = {
    warmUp: 0,
    milliseconds: Number.POSITIVE_INFINITY,
    pieces: 1500,
    clients: 200,
    workers: 12,
    halfOpen: 10,
    seed: 1,
  };
  const { outcomes, failures, handlesLeft } = await soak(startSandbox, options);
  expect(failures).toEqual([]);
  expect(handlesLeft).toEqual([]);
  expect(outcomes.answered).toBeGreaterThan(0);
  expect(outcomes["broken on purpose"]).toBeGreaterThan(0);
  expect(outcomes["left by the client"]).toBeGreaterThan(0);
});
