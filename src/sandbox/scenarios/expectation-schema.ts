import * as z from "zod";
import { suggest } from "../../base/text/nearest.js";
import { operationNames } from "../operations.js";
import { scenarioDefaults } from "./defaults.js";
import { type CheckId, checkIds, needNames } from "./expectation.js";
import { count, keys, oneOf } from "./schema-values.js";

const bounds = z
  .strictObject(
    {
      min: count.describe("The smallest number.").optional(),
      max: count.describe("The largest number.").optional(),
    },
    keys,
  )
  .refine(({ min, max }) => min !== undefined || max !== undefined, "give min or max")
  .refine(({ min = 0, max = Number.POSITIVE_INFINITY }) => min <= max, "max is smaller than min");

/** In a long list of unknown checks, only this many are compared with every known one. */
const mostCompared = 20;

const known: ReadonlySet<string> = new Set(checkIds);

const checks = z
  .array(
    z.string("give the id of a check").meta({ enum: [...checkIds] }) as unknown as z.ZodType<CheckId, CheckId>,
    "give a list of checks",
  )
  .superRefine((ids, context) => {
    const unknown = [...ids.entries()].filter(([, id]) => !known.has(id));
    for (const [index, id] of unknown.slice(0, mostCompared)) {
      const message = `unknown check ${JSON.stringify(id.slice(0, 64))}. ${suggest(id, checkIds)}`;
      context.addIssue({ code: "custom", path: [index], message });
    }
  });

/** The schema of `expect`: what a correct client does under a scenario, so that a machine can read it. */
export const expectationSchema = z
  .strictObject(
    {
      outcome: oneOf(["succeeds", "fails", "any"], "outcome")
        .describe(
          "How a program with a correct client ends: `succeeds` (exit status 0), `fails`, or `any` if both are correct. It may always stop with an error after something failed; not when a token has come to its end.",
        )
        .default(scenarioDefaults.outcome),
      checks: checks
        .meta({
          description:
            "Checks of the exam that must pass; `retry.*` only if the client repeated what failed. If the fault never reached one, the drill is not exercised.",
        })
        .default([]),
      exercises: checks
        .meta({
          description: "Checks of which one must be exercised, whether it passes or fails.",
        })
        .default([]),
      needs: z
        .array(oneOf(needNames, "need"), "give a list of needs")
        .meta({
          description:
            "What the program has to send, so that the fault acts: see the drills in docs/reference/checks.md.",
        })
        .default([]),
      requests: z
        .strictObject(
          Object.fromEntries(
            operationNames.map((operation) => [
              operation,
              bounds.describe(`How many requests of the operation \`${operation}\` the client sends.`).optional(),
            ]),
          ) as Record<(typeof operationNames)[number], z.ZodOptional<typeof bounds>>,
          keys,
        )
        .describe("How many requests the client sends.")
        .default({}),
    },
    keys,
  )
  .meta({
    description: "What a correct client does, for the exam.",
    examples: [
      { outcome: "succeeds", checks: ["token.refused"], requests: { token: { max: 2 }, list: { min: 1 } } },
      {
        outcome: "any",
        exercises: ["token.expired"],
        needs: ["five-requests"],
        requests: { token: { min: 1 }, ping: { min: 1, max: 10 }, list: { max: 4 } },
      },
    ],
  });

export type Expectation = z.output<typeof expectationSchema>;
