import type { ServerRenewal } from "../connection/server-certificate.js";
import type { ServerDefect } from "../connection/server-defect.js";
import type { Expectation } from "./expectation-schema.js";
import type { Rule } from "./rule.js";
import type { RuleIndex } from "./rule-index.js";

/** A scenario, compiled from its file after the checks. Durations are milliseconds. */
export interface Scenario {
  readonly name: string;
  readonly description: string;
  readonly rules: readonly Rule[];
  /** Of these rules. */
  readonly index: RuleIndex;
  /** A defect of the server's certificate, or its renewal. Only for the scenario that is active for all. */
  readonly serverCertificate: ServerDefect | ServerRenewal | undefined;
  /** How long the certificates of the standing clients are valid in a sandbox that starts with this scenario. */
  readonly clientValidity: number | undefined;
  /** What a correct client does under this scenario. */
  readonly expectation: Expectation | undefined;
}

/**
 * Why a scenario would do nothing in a sandbox that runs already, as a sentence; undefined if it acts there.
 */
export function onlyAtStart({ name, rules, serverCertificate }: Scenario): string | undefined {
  if (rules.length > 0 || serverCertificate !== undefined) return undefined;
  return `The scenario "${name}" acts only at the start of a sandbox: start one with --scenario ${name}.`;
}

/** The first sentence of a description: what a scenario does. */
export function firstSentence(description: string): string {
  const text = description.replaceAll(/\s+/g, " ").trim();
  return /^.*?[.!?](?= |$)/.exec(text)?.[0] ?? text;
}
