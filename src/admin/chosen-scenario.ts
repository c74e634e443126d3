import { createHash } from "node:crypto";
import * as z from "zod";
import { FileError } from "../base/yaml/problem.js";
import { textOfDefinition } from "../sandbox/scenarios/definition.js";
import { unknownScenarioMessage } from "../sandbox/scenarios/engine.js";
import type { CompiledScenario, LibraryEntry } from "../sandbox/scenarios/library.js";
import { onlyAtStart, type Scenario } from "../sandbox/scenarios/scenario.js";
import { clientOf } from "./client-errors.js";
import { scenarioName } from "./common-schemas.js";
import type { AdminContext } from "./context.js";
import { AdminError } from "./error.js";

const asInFile = z.looseObject({}).optional();

const shape = z.strictObject({
  name: scenarioName.nullable().describe("null for none, for a client also if one is active for all.").optional(),
  rules: z
    .array(z.looseObject({}), "give a list of rules")
    .describe("In place of the name: the rules, as in a scenario file. The same ones have the same name.")
    .optional(),
  description: z.string().describe("With `rules`: what the scenario does.").optional(),
  server: asInFile.describe("As in a scenario file."),
  expect: asInFile.describe("As in a scenario file."),
});

type Body = z.output<typeof shape>;

const isOneOfBoth = ({ name, ...definition }: Body) => (name === undefined) !== (Object.keys(definition).length === 0);
const oneOfBoth = { message: "give either the name of a scenario or its rules", path: ["name"] };

/** What chooses a scenario: its name, or what a file of it has. */
export const chosenScenario = shape.refine(isOneOfBoth, oneOfBoth);

/** The same for one client. */
export const chosenForClient = shape
  .extend({
    onTop: z
      .boolean()
      .describe(
        "Whether the client's choice stays: it decides on each request on which none of these rules acts, and its counters continue.",
      )
      .optional(),
  })
  .refine(({ onTop, ...body }) => isOneOfBoth(body), oneOfBoth)
  .refine(({ onTop, name }) => !(onTop && name === null), { message: "onTop needs a scenario", path: ["onTop"] });

/**
 * The scenario whose rules stand in a call, with a name that derives from them; undefined if the call names one.
 * @throws AdminError INVALID_SCENARIO
 */
export async function definedIn(
  { name, ...definition }: Body,
  { scenarios }: AdminContext,
): Promise<CompiledScenario | undefined> {
  if (name !== undefined) return undefined;
  const text = textOfDefinition(definition);
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return scenarios.library.compile(`inline-${digest}`, text).catch(asInvalid);
}

/**
 * The scenario that a call chooses, which acts in a sandbox that runs; undefined for none.
 * @param defined what `definedIn` returned
 * @throws AdminError
 */
export function chosenIn(
  { name }: Body,
  defined: CompiledScenario | undefined,
  context: AdminContext,
): Scenario | undefined {
  const scenario = defined?.scenario ?? (name ? scenarioNamed(name, context) : undefined);
  const why = scenario && onlyAtStart(scenario);
  if (why !== undefined) throw new AdminError("INVALID_REQUEST", why);
  return scenario;
}

/** A scenario that can be activated: it was valid at least once. */
function scenarioNamed(name: string, { scenarios: { library } }: AdminContext): Scenario {
  const scenario = library.scenario(name);
  if (!scenario) throw new AdminError("UNKNOWN_SCENARIO", unknownScenarioMessage(name, library));
  return scenario;
}

/**
 * Keeps a scenario in memory.
 * @throws AdminError when there are too many
 */
export function keepScenario(entry: LibraryEntry, { scenarios }: AdminContext): void {
  try {
    scenarios.library.keep(entry);
  } catch (error) {
    asInvalid(error);
  }
}

/** @throws AdminError for what is wrong with a scenario */
export function asInvalid(error: unknown): never {
  throw error instanceof FileError ? new AdminError("INVALID_SCENARIO", error.message) : error;
}

/** The choice for all, as the admin API shows it. */
export function choiceForAll({ scenarios: { forAll } }: AdminContext) {
  return { name: forAll.name ?? null, source: forAll.name === undefined ? "none" : "all" };
}

/**
 * The choice of a client, as the admin API shows it.
 * @throws AdminError UNKNOWN_CLIENT
 */
export function choiceOf(id: string, context: AdminContext) {
  const { active, onTop } = clientOf(id, context).scenario;
  if (active === undefined) return choiceForAll(context);
  return { name: active, source: "client", ...(onTop !== undefined && { below: chosenOf(id, context) }) };
}

/** The scenario that a client has without what is on top; null for none. */
export function chosenOf(id: string, context: AdminContext): string | null {
  const { chosen } = clientOf(id, context).scenario;
  return chosen === undefined ? (context.scenarios.forAll.name ?? null) : chosen;
}
