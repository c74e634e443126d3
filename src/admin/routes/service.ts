import * as z from "zod";
import { isRequest } from "../../sandbox/journal/entry.js";
import { clientOf } from "../client-errors.js";
import { clientId, healthSchema } from "../common-schemas.js";
import type { AdminContext } from "../context.js";
import { route } from "../route.js";

export const serviceRoutes = [
  route({
    method: "GET",
    path: "/health",
    summary: "Whether the sandbox is ready",
    description: "Open to everybody. 503 until every identity is ready.",
    answer: { status: 200, description: "It is ready.", schema: healthSchema },
    handle: (_input, context) => context.health(),
  }),
  route({
    method: "GET",
    path: "/ca.pem",
    needsSandbox: true,
    summary: "The CA that clients trust",
    answer: { status: 200, description: "PEM.", contentType: "application/x-pem-file" },
    handle: (_input, { serverCertificates: { caPem } }) =>
      new Response(caPem, { headers: { "Content-Type": "application/x-pem-file" } }),
  }),
  route({
    method: "POST",
    path: "/reset",
    summary: "Reset a client, or all of them",
    description:
      "Clears counters, draws and buckets of scenarios, active scenarios (for all: back to the one of the start), clocks, expected errors, journal and report. Keeps clients, tokens and uploaded scenarios.",
    body: z.strictObject({ client: clientId.optional() }),
    answer: { status: 204, description: "Done." },
    errors: ["UNKNOWN_CLIENT"],
    changes: ({ body }) => ({ client: body.client }),
    readsJournal: true,
    handle: ({ body }, context) => reset(body.client, context),
  }),
  route({
    method: "GET",
    path: "/openapi.json",
    summary: "OpenAPI 3.1 of the business interface",
    answer: { status: 200, description: "The document.", schema: z.object({}).loose() },
    handle: (_input, { openApi }) => openApi(),
  }),
  route({
    method: "GET",
    path: "/admin-openapi.json",
    summary: "OpenAPI 3.1 of this API",
    answer: { status: 200, description: "The document.", schema: z.object({}).loose() },
    handle: (_input, { adminOpenApi }) => adminOpenApi(),
  }),
];

function reset(id: string | undefined, context: AdminContext): void {
  const { clients, scenarios, clock, removeEntries, exam, initialScenario } = context;
  const named = id === undefined ? undefined : clientOf(id, context);
  exam?.reset(id);
  for (const client of named ? [named] : clients.all()) {
    client.scenario.reset();
    client.clock.reset();
    client.expected = [];
  }
  if (named) {
    removeEntries(
      (entry) =>
        isRequest(entry) &&
        (entry.item.client?.registration === named.registration || entry.item.token?.clientId === id),
    );
    return;
  }
  clock.reset();
  scenarios.forAll.reset(initialScenario);
  removeEntries();
}
