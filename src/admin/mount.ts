import { Hono } from "hono";
import type { AdminContext } from "./context.js";
import { AdminError, answerError } from "./error.js";
import { runRoute } from "./route.js";
import { adminRoutes, routeGroups } from "./routes/table.js";

/** The table of admin routes as an app. */
export function mountRoutes(context: AdminContext): Hono {
  const app = new Hono();
  const methods = new Map<string, string[]>();
  // The start does not wait for the library, so these routes make sure that it is read.
  const usesLibrary = new Set(routeGroups.scenarios.routes);
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
