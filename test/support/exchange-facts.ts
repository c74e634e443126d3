import type { Exchange } from "../../src/sandbox/journal/exchange.js";

/**
 * An exchange with facts that a test makes up.
 * @returns the same exchange
 */
export function withFacts(exchange: Exchange, facts: Partial<Exchange>): Exchange {
  return Object.assign(exchange, facts);
}
