import * as z from "zod";
import { serverRenewals } from "../connection/server-certificate.js";
import { serverDefects } from "../connection/server-defect.js";
import { beginningSchema, conditionSchema } from "./condition-schema.js";
import { certificateLifetimes, scenarioDefaults } from "./defaults.js";
import { expectationSchema } from "./expectation-schema.js";
import { faultSchema as then } from "./fault-schema.js";
import { count, duration, keys, milliseconds, name, oneOf, positive, text } from "./schema-values.js";

/** The schema of one rule. */
export const ruleSchema = z
  .strictObject(
    {
      name: name
        .meta({
          description: "The rule's name in `Sandbox-Fault`; by default `rule-1` and so on, by its place.",
          examples: ["late"],
        })
        .optional(),
      when: conditionSchema.optional(),
      from: beginningSchema.optional(),
      skip: count
        .meta({ description: "How many matching requests pass first.", examples: [4] })
        .default(scenarioDefaults.skip),
      every: positive
        .meta({
          description: "Of the requests after these, only each n-th.",
          examples: [2],
        })
        .default(scenarioDefaults.every),
      limit: positive
        .meta({
          description: "The most faults that the rule makes; by default, no limit.",
          examples: [1],
        })
        .optional(),
      probability: z
        .number("give a number from 0 to 1")
        .min(0, "give a number from 0 to 1")
        .max(1, "give a number from 0 to 1")
        .meta({
          description: "How likely the rule acts, drawn from the client's seed.",
          examples: [0.2],
        })
        .default(scenarioDefaults.probability),
      share: z
        .literal("all", "the only value is all")
        .meta({
          description:
            "`all`: `skip`, `every`, `limit`, `rateLimit` and `concurrency` count all clients together; a bucket fills on the sandbox's clock. By default, each client has its own.",
          examples: ["all"],
        })
        .optional(),
      then,
    },
    keys,
  )
  .describe("One rule: what a request must be like, and what happens to it.");

/** The schema of a scenario file. Validation, `scenario.schema.json` and the reference page derive from it. */
export const scenarioSchema = z
  .strictObject(
    {
      $schema: text.describe("Where editors find the schema.").optional(),
      description: text.describe("What the scenario does, in one sentence; then what a correct client does."),
      server: z
        .strictObject(
          {
            certificate: oneOf([...serverDefects, ...serverRenewals], "certificate").describe(
              "The defect that every new connection gets: one of those in docs/guide/connect.md. Or a good certificate for connections after the first request: `renewed`, of the same CA, or `next-ca`, of the next CA, which `ca.pem` has from the activation on. Answers on older connections end them.",
            ),
          },
          keys,
        )
        .meta({
          description: "The server's certificate. Acts only while the scenario is active for all.",
          examples: [{ certificate: "expired" }],
        })
        .optional(),
      client: z
        .strictObject(
          {
            certificate: z
              .strictObject(
                {
                  validFor: duration("How long they are valid; at least 1s.", certificateLifetimes.longest).refine(
                    (value) => milliseconds(value) >= certificateLifetimes.shortest,
                    "give at least 1s",
                  ),
                },
                keys,
              )
              .describe("They get new certificates. Their files are replaced, and stay."),
          },
          keys,
        )
        .meta({
          description:
            "The clients `demo`, `other` and `chained`. Acts when a sandbox starts with the scenario; a client that is made later has its own `validFor`.",
          examples: [{ certificate: { validFor: "20d" } }],
        })
        .optional(),
      expect: expectationSchema.optional(),
      rules: z
        .array(ruleSchema, "give a list of rules, each beginning with a dash")
        .max(1000, "give at most 1000 rules")
        .describe("At most 1000. The first rule whose conditions all hold acts.")
        .optional(),
    },
    keys,
  )
  .refine(
    ({ server, client, rules = [] }) => server !== undefined || client !== undefined || rules.length > 0,
    "give at least one rule, server or client",
  )
  .meta({ title: "Scenario of the Business Payments Sandbox" });

export type ScenarioShape = z.output<typeof scenarioSchema>;
