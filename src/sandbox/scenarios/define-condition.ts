import type * as z from "zod";
import type { Condition, WrittenWindow } from "./condition.js";

/** A condition whose types are known, so that the type of `when` follows from them. */
export interface KnownCondition<
  Name extends string = string,
  Schema extends z.ZodType = z.ZodType,
  Begins extends true | undefined = true | undefined,
> extends Condition {
  readonly name: Name;
  readonly schema: Schema;
  readonly begins?: Begins;
}

/** Declares a condition: what the files in `conditions/` begin with. */
export function defineCondition<
  const Name extends string,
  Schema extends z.ZodType,
  const Begins extends true | undefined = undefined,
  Value = z.output<Schema>,
>(
  condition: Omit<Condition<Value>, "compile"> & {
    readonly name: Name;
    readonly schema: Schema;
    readonly begins?: Begins;
    compile?(written: z.output<Schema>, when: WrittenWindow): Value;
  },
): KnownCondition<Name, Schema, Begins> {
  return condition;
}
