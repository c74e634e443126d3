import { Hono } from "hono";
import type { AdminContext } from "./context.js";
import { AdminError, runRoute } from "./route.js";
import { adminRoutes } from "./routes/table.js";

/** The table of admin routes as an app. */
export function mountRoutes(context: AdminContext): Hono {
  const app = new Hono();
  const methods = new Map<string, string[]>();
  for (const definition of adminRoutes) {
    const path = definition.path.replaceAll(/\{(\w+)\}/g, ":$1");
    methods.set(path, [...(methods.get(path) ?? []), definition.method]);
    app.on(definition.method, path, async (http) => {
      // A start does not wait for the library to be read.
      if (definition.group === "scenarios") await context.scenarios.library.read();
      return runRoute(definition, http, context);
    });
  }
  for (const [path, allowed] of methods) {
    // RFC 9110 §9.3.2: what answers to GET answers to HEAD. Hono takes care of that.
    const named = allowed.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");
    app.all(path, (http) => {
      http.header("Allow", named);
      throw new AdminError(405, "METHOD_NOT_ALLOWED", `This path answers to ${named}.`);
    });
  }
  app.notFound((http) =>
    http.json(
      { message: "There is nothing at this path; GET /admin-openapi.json tells what there is.", code: "NOT_FOUND" },
      404,
    ),
  );
  app.onError((error, http) => {
    // The rest of the body is not read, so nothing else can follow it on the connection (RFC 9112 §9.6).
    if (error instanceof AdminError && error.status === 413) http.header("Connection", "close");
    if (error instanceof AdminError) return http.json({ message: error.message, code: error.code }, error.status);
    process.stderr.write(
      `payments-sandbox: this is a bug in the admin API, please report it:\n${error.stack ?? error.message}\n`,
    );
    return http.json({ message: "The sandbox failed; this is a bug in it.", code: "INTERNAL_SERVER_ERROR" }, 500);
  });
  return app;
}
