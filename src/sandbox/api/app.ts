import { Hono } from "hono";
import { grouped } from "../../base/grouped.js";
import { answerRequest } from "./request.js";
import type { ApiBindings, Operation, Service } from "./service.js";

/** The whole interface as a Hono app: one route per path, one handler for all of them. */
export type Api = Hono<{ Bindings: ApiBindings }>;

/** Builds the app from the table of operations. In tests, `app.request(path, init, { peer })` calls it without TLS. */
export function createApi(service: Service, operations: readonly Operation[]): Api {
  const app: Api = new Hono();
  // A path with a literal segment is matched before one that has a parameter there, as in OpenAPI (§4.8.8.2 of 3.1.0).
  const ordered = operations.toSorted(({ path: one }, { path: other }) => one.compare(other));
  for (const [route, ofRoute] of grouped(ordered, ({ path }) => path.route)) {
    if (route === undefined) continue;
    app.all(service.basePath + route, (context) => answerRequest(service, ofRoute, operations, context));
  }
  app.notFound((context) => answerRequest(service, [], operations, context));
  // Hono would answer in plain text. The TLS server turns an error into the error object and an entry of the journal.
  app.onError((error) => {
    throw error;
  });
  return app;
}
