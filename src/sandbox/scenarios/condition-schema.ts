import * as z from "zod";
import { enumerated } from "../../base/text/enumerated.js";
import { conditions } from "./conditions.js";
import type { KnownCondition } from "./define-condition.js";
import { keys } from "./schema-values.js";

// The schemas of a rule's `when` and `from`, from the list of conditions.

type Known = (typeof conditions)[number];
type ShapeOf<K extends KnownCondition> = { [Each in K as Each["name"]]: z.ZodOptional<Each["schema"]> };
type Beginning = Extract<Known, { readonly begins?: true }>;

function shapeOf<K extends KnownCondition>(rows: readonly K[]): ShapeOf<K> {
  return Object.fromEntries(rows.map(({ name, schema }) => [name, schema.optional()])) as ShapeOf<K>;
}

/** The schema of a rule's `when`. */
export const conditionSchema = z
  .strictObject(shapeOf<Known>(conditions), keys)
  .describe("What a request must be like: all conditions must hold. By default, every request matches.");

const beginnings = conditions.filter(({ begins }) => begins) as unknown as readonly Beginning[];
const beginningNames = enumerated(
  beginnings.map(({ name }) => name),
  "or",
);

/** The schema of a rule's `from`: when it begins. */
export const beginningSchema = z
  .strictObject(shapeOf(beginnings))
  .refine((value) => Object.keys(value).length > 0, `give ${beginningNames}`)
  .meta({
    description: "The rule begins with the first matching request for which this holds, too; by default, at once.",
    examples: [
      { list: "payments", page: "last" },
      { operation: "token", token: "renewal" },
    ],
    minProperties: 1,
  });
