import * as z from "zod";
import { serverDefects } from "../connection/server-defect.js";
import { namePattern } from "../text/name.js";
import { scenarioDefaults } from "./defaults.js";
import { faultSchema } from "./fault-schema.js";
import { operationNames } from "./operation-name.js";
import { count, headerName, keys, name, oneOf, positive, text } from "./values.js";

const exactMessage = 'give the exact value as a text, in quotes, or true for "sent", false for "not sent"';
const exact = z.union([z.string(exactMessage), z.boolean(exactMessage)], exactMessage);

const when = z
  .strictObject(
    {
      operation: oneOf(operationNames, "operation")
        .describe("The operation. Every list endpoint is the operation `list`.")
        .optional(),
      list: text.describe("The name of a list, such as `payments`.").optional(),
      client: z
        .string("give a text")
        .regex(namePattern, "give a client id")
        .describe("The `client_id` for which the certificate of the connection is registered.")
        .optional(),
      page: positive
        .describe("The number of the page in its walk, from 1. A cursor that is not genuine has no page.")
        .optional(),
      cursor: z.boolean("give true or false").describe("Whether the request sends a cursor.").optional(),
      query: z
        .record(text, exact)
        .describe("Parameters of the query, each with its exact value, or `true` for sent, `false` for not sent.")
        .optional(),
      headers: z
        .record(headerName, exact)
        .describe("Headers of the request, each with its exact value, or `true` for sent, `false` for not sent.")
        .optional(),
    },
    keys,
  )
  .describe("What a request must be like. All that is given must hold; without it, every request will do.");

const then = faultSchema;

const rule = z
  .strictObject(
    {
      name: name
        .describe("How `Sandbox-Fault` calls the rule; by default `rule-1`, `rule-2` and so on, by its place.")
        .optional(),
      when: when.optional(),
      skip: count.describe("So many matching requests pass first.").default(scenarioDefaults.skip),
      every: positive
        .describe("Of the matching requests after these, only each n-th: 2 is every second one.")
        .default(scenarioDefaults.every),
      limit: positive.describe("The rule makes at most so many faults; without it, there is no end.").optional(),
      probability: z
        .number("give a number from 0 to 1")
        .min(0, "give a number from 0 to 1")
        .max(1, "give a number from 0 to 1")
        .describe("How likely the rule acts, from 0 (never) to 1 (always). Drawn from the client's seed.")
        .default(scenarioDefaults.probability),
      then,
    },
    keys,
  )
  .describe("One rule: what a request must be like, and what happens to it.");

/** The schema of a scenario file. From it come validation, `scenario.schema.json` and the reference page. */
export const scenarioSchema = z
  .strictObject(
    {
      $schema: text.describe("Where editors find the schema; the sandbox does not read it.").optional(),
      description: text.describe(
        "What the scenario does, in one sentence, and then what a correct client does when it meets it.",
      ),
      server: z
        .strictObject({
          certificate: oneOf(serverDefects, "defect").describe(
            "The defect. Every new connection meets a server certificate that has expired, carries another host's name, or comes from an issuer that nobody trusts.",
          ),
        })
        .describe("A fault of the TLS handshake. It acts only while the scenario is active for all.")
        .optional(),
      rules: z
        .array(rule, "give a list of rules, each beginning with a dash")
        .max(1000, "give at most 1000 rules")
        .describe("The rules, at most 1000. The first one whose conditions all hold acts, and no other.")
        .optional(),
    },
    keys,
  )
  .refine((value) => value.server !== undefined || (value.rules?.length ?? 0) > 0, "give at least one rule, or server")
  .meta({ title: "Scenario of the Business Payments Sandbox" });

export type ScenarioShape = z.output<typeof scenarioSchema>;
