import { createHash } from "node:crypto";
import * as z from "zod";
import { scenarioName } from "./common-schemas.js";

const asInFile = z.looseObject({}).optional();

/** What chooses a scenario: its name, or what a file of it has. */
export const chosenScenario = z
  .strictObject({
    name: scenarioName.nullable().describe("null for none, for a client also if one is active for all.").optional(),
    rules: z
      .array(z.looseObject({}), "give a list of rules")
      .describe("In place of the name: the rules, as in a scenario file. The same ones have the same name.")
      .optional(),
    description: z.string().describe("With `rules`: what the scenario does.").optional(),
    server: asInFile.describe("As in a scenario file."),
    expect: asInFile.describe("As in a scenario file."),
  })
  .refine(({ name, ...definition }) => (name === undefined) !== (Object.keys(definition).length === 0), {
    message: "give either the name of a scenario or its rules",
    path: ["name"],
  });

export type ChosenScenario = z.output<typeof chosenScenario>;

/** The text of a scenario that stands in a call, with a name that derives from it; undefined if the call has a name. */
export function definitionIn({ name, ...definition }: ChosenScenario): { name: string; text: string } | undefined {
  if (name !== undefined) return undefined;
  // JSON is YAML. It is indented, so that messages name its lines.
  const text = JSON.stringify({ description: "Defined by a test.", ...definition }, null, 2);
  return { name: `inline-${createHash("sha256").update(text).digest("hex").slice(0, 16)}`, text };
}
