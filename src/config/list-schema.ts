import * as z from "zod";
import type { FieldGenerator } from "../lists/settings.js";

const name = z.string("give a text").min(1, "give a text that is not empty");
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const weights = z.array(z.int("give whole numbers").min(0)).min(1);

const fieldGenerator: z.ZodType<FieldGenerator> = z.lazy(() =>
  z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("uuid") }),
    z.strictObject({ type: z.literal("id"), prefix: z.string().optional(), length: z.int().optional() }),
    z.strictObject({ type: z.literal("choice"), values: z.array(scalar).min(1), weights: weights.optional() }),
    z.strictObject({ type: z.literal("integer"), min: z.int(), max: z.int() }),
    z.strictObject({
      type: z.literal("decimal"),
      min: z.number(),
      max: z.number(),
      decimals: z.int().min(0).max(12).optional(),
      as: z.enum(["string", "number"]).optional(),
    }),
    z.strictObject({ type: z.literal("boolean"), weights: weights.optional() }),
    z.strictObject({ type: z.literal("constant"), value: z.json() }),
    z.strictObject({ type: z.literal("text"), template: z.string() }),
    z.strictObject({ type: z.literal("createdAt") }),
    z.strictObject({ type: z.literal("object"), fields: z.record(z.string(), fieldGenerator) }),
    z.strictObject({ type: z.literal("parameter"), name }),
  ]),
);

/**
 * The schema of one entry under `lists` in `sandbox.yaml`. What a type cannot say, `compileList` judges.
 * @param duration the schema of durations
 */
export function listSchema(duration: z.ZodType<number, string>) {
  return z.strictObject({
    path: name.optional(),
    items: z.union([z.array(z.unknown()), name], "give a list of items, or the path of a YAML or JSON file").optional(),
    count: z.int("give a whole number").min(0).optional(),
    fields: z.record(z.string(), fieldGenerator).optional(),
    spacing: duration.optional(),
    anchor: name.optional(),
    seed: z.union([z.string(), z.number()]).optional(),
    envelope: z
      .strictObject({
        items: name.optional(),
        nextCursor: name.optional(),
        lastCursor: z.enum(["omit", "null"]).optional(),
        hasMore: name.optional(),
        pageSize: name.optional(),
        count: name.optional(),
        total: name.optional(),
        extra: z.record(z.string(), z.json()).optional(),
      })
      .optional(),
    parameters: z
      .strictObject({
        pageSize: name.nullable().optional(),
        cursor: name.optional(),
        fromCreatedAt: name.nullable().optional(),
        toCreatedAt: name.nullable().optional(),
      })
      .optional(),
    pageSize: z
      .strictObject({ default: z.int().optional(), minimum: z.int().optional(), maximum: z.int().optional() })
      .optional(),
    filters: z.record(z.string(), name).optional(),
    dateField: name.nullable().optional(),
    order: z.enum(["newest-first", "oldest-first"]).optional(),
    cursorLifetime: duration.optional(),
  });
}
