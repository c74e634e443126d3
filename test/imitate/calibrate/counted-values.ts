import * as z from "zod";
import { defaultAssumptions, type ValueAssumptionId } from "../../../src/sandbox/assumptions.js";
import { fileSchema } from "../../../src/sandbox/config/schema.js";

/** Every value that an assumption can have, the usual one last; none where they cannot be counted. */
export function valuesOf(id: ValueAssumptionId): readonly unknown[] {
  const all = valuesIn(fileSchema.shape.assumptions.unwrap().shape[id]);
  const usual = JSON.stringify(defaultAssumptions().values[id]);
  const isUsual = (value: unknown) => JSON.stringify(value) === usual;
  return [...all.filter((value) => !isUsual(value)), ...all.filter(isUsual)];
}

function valuesIn(schema: unknown): readonly unknown[] {
  if (schema instanceof z.ZodOptional) return valuesIn(schema.unwrap());
  if (schema instanceof z.ZodEnum) return schema.options;
  if (schema instanceof z.ZodBoolean) return [false, true];
  if (!(schema instanceof z.ZodObject)) return [];
  let objects: readonly object[] = [{}];
  for (const [name, member] of Object.entries(schema.shape))
    objects = objects.flatMap((object) => valuesIn(member).map((value) => ({ ...object, [name]: value })));
  return objects;
}
