import type { Exchange } from "./exchange.js";
import type { Outcome } from "./query.js";

/** How an exchange ended: by a scenario, with a refusal or without an answer, or successfully. */
export function outcomeOf({ injected, refusal, status }: Exchange): Exclude<Outcome, "handshake"> {
  if (injected !== undefined) return "injected";
  return refusal !== undefined || status === 0 || status >= 400 ? "refused" : "success";
}

/** Whether it failed, or had an injected fault or a defective certificate. */
export function isNotable(exchange: Exchange): boolean {
  return outcomeOf(exchange) !== "success" || exchange.connection?.serverDefect !== undefined;
}
