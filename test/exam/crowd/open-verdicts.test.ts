import { expect, it } from "vitest";
import { MadeUpClient } from "../observed.js";
import { type Drawn, draw, runClient, withoutFaults } from "./crowd.js";
import { fairWeather } from "./faults.js";
import { failures, judge } from "./judged.js";

// Verdicts beyond those of the other tests: the first one was wrong once, and the last one is.

it("six workers whose calls fail three times each with the token that they began with fail no must", () => {
  const client = new MadeUpClient();
  client.asksForToken("a");
  client.isRefused("a");
  client.asksForToken("b");
  client.uses("b");
  for (const connection of [2, 3, 4, 5, 6, 7])
    for (const ordinal of [1, 2, 3]) {
      client.wait(150);
      client.uses("a", { status: 503, connection, ordinal, target: `/v1/payments?pageSize=${connection}` });
    }
  expect([...failures(client.examiner.results(), "must")]).toEqual([]);
});

it.fails("a ping that is repeated because its answer with 200 is a page of HTML fails no must", () => {
  const usual = { operation: "ping", page: undefined, after: 0, limit: 1, likelihood: 1 } as const;
  const limited = { kind: "error", status: 429, code: "TOO_MANY_REQUESTS", retryAfter: 5 } as const;
  const { traits, ...drawn } = draw(1);
  const retry = { ...traits.retry, what: "both", most: 3, first: 4000, longestWait: 60_000 } as const;
  const two: Drawn = {
    ...drawn,
    // Machines that never stop, and no time-out that gives up an answer.
    traits: {
      ...traits,
      workers: 2,
      processes: 1,
      retry,
      busyClient: 0,
      busySandbox: 0,
      timeout: undefined,
      network: { ...traits.network, lost: 0 },
    },
    work: [[{ kind: "ping" }], [{ kind: "ping" }]],
    // One worker repeats its ping while the other one has to wait.
    weather: {
      ...fairWeather,
      rules: [
        { ...usual, fault: { kind: "other-body" } },
        { ...usual, fault: limited },
      ],
    },
  };
  const results = judge({ reference: () => runClient(withoutFaults(two)), run: runClient(two) });
  expect([...failures(results, "must")]).toEqual([]);
});
