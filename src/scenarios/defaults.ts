// Apart from the schema, so that a start without scenarios need not load zod.

/** What holds where a scenario does not say otherwise. */
export const scenarioDefaults = { skip: 0, every: 1, probability: 1, hang: "60s", drip: "5s" } as const;

/** Keeps a fault from outliving whoever waits for it. Milliseconds. */
export const longestDelay = 120_000;
