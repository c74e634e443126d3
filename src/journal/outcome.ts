import type { Exchange } from "./exchange.js";
import type { Outcome } from "./query.js";

/** How an exchange ended: as a scenario had it, with a refusal or without an answer, or well. */
export function outcomeOf({ injected, refusal, status }: Exchange): Exclude<Outcome, "handshake"> {
  if (injected !== undefined) return "injected";
  return refusal !== undefined || status === 0 || status >= 400 ? "refused" : "success";
}

/** Whether it went as it should not, or was made to. */
export function isNotable(exchange: Exchange): boolean {
  return outcomeOf(exchange) !== "success" || exchange.connection?.serverDefect !== undefined;
}
