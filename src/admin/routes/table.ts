import { Hono } from "hono";
import type { AdminContext } from "../context.js";
import { AdminError, answerError } from "../error.js";
import { type Route, runRoute } from "../route.js";
import { clientRoutes } from "./clients.js";
import { clockRoutes } from "./clock.js";
import { expectedRoutes } from "./expected.js";
import { identityRoutes } from "./identities.js";
import { journalRoutes } from "./journal.js";
import { metricRoutes } from "./metrics.js";
import { referenceRoutes } from "./reference.js";
import { repeatRoutes } from "./repeat.js";
import { reportRoutes } from "./report.js";
import { requestRoutes } from "./requests.js";
import { rotationRoutes } from "./rotation.js";
import { scenarioRoutes } from "./scenarios.js";
import { serverCertificateRoutes } from "./server-certificate.js";
import { serviceRoutes } from "./service.js";

/** Every call of the admin API, by group, with the group's subject. The documents have them in this order. */
export const routeGroups = {
  service: {
    about:
      "The sandbox itself: whether it is ready, whom to trust, what it assumes, what its error codes and checks mean.",
    routes: [...serviceRoutes, ...referenceRoutes, ...metricRoutes],
  },
  clients: {
    about:
      "A client for each test, rotation of certificates, and the standing identities. The files of a client are those of its newest certificate.",
    routes: [...clientRoutes, ...expectedRoutes, ...rotationRoutes, ...identityRoutes],
  },
  server: {
    about: "The server's own certificate: its renewal, and the next CA.",
    routes: serverCertificateRoutes,
  },
  scenarios: { about: "Errors and failures on demand, for all clients or for one.", routes: scenarioRoutes },
  clock: {
    about:
      "Time travel, for all clients or for one. Tokens, certificates, cursors, rate limits, `createdAt` and the journal read the client's clock, which is based on the sandbox's.",
    routes: clockRoutes,
  },
  journal: {
    about: "What reached the API, why it got its answer, and failed handshakes.",
    routes: [...journalRoutes, ...requestRoutes, ...repeatRoutes, ...reportRoutes],
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
