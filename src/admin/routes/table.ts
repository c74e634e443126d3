import { Hono } from "hono";
import type { AdminContext } from "../context.js";
import { AdminError, answerError } from "../error.js";
import { type Route, runRoute } from "../route.js";
import {
  addCertificate,
  clientDownloads,
  createClient,
  deleteCertificate,
  deleteClient,
  listClients,
  readClient,
} from "./clients.js";
import { clientClock, sandboxClock } from "./clock.js";
import { identityDownloads, listIdentities } from "./identities.js";
import { exportJournal, findMissing, readJournal, readOverview, streamJournal } from "./journal.js";
import { readMetrics } from "./metrics.js";
import { listAssumptions, readAssumption, readCheckPage, readErrorPage, readLlmsText } from "./reference.js";
import { repeatRequest } from "./repeat.js";
import { readReport } from "./report.js";
import { readRequest } from "./request.js";
import { clearRequests, countRequests, listHandshakes, listRequests, streamRequests } from "./requests.js";
import { endCertificate, rotateCertificate } from "./rotation.js";
import {
  clearScenarioForAll,
  clearScenarioOfClient,
  readScenarioForAll,
  readScenarioOfClient,
  useScenarioForAll,
  useScenarioForClient,
} from "./scenario.js";
import { checkScenario, deleteScenario, listScenarios, readScenario, uploadScenario } from "./scenarios.js";
import { announceCa, readNextCa, readServerCertificate, renewServerCertificate } from "./server-certificate.js";
import { readAdminOpenApi, readCa, readHealth, readOpenApi, resetSandbox } from "./service.js";

/** Every call of the admin API, by group, with the group's subject. The documents have them in this order. */
export const routeGroups = {
  service: {
    about:
      "The sandbox itself: whether it is ready, whom to trust, what it assumes, what its error codes and checks mean.",
    routes: [
      readHealth,
      readCa,
      resetSandbox,
      readOpenApi,
      readAdminOpenApi,
      listAssumptions,
      readAssumption,
      readLlmsText,
      readErrorPage,
      readCheckPage,
      readMetrics,
    ],
  },
  clients: {
    about: "A client for each test, rotation of certificates, and the standing identities.",
    routes: [
      listClients,
      createClient,
      readClient,
      deleteClient,
      addCertificate,
      deleteCertificate,
      ...clientDownloads,
      rotateCertificate,
      endCertificate,
      listIdentities,
      ...identityDownloads,
    ],
  },
  server: {
    about: "The server's own certificate: its renewal, and the next CA.",
    routes: [readServerCertificate, renewServerCertificate, announceCa, readNextCa],
  },
  scenarios: {
    about: "Errors and failures on demand, for all clients or for one.",
    routes: [
      readScenarioForAll,
      useScenarioForAll,
      clearScenarioForAll,
      readScenarioOfClient,
      useScenarioForClient,
      clearScenarioOfClient,
      listScenarios,
      readScenario,
      uploadScenario,
      checkScenario,
      deleteScenario,
    ],
  },
  clock: { about: "Time travel, for all clients or for one.", routes: [...sandboxClock, ...clientClock] },
  journal: {
    about: "What reached the API, why it got its answer, and failed handshakes.",
    routes: [
      readJournal,
      readOverview,
      findMissing,
      streamJournal,
      exportJournal,
      listRequests,
      countRequests,
      streamRequests,
      readRequest,
      clearRequests,
      listHandshakes,
      repeatRequest,
      readReport,
    ],
  },
} as const;

/** One of them, with the types of its schemas. */
export type AdminRoute = (typeof routeGroups)[keyof typeof routeGroups]["routes"][number];

export const adminRoutes: readonly Route[] = Object.values(routeGroups).flatMap(
  ({ routes }): readonly Route[] => routes,
);

/** The table of admin routes as an app. */
export function mountRoutes(context: AdminContext): Hono {
  const app = new Hono();
  const methods = new Map<string, string[]>();
  // The start does not wait for the library, so these routes make sure that it is read.
  const usesLibrary = new Set<Route>(routeGroups.scenarios.routes);
  for (const definition of adminRoutes) {
    const path = definition.path.replaceAll(/\{(\w+)\}/g, ":$1");
    methods.set(path, [...(methods.get(path) ?? []), definition.method]);
    app.on(definition.method, path, async (http) => {
      if (usesLibrary.has(definition)) await context.scenarios.library.read();
      return runRoute(definition, http, context);
    });
  }
  for (const [path, allowed] of methods) {
    // RFC 9110 §9.3.2: a path that supports GET also supports HEAD. Hono does that.
    const named = allowed.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");
    app.all(path, (http) => {
      http.header("Allow", named);
      throw new AdminError("METHOD_NOT_ALLOWED", `This path answers to ${named}.`);
    });
  }
  app.notFound(() => {
    throw new AdminError("NOT_FOUND", "There is nothing at this path; GET /admin-openapi.json lists all paths.");
  });
  app.onError(answerError);
  return app;
}
