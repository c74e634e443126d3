import * as z from "zod";
import { thousands } from "../../base/text/numbers.js";
import { printable } from "../../base/text/printable.js";
import { FileError, type FileProblem, formatProblem, mostProblems } from "../../base/yaml/problem.js";
import type { Client } from "../../sandbox/clients.js";
import { scenarioLimits } from "../../sandbox/scenarios/defaults.js";
import { unknownScenarioMessage } from "../../sandbox/scenarios/engine.js";
import type { LibraryEntry } from "../../sandbox/scenarios/library.js";
import type { Scenario } from "../../sandbox/scenarios/scenario.js";
import {
  asInvalid,
  choiceForAll,
  choiceOf,
  chosenForClient,
  chosenIn,
  chosenOf,
  chosenScenario,
  definedIn,
  keepScenario,
} from "../chosen-scenario.js";
import { clientOf } from "../client-errors.js";
import { nullableText, ofClient, scenarioName } from "../common-schemas.js";
import type { AdminContext } from "../context.js";
import { AdminError } from "../error.js";
import { route } from "../route.js";
import { announceNextCa } from "../server-certificate.js";

const ofScenario = z.object({ name: scenarioName });
const placedSchema = z
  .object({ line: z.int(), column: z.int(), message: z.string() })
  .meta({ id: "PlacedProblem" })
  .describe("A problem with its place; lines and columns begin at 1.");
const scenarioSummarySchema = z
  .object({
    name: z.string(),
    description: nullableText.describe("null if it was never valid."),
    origin: z.enum(["uploaded", "folder", "built-in"]),
    rules: z.int().min(0),
    problems: z
      .array(z.string())
      .describe("Of its newest text, with line and column; the last valid text stays in use."),
  })
  .meta({ id: "Scenario" });

const scenarioChoiceSchema = z
  .object({
    name: nullableText,
    source: z.enum(["client", "all", "none"]),
    below: nullableText
      .describe("If it is on top: the scenario that decides where none of its rules acts, or null.")
      .optional(),
  })
  .meta({ id: "ActiveScenario" });

const countedScenarioSchema = scenarioChoiceSchema
  .extend({
    rules: z
      .array(
        z.object({
          name: z.string(),
          matched: z.int().min(0).describe("How many requests its conditions matched, since it has begun."),
          acted: z.int().min(0).describe("On how many of these its fault acted."),
        }),
      )
      .describe(
        "Its rules, in their order, and how often they matched and acted since it was activated. One that never matched has a mistake, or one before it acts on its requests.",
      ),
  })
  .meta({ id: "CountedScenario" });

const counted = {
  status: 200,
  description: "The scenario that is active now, and what its rules did.",
  schema: countedScenarioSchema,
} as const;
const countsDescription =
  "The counts are those of the requests of the client, or of all clients; a rule with `share: all` always counts all.";
const undoDescription = "Its counters continue. One step is remembered.";
const active = { status: 200, description: "The scenario that is active now.", schema: scenarioChoiceSchema } as const;

/** Of a kept run, none: counters are not kept. */
async function countsOf(client: Client | undefined, { kept, scenarios }: AdminContext) {
  return kept ? [] : [...(await scenarios.countsFor(client))];
}

export const scenarioRoutes = [
  route({
    method: "GET",
    path: "/scenario",
    summary: "The active scenario for all clients",
    description: countsDescription,
    answer: counted,
    handle: async (_input, context) => ({
      ...choiceForAll(context),
      rules: await countsOf(undefined, context),
    }),
  }),
  route({
    method: "PUT",
    path: "/scenario",
    summary: "Activate a scenario for all clients",
    description:
      "By its name, or by its rules. A client's own takes precedence. Counters start from zero. `server` faults act on every new connection.",
    body: chosenScenario,
    answer: active,
    errors: ["UNKNOWN_SCENARIO", "INVALID_REQUEST", "INVALID_SCENARIO", "CANNOT_ISSUE"],
    tool: {
      name: "use_scenario",
      title: "Choose a scenario",
      description: "Makes the errors of a scenario happen. Counters start from zero.",
    },
    prepare: async ({ body }, context) => {
      const defined = await definedIn(body, context);
      const announces = chosenIn(body, defined, context)?.serverCertificate === "next-ca";
      return { defined, nextCa: announces ? await context.serverCertificates.makeNextCa() : undefined };
    },
    changes: () => ({}),
    files: ({ prepared: { nextCa } }, { serverCertificates }) => nextCa && serverCertificates.nextCaFiles(nextCa),
    handle: ({ body, prepared: { defined, nextCa } }, context, write) => {
      const name = chosenIn(body, defined, context)?.name;
      if (defined) keepScenario(defined, context);
      if (nextCa) announceNextCa(nextCa, context.serverCertificates, write);
      if (name !== undefined)
        for (const client of context.clients.all()) client.scenario.restart(name, client.clock.now());
      context.scenarios.forAll.choose(name);
      return choiceForAll(context);
    },
  }),
  route({
    method: "DELETE",
    path: "/scenario",
    summary: "Deactivate the scenario for all clients",
    answer: active,
    changes: () => ({}),
    handle: (_input, context) => {
      context.scenarios.forAll.choose(undefined);
      return choiceForAll(context);
    },
  }),
  route({
    method: "POST",
    path: "/scenario/undo",
    summary: "Take back the choice for all clients",
    description: `The choice before it holds again. ${undoDescription} Without one, no scenario is active.`,
    answer: active,
    changes: () => ({}),
    handle: (_input, context) => {
      context.scenarios.forAll.undo();
      return choiceForAll(context);
    },
  }),
  route({
    method: "GET",
    path: "/clients/{id}/scenario",
    summary: "The active scenario for one client",
    description: countsDescription,
    params: ofClient,
    answer: counted,
    errors: ["UNKNOWN_CLIENT"],
    handle: async ({ params }, context) => ({
      ...choiceOf(params.id, context),
      rules: await countsOf(clientOf(params.id, context), context),
    }),
  }),
  route({
    method: "PUT",
    path: "/clients/{id}/scenario",
    summary: "Activate a scenario for one client",
    description:
      "By its name, or by its rules. It takes precedence over the one for all clients. Counters start from zero. With `onTop`, it is asked before the client's choice: a rule with `limit: 1` fails the next request, and nothing else changes.",
    params: ofClient,
    body: chosenForClient,
    answer: active,
    errors: ["UNKNOWN_CLIENT", "UNKNOWN_SCENARIO", "INVALID_REQUEST", "INVALID_SCENARIO"],
    prepare: ({ body: { onTop, ...body } }, context) => definedIn(body, context),
    changes: ({ params, prepared: defined }) => (defined ? {} : { client: params.id }),
    handle: ({ params, body, prepared: defined }, context) => {
      const client = clientOf(params.id, context);
      const scenario = chosenIn(body, defined, context);
      if (scenario) refuseForHandshakes(scenario);
      if (body.onTop && scenario?.name === chosenOf(params.id, context))
        throw new AdminError(
          "INVALID_REQUEST",
          `"${scenario.name}" is active for this client: put another one on top.`,
        );
      if (defined) keepScenario(defined, context);
      if (scenario) client.scenario.restart(scenario.name, client.clock.now());
      if (body.onTop) client.scenario.onTop = scenario?.name;
      else client.scenario.active = scenario?.name ?? null;
      return choiceOf(params.id, context);
    },
  }),
  route({
    method: "POST",
    path: "/clients/{id}/scenario/undo",
    summary: "Take back the choice for one client",
    description: `What is on top of a choice is taken back first. The choice before it holds again. ${undoDescription} Without one, the client returns to the one for all.`,
    params: ofClient,
    answer: active,
    errors: ["UNKNOWN_CLIENT"],
    changes: ({ params }) => ({ client: params.id }),
    handle: ({ params }, context) => {
      clientOf(params.id, context).scenario.undo();
      return choiceOf(params.id, context);
    },
  }),
  route({
    method: "DELETE",
    path: "/clients/{id}/scenario",
    summary: "Deactivate the scenario for one client",
    description: "A client returns to the one for all.",
    params: ofClient,
    answer: active,
    errors: ["UNKNOWN_CLIENT"],
    changes: ({ params }) => ({ client: params.id }),
    handle: ({ params }, context) => {
      clientOf(params.id, context).scenario.active = undefined;
      return choiceOf(params.id, context);
    },
  }),
  route({
    method: "GET",
    path: "/scenarios",
    summary: "All scenarios",
    answer: { status: 200, description: "All of them.", schema: z.object({ items: z.array(scenarioSummarySchema) }) },
    handle: (_input, { scenarios }) => ({ items: scenarios.library.all().map(summaryOf) }),
  }),
  route({
    method: "GET",
    path: "/scenarios/{name}",
    summary: "The text of a scenario",
    params: ofScenario,
    answer: { status: 200, description: "YAML, as it was written.", contentType: "application/yaml" },
    errors: ["UNKNOWN_SCENARIO"],
    handle: ({ params }, context) =>
      new Response(entryOf(params.name, context).text, { headers: { "Content-Type": "application/yaml" } }),
  }),
  route({
    method: "PUT",
    path: "/scenarios/{name}",
    summary: "Upload a scenario, which takes precedence over a file of the same name",
    description: `At most ${thousands(scenarioLimits.characters)} bytes and ${thousands(scenarioLimits.tokens)} tokens, also with what its aliases repeat. An error names at most ${mostProblems} problems.`,
    params: ofScenario,
    body: z.string().describe("The scenario, YAML."),
    bodyType: "application/yaml",
    answer: { status: 200, description: "The scenario.", schema: scenarioSummarySchema },
    errors: ["INVALID_SCENARIO"],
    prepare: ({ params, body }, { scenarios }) => scenarios.library.compile(params.name, body).catch(asInvalid),
    changes: () => ({}),
    handle: ({ params, prepared }, context) => {
      keepScenario(prepared, context);
      return summaryOf(entryOf(params.name, context));
    },
  }),
  route({
    method: "POST",
    path: "/scenario/check",
    summary: "Check a scenario like an upload, without keeping it",
    body: z.string().describe("The scenario, YAML."),
    bodyType: "application/yaml",
    answer: {
      status: 200,
      description: "Its problems.",
      schema: z.object({ problems: z.array(placedSchema) }),
    },
    handle: async ({ body }, { scenarios }) => {
      try {
        const { problems } = await scenarios.library.check("scenario", body);
        return { problems: problems.map(placed) };
      } catch (error) {
        if (error instanceof FileError) return { problems: error.problems.map(placed) };
        throw error;
      }
    },
  }),
  route({
    method: "DELETE",
    path: "/scenarios/{name}",
    summary: "Delete an uploaded scenario; a file of the same name is used again",
    description: "Without such a file, it is taken back where it is active: what was chosen before it holds again.",
    params: ofScenario,
    answer: { status: 204, description: "Done." },
    errors: ["UNKNOWN_SCENARIO"],
    changes: () => ({}),
    handle: ({ params: { name } }, { scenarios, clients }) => {
      if (!scenarios.library.forget(name)) {
        throw new AdminError("UNKNOWN_SCENARIO", `No scenario "${name}" was uploaded.`);
      }
      if (!scenarios.library.get(name)) {
        scenarios.forAll.forget(name);
        for (const { scenario } of clients.all()) scenario.forget(name);
      }
    },
  }),
];

function refuseForHandshakes({ name, index }: Scenario): void {
  if (!index.isForHandshakesOnly) return;
  throw new AdminError(
    "INVALID_REQUEST",
    `The scenario "${name}" acts on the handshake, before it is known which client connects: activate it for all (PUT /scenario).`,
  );
}

function placed({ line = 1, column = 1, message }: FileProblem) {
  return { line, column, message: printable(message) };
}

function entryOf(name: string, { scenarios: { library } }: AdminContext): LibraryEntry {
  const entry = library.get(name);
  if (!entry) throw new AdminError("UNKNOWN_SCENARIO", unknownScenarioMessage(name, library));
  return entry;
}

function summaryOf({ name, scenario, origin, problems }: LibraryEntry) {
  return {
    name,
    description: scenario?.description ?? null,
    origin,
    rules: scenario?.rules.length ?? 0,
    problems: problems.map(formatProblem),
  };
}
