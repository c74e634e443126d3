import { type Context, Hono } from "hono";
import { Exchange } from "../journal/exchange.js";
import { Refusal, unavailableRefusal } from "../journal/refusal.js";
import type { ActiveFault } from "../scenarios/engine.js";
import { errorResponse } from "./error-response.js";
import { runWithFault } from "./faults.js";
import { grouped } from "./grouped.js";
import { splitTarget } from "./path.js";
import { runSteps } from "./run.js";
import { asksForScenario, readAhead, selectFault } from "./select-fault.js";
import { type ApiBindings, Call, type Operation, type Service } from "./service.js";

/** The whole interface as a Hono app: one route per path, one handler for all of them. */
export type Api = Hono<{ Bindings: ApiBindings }>;

/** Builds the app from the table of operations. In tests, `app.request(path, init, { peer })` calls it without TLS. */
export function createApi(service: Service, operations: readonly Operation[]): Api {
  const app: Api = new Hono();
  // A path with a literal segment is matched before one that has a parameter there, as in OpenAPI (§4.8.8.2 of 3.1.0).
  const ordered = operations.toSorted(({ path: one }, { path: other }) => one.compare(other));
  for (const [route, group] of grouped(ordered, ({ path }) => path.route)) {
    if (route !== undefined) app.all(service.basePath + route, (context) => serve(service, group, operations, context));
  }
  app.notFound((context) => serve(service, [], operations, context));
  // Hono would answer in plain text. The TLS server turns an error into the error object and an entry of the journal.
  app.onError((error) => {
    throw error;
  });
  return app;
}

/** The life of one request: who asks, which operation, its steps, one answer. */
function serve(
  service: Service,
  candidates: readonly Operation[],
  all: readonly Operation[],
  context: Context<{ Bindings: ApiBindings }>,
): Response | Promise<Response> {
  const bindings = context.env;
  const request = context.req.raw;
  const { peer, incoming } = bindings;
  const client = peer.kind === "certificate" ? service.clients.byThumbprint(peer.certificate.thumbprint) : undefined;
  const target = incoming?.url ?? targetOf(request.url);
  const plain = candidates[0]?.path.text;
  const exchange = new Exchange(
    peer,
    request.method,
    // One shared text, and not ten thousand equal ones in the journal.
    target === plain ? plain : target,
    // Names and values in turn. Requests of `app.request` have only the normalized ones.
    bindings.rawHeaders ?? [...request.headers].flat(),
    (client?.clock ?? service.clock).now(),
  );
  exchange.cameFrom(client, bindings.connectionFacts, bindings.stream);
  bindings.track?.(exchange);
  exchange.correlatedBy(service.correlation.idFor(exchange.rawHeaders));
  const { path: wholePath, query } = splitTarget(exchange.target);
  const path = withoutBase(wholePath, service.basePath);
  // The first route that Hono finds may be another operation: it may match by a parameter or a decoded letter.
  const ofRoute = candidates[0]?.path.match(path);
  const here = ofRoute ? candidates : all.filter((operation) => operation.path.match(path));
  // RFC 9110 §9.3.2: the server leaves out the body.
  const isHead = exchange.method === "HEAD" && service.assumptions.values["http.head"] === "answer";
  const operation = here.find(({ method }) => method === (isHead ? "GET" : exchange.method));
  const pathParameters = ofRoute ?? operation?.path.match(path);
  if (operation && pathParameters) {
    noteOperation(exchange, operation);
    return runOperation(operation, new Call(service, exchange, request, query, pathParameters, bindings));
  }
  const unmatched = { service, exchange };
  return refuse(unmatched, routeRefusal(unmatched, here, all));
}

/** The path without the base path. Empty if the path does not begin with it; no operation has an empty path. */
function withoutBase(path: string, basePath: string): string {
  if (basePath === "") return path;
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : "";
}

function runOperation(operation: Operation, call: Call): Response | Promise<Response> {
  const unavailable = call.service.store.unavailable();
  if (unavailable !== undefined) return refuse(call, unavailableRefusal(unavailable));
  const { bindings, service } = call;
  const { library, serverRenewal } = service.scenarios;
  if (serverRenewal !== undefined && bindings.connectionFacts && service.endsConnection?.(bindings.connectionFacts))
    bindings.wire?.().goAway("NO_ERROR", "this");
  if (asksForScenario(call) && !library.isRead) return library.read().then(() => runOperation(operation, call));
  const reading = readAhead(operation, call);
  return reading ? reading.then(() => runSelected(operation, call)) : runSelected(operation, call);
}

function runSelected(operation: Operation, call: Call): Response | Promise<Response> {
  let fault: ActiveFault | undefined | Promise<ActiveFault | undefined>;
  try {
    fault = selectFault(operation, call);
  } catch (error) {
    return refuse(call, error);
  }
  if (fault === undefined) return runSteps(operation, call);
  const ran =
    fault instanceof Promise ? fault.then((found) => run(operation, call, found)) : run(operation, call, fault);
  // A sandbox that shares its counters fails here if it cannot reach them, and a fault if it cannot do what it says.
  return ran instanceof Promise ? ran.catch((error) => refuse(call, error)) : ran;
}

function run(operation: Operation, call: Call, fault: ActiveFault | undefined): Response | Promise<Response> {
  return fault ? runWithFault(operation, call, fault) : runSteps(operation, call);
}

/** @throws every error that is not a Refusal */
function refuse(call: Pick<Call, "service" | "exchange">, error: unknown): Response {
  if (!(error instanceof Refusal)) throw error;
  const response = errorResponse(call, error);
  call.service.recorder?.exchange(call.exchange);
  return response;
}

/** The operations at the path of a target, whatever their method. */
export function operationsAt(
  target: string,
  { basePath }: Pick<Service, "basePath">,
  all: readonly Operation[],
): readonly Operation[] {
  const path = withoutBase(splitTarget(target).path, basePath);
  return all.filter((operation) => operation.path.match(path));
}

function noteOperation(exchange: Exchange, operation: Operation | undefined): void {
  exchange.routed(operation?.name, operation?.list);
}

/**
 * Why no operation answers: no operation has this path, or none at this path accepts the method. The operation is noted
 * in the exchange.
 * @param here the operations at this path
 */
export function routeRefusal(
  { service, exchange }: { readonly service: Pick<Service, "basePath">; readonly exchange: Exchange },
  here: readonly Operation[],
  all: readonly Operation[],
): Refusal {
  const [operation] = here;
  noteOperation(exchange, operation);
  const allowed = here.map(({ method }) => method);
  return operation
    ? new Refusal("http.method-not-allowed", { kind: "method", allowed }, { headers: { Allow: allowed.join(", ") } })
    : new Refusal("http.not-found", {
        kind: "no-such-path",
        known: all.map(({ path }) => service.basePath + path.text),
      });
}

/** Path and query of a normalized URL, for requests that have no raw target: those of `app.request`. */
function targetOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
