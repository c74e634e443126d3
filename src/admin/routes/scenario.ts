import * as z from "zod";
import { unknownScenarioMessage } from "../../sandbox/scenarios/engine.js";
import type { Scenario } from "../../sandbox/scenarios/scenario.js";
import { clientOf, orCannotIssue } from "../client-errors.js";
import { clientId, nullableText, scenarioName } from "../common-schemas.js";
import type { AdminContext } from "../context.js";
import { AdminError } from "../error.js";
import { route } from "../route.js";
import { announceNextCa } from "../server-certificate.js";

const ofClient = z.object({ id: clientId });
const scenarioChoiceSchema = z
  .object({
    name: nullableText.describe("The scenario that is active; null for none."),
    source: z.enum(["client", "all", "none"]).describe("Whether it is the client's own, or the one for all clients."),
  })
  .meta({ id: "ActiveScenario" });

const chooseScenarioSchema = z.strictObject({
  name: scenarioName
    .nullable()
    .describe("A scenario, or null for none (for a client: none even if one is active for all)."),
});

const active = { status: 200, description: "The scenario that is active now.", schema: scenarioChoiceSchema } as const;

export const readScenarioForAll = route({
  method: "GET",
  path: "/scenario",
  summary: "The scenario that is active for all clients",
  answer: active,
  handle: (_input, context) => choiceForAll(context),
});

export const useScenarioForAll = route({
  method: "PUT",
  path: "/scenario",
  summary: "Activate a scenario for all clients that have none of their own",
  description: "Its counters start again from zero. `server` faults act on every new connection from now on.",
  body: chooseScenarioSchema,
  answer: active,
  errors: ["UNKNOWN_SCENARIO", "CANNOT_ISSUE"],
  tool: {
    name: "use_scenario",
    title: "Choose a scenario",
    description:
      "Makes the errors of a scenario happen to one client, or to all. Its counters start from zero. With null as the name, no scenario is active any more.",
  },
  prepare: async ({ body }, context) => {
    const scenario = body.name === null ? undefined : scenarioOf(body.name, context);
    if (scenario?.serverCertificate !== "next-ca") return undefined;
    return orCannotIssue(() => context.serverCertificates.makeNextCa());
  },
  changes: () => ({}),
  files: ({ prepared: nextCa }, { serverCertificates }) => nextCa && serverCertificates.nextCaFiles(nextCa),
  handle: ({ body, prepared: nextCa }, context, write) => {
    if (body.name !== null) scenarioOf(body.name, context);
    if (nextCa) announceNextCa(nextCa, context.serverCertificates, write);
    if (body.name !== null) {
      for (const client of context.clients.all()) client.scenario.restart(body.name, client.clock.now());
    }
    context.scenarios.activeForAll = body.name ?? undefined;
    return choiceForAll(context);
  },
});

export const clearScenarioForAll = route({
  method: "DELETE",
  path: "/scenario",
  summary: "Deactivate the scenario for all clients",
  answer: active,
  changes: () => ({}),
  handle: (_input, context) => {
    context.scenarios.activeForAll = undefined;
    return choiceForAll(context);
  },
});

export const readScenarioOfClient = route({
  method: "GET",
  path: "/clients/{id}/scenario",
  summary: "The scenario that is active for a client",
  params: ofClient,
  answer: active,
  errors: ["UNKNOWN_CLIENT"],
  handle: ({ params }, context) => choiceOf(params.id, context),
});

export const useScenarioForClient = route({
  method: "PUT",
  path: "/clients/{id}/scenario",
  summary: "Activate a scenario for one client",
  description: "Its counters start again from zero, for this client.",
  params: ofClient,
  body: chooseScenarioSchema,
  answer: active,
  errors: ["UNKNOWN_CLIENT", "UNKNOWN_SCENARIO", "INVALID_REQUEST"],
  changes: ({ params }) => ({ client: params.id }),
  handle: ({ params, body }, context) => {
    const client = clientOf(params.id, context);
    if (body.name !== null) {
      const scenario = scenarioOf(body.name, context);
      if (scenario.index.isForHandshakesOnly) {
        throw new AdminError(
          "INVALID_REQUEST",
          `The scenario "${body.name}" acts on the handshake, before it is known which client connects: activate it for all (PUT /scenario).`,
        );
      }
      client.scenario.restart(body.name, client.clock.now());
    }
    client.scenario.active = body.name;
    return choiceOf(params.id, context);
  },
});

export const clearScenarioOfClient = route({
  method: "DELETE",
  path: "/clients/{id}/scenario",
  summary: "Return a client to the scenario that is active for all",
  params: ofClient,
  answer: active,
  errors: ["UNKNOWN_CLIENT"],
  changes: ({ params }) => ({ client: params.id }),
  handle: ({ params }, context) => {
    clientOf(params.id, context).scenario.active = undefined;
    return choiceOf(params.id, context);
  },
});

/** A scenario that can be activated: it was valid at least once. */
function scenarioOf(name: string, { scenarios: { library } }: AdminContext): Scenario {
  const scenario = library.scenario(name);
  if (!scenario) throw new AdminError("UNKNOWN_SCENARIO", unknownScenarioMessage(name, library));
  return scenario;
}

function choiceForAll({ scenarios: { activeForAll } }: AdminContext) {
  return { name: activeForAll ?? null, source: activeForAll === undefined ? "none" : "all" };
}

function choiceOf(id: string, context: AdminContext) {
  const { active: own } = clientOf(id, context).scenario;
  return own === undefined ? choiceForAll(context) : { name: own, source: "client" };
}
