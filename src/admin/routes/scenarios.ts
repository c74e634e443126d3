import * as z from "zod";
import { thousands } from "../../base/text/numbers.js";
import { printable } from "../../base/text/printable.js";
import { FileError, type FileProblem, formatProblem, mostProblems } from "../../base/yaml/problem.js";
import { scenarioLimits } from "../../sandbox/scenarios/defaults.js";
import { unknownScenarioMessage } from "../../sandbox/scenarios/engine.js";
import type { LibraryEntry } from "../../sandbox/scenarios/library.js";
import { nullableText, scenarioName } from "../common-schemas.js";
import type { AdminContext } from "../context.js";
import { AdminError } from "../error.js";
import { route } from "../route.js";

const ofScenario = z.object({ name: scenarioName });
const placedSchema = z
  .object({ line: z.int(), column: z.int(), message: z.string() })
  .meta({ id: "PlacedProblem" })
  .describe("A problem with its place; lines and columns begin at 1.");
const scenarioSummarySchema = z
  .object({
    name: z.string(),
    description: nullableText.describe("null if no version of it was ever valid."),
    origin: z.enum(["uploaded", "folder", "built-in"]),
    rules: z.int().min(0),
    problems: z
      .array(z.string())
      .describe("Problems of its newest text, with line and column; the last valid text stays in use."),
    warnings: z
      .array(z.string())
      .describe(
        "Warnings, with line and column: rules that can never act, because a list does not exist or because of a rule before them.",
      ),
  })
  .meta({ id: "Scenario" });

export const listScenarios = route({
  method: "GET",
  path: "/scenarios",
  summary: "The scenarios that can be chosen",
  answer: { status: 200, description: "All of them.", schema: z.object({ items: z.array(scenarioSummarySchema) }) },
  handle: (_input, { scenarios }) => ({ items: scenarios.library.all().map(summaryOf) }),
});

export const readScenario = route({
  method: "GET",
  path: "/scenarios/{name}",
  summary: "The text of a scenario",
  params: ofScenario,
  answer: { status: 200, description: "YAML, as it was written.", contentType: "application/yaml" },
  errors: ["UNKNOWN_SCENARIO"],
  handle: ({ params }, context) =>
    new Response(entryOf(params.name, context).text, { headers: { "Content-Type": "application/yaml" } }),
});

export const uploadScenario = route({
  method: "PUT",
  path: "/scenarios/{name}",
  summary: "Upload a scenario; it is kept in memory and takes precedence over a file of the same name",
  description: `A text of more than ${thousands(scenarioLimits.characters)} bytes is refused with 413, one of more than ${thousands(scenarioLimits.tokens)} tokens with 400, and so is one that is larger with what its aliases repeat. The answer names at most ${mostProblems} problems. Rules that can never act are not refused: \`warnings\` names them.`,
  params: ofScenario,
  body: z.string().describe("The scenario, YAML."),
  bodyType: "application/yaml",
  answer: { status: 200, description: "The scenario.", schema: scenarioSummarySchema },
  errors: ["INVALID_SCENARIO"],
  prepare: ({ params, body }, { scenarios }) => scenarios.library.compile(params.name, body).catch(asInvalid),
  changes: () => ({}),
  handle: ({ params, prepared }, { scenarios }) => {
    try {
      scenarios.library.keep(prepared);
    } catch (error) {
      asInvalid(error);
    }
    return summaryOf(scenarios.library.get(params.name) as LibraryEntry);
  },
});

export const checkScenario = route({
  method: "POST",
  path: "/scenario/check",
  summary: "Check the text of a scenario, without keeping it",
  description: "For editors. It is checked like an upload.",
  body: z.string().describe("The scenario, YAML."),
  bodyType: "application/yaml",
  answer: {
    status: 200,
    description: "Its problems and warnings.",
    schema: z.object({ problems: z.array(placedSchema), warnings: z.array(placedSchema) }),
  },
  handle: async ({ body }, { scenarios }) => {
    try {
      const { problems, warnings } = await scenarios.library.check("scenario", body);
      return { problems: problems.map(placed), warnings: warnings.map(placed) };
    } catch (error) {
      if (error instanceof FileError) return { problems: error.problems.map(placed), warnings: [] };
      throw error;
    }
  },
});

export const deleteScenario = route({
  method: "DELETE",
  path: "/scenarios/{name}",
  summary: "Delete an uploaded scenario; a file of the same name is used again",
  description: "Without such a file, the scenario is no longer active, for all and for every client.",
  params: ofScenario,
  answer: { status: 204, description: "Done." },
  errors: ["UNKNOWN_SCENARIO"],
  changes: () => ({}),
  handle: ({ params: { name } }, { scenarios, clients }) => {
    if (!scenarios.library.forget(name)) {
      throw new AdminError("UNKNOWN_SCENARIO", `No scenario "${name}" was uploaded.`);
    }
    if (!scenarios.library.get(name)) {
      if (scenarios.activeForAll === name) scenarios.activeForAll = undefined;
      for (const { scenario } of clients.all()) if (scenario.active === name) scenario.active = undefined;
    }
  },
});

function asInvalid(error: unknown): never {
  throw error instanceof FileError ? new AdminError("INVALID_SCENARIO", error.message) : error;
}

function placed({ line = 1, column = 1, message }: FileProblem) {
  return { line, column, message: printable(message) };
}

function entryOf(name: string, { scenarios: { library } }: AdminContext): LibraryEntry {
  const entry = library.get(name);
  if (!entry) throw new AdminError("UNKNOWN_SCENARIO", unknownScenarioMessage(name, library));
  return entry;
}

function summaryOf({ name, scenario, origin, problems, warnings }: LibraryEntry) {
  return {
    name,
    description: scenario?.description ?? null,
    origin,
    rules: scenario?.rules.length ?? 0,
    problems: problems.map(formatProblem),
    warnings: warnings.map(formatProblem),
  };
}
