import type { ServerDefect } from "../connection/server-defect.js";
import type { Rule } from "./definition.js";
import type { Expectation } from "./expectation.js";
import type { RuleIndex } from "./rule-index.js";

/** A scenario, compiled from its file after the checks. Durations are milliseconds. */
export interface Scenario {
  readonly name: string;
  readonly description: string;
  readonly rules: readonly Rule[];
  /** Of these rules. */
  readonly index: RuleIndex;
  /** A defect of the server's certificate, for every new connection. Only for the scenario that is active for all. */
  readonly serverCertificate: ServerDefect | undefined;
  /** What a correct client does under this scenario. */
  readonly expectation: Expectation | undefined;
}
