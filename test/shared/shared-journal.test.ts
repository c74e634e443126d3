import { expect, it } from "vitest";
import { Exchange } from "../../src/journal/exchange.js";
import { Journal } from "../../src/journal/journal.js";
import { SharedJournal } from "../../src/shared/journal.js";
import type { SharedLog } from "../../src/shared/log.js";

it("what is answered while a batch is on its way waits for the next one: writing ends, however many requests come", async () => {
  let batches = 0;
  let numbered = 0;
  const redis = {
    run: async (_script: unknown, _keys: unknown, [, exchanges]: readonly number[]) => {
      batches += 1;
      const first = numbered + 1;
      numbered += exchanges ?? 0;
      if (batches < 1000) answer();
      return ["ok", first, 1];
    },
  };
  const log = { redis, deadline: () => 0 } as unknown as SharedLog;
  const journal = new SharedJournal(
    log,
    new Journal(),
    { clients: { get: () => undefined }, stepsOf: () => [] },
    undefined,
  );
  const answer = () => journal.keeper.requests.add(new Exchange({ kind: "none" }, "GET", "/", [], 0));
  for (let count = 0; count < 2500; count++) answer();
  await journal.flush();
  expect(batches).toBe(3);
  expect(numbered).toBe(2502);
  await journal.close();
});
