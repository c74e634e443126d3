import { type WireAnswer, wireAnswer } from "../../../src/sandbox/connection/wire-answer.js";
import { compileFaults } from "../../../src/sandbox/scenarios/faults.js";
import type { Fetch } from "../../../src/sandbox/tls/adapter.js";

type Env = Parameters<Fetch>[1];

const key = { seed: "s", scenario: "it", rule: "it", count: 1 };
const nothing = { status: 200, headers: {}, body: Buffer.alloc(0) };

/**
 * What the application returns for a request on which a fault of `connection` or `stream` acts.
 * @param then as in the rule of a scenario
 * @param answer the answer that it sends or breaks
 */
export async function underFault(
  env: Env,
  then: Readonly<Record<string, unknown>>,
  answer: Pick<WireAnswer, "status" | "headers" | "body"> = nothing,
): Promise<Response> {
  const wire = env.wire();
  for (const { fault, settings } of compileFaults(then)) {
    await fault.onConnection?.(settings, wire, key);
    await fault.onSend?.(settings, wireAnswer(env.incoming.method, answer), wire);
  }
  return wire.alreadySent;
}
