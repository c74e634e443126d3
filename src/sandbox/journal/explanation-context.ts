import type { KnownParties } from "./causes/cause-kind.js";
import type { Exchange } from "./exchange.js";

/** What explanations use in addition to the exchange itself. */
export interface ExplanationContext extends KnownParties {
  /** Says what a good answer of its operation was. */
  readonly explainAnswer: (exchange: Exchange) => string;
}
