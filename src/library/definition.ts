import type * as z from "zod";
import type { scenarioSchema } from "../sandbox/scenarios/schema.js";

// The package has no dependencies: in its declarations, scripts/package-types.ts writes these types out, read-only.

type Sent = z.input<typeof scenarioSchema>;

/** A scenario, with the keys of its YAML file. The description may be left out. */
export interface ScenarioDefinition extends Omit<Sent, "$schema" | "description" | "rules"> {
  readonly description?: string | undefined;
  readonly rules?: readonly ScenarioRule[] | undefined;
}

export type ScenarioRule = NonNullable<Sent["rules"]>[number];

export type ScenarioCondition = NonNullable<ScenarioRule["when"]>;

export type ScenarioFault = ScenarioRule["then"];

/** An exact value, a pattern with `*`, a list of which one must match, or `true` for sent and `false` for not sent. */
export type ScenarioValue = NonNullable<ScenarioCondition["query"]>[string];

export type ScenarioRetryAfter = Extract<ScenarioFault["respond"], object>["retryAfter"];
