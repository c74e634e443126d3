import type { Context } from "hono";
import { Exchange } from "../journal/exchange.js";
import { Refusal, unavailableRefusal } from "../journal/refusal.js";
import type { ActingRule } from "../scenarios/engine.js";
import { noteForm } from "./body.js";
import { encode } from "./encoding.js";
import { errorResponse } from "./error-response.js";
import { breakConnection, changeAnswer, sendAnswer, stepsUnder, wait } from "./faults.js";
import { FaultyCall } from "./faulty-call.js";
import { InjectedAnswer, injectedResponse } from "./injected-answer.js";
import { dropRefusedToken } from "./issue-token.js";
import { splitTarget } from "./path.js";
import { readAhead, selectRule } from "./select-rule.js";
import { type ApiBindings, Call, type Operation, type Service, type Step } from "./service.js";
import { noteUnknownParameters } from "./unknown-parameters.js";

/**
 * The story of a request: who asks, which operation answers, which rule acts, the steps, the answer, and the entry in
 * the journal. Nothing is awaited if nothing has to be: a promise costs a tenth of a ping.
 * @param ofRoute the operations of the route that Hono found
 */
export function answerRequest(
  service: Service,
  ofRoute: readonly Operation[],
  all: readonly Operation[],
  { env: bindings, req }: Context<{ Bindings: ApiBindings }>,
): Response | Promise<Response> {
  const request = req.raw;
  const exchange = beginExchange(service, bindings, request, ofRoute[0]?.path.text);
  const { path: wholePath, query } = splitTarget(exchange.target);
  const path = withoutBase(wholePath, service.basePath);
  // The route may be that of another operation: it may match by a parameter or a decoded letter.
  const parameters = ofRoute[0]?.path.match(path);
  const here = parameters ? ofRoute : all.filter((operation) => operation.path.match(path));
  // RFC 9110 §9.3.2: the server leaves out the body.
  const isHead = exchange.method === "HEAD" && service.assumptions.values["http.head"] === "answer";
  const operation = here.find(({ method }) => method === (isHead ? "GET" : exchange.method));
  if (!operation) {
    const unanswered = { service, exchange };
    return recorded(unanswered, errorResponse(unanswered, routeRefusal(unanswered, here, all)));
  }
  exchange.routed(operation.name, operation.list);
  const pathParameters = parameters ?? operation.path.match(path) ?? {};
  const call = new Call(service, operation, exchange, request, query, pathParameters, bindings);
  try {
    const answer = then(prepare(call), () =>
      then(selectRule(call), (rule) => (rule ? answerUnder(rule, call) : answerUsually(call))),
    );
    return answer instanceof Promise ? answer.catch((error) => refuseEarly(call, error)) : answer;
  } catch (error) {
    return refuseEarly(call, error);
  }
}

/** Who asks, when, and for what. */
function beginExchange(
  { clients, clock, correlation }: Service,
  bindings: ApiBindings,
  request: Request,
  usualTarget: string | undefined,
): Exchange {
  const { peer, incoming, rawHeaders, connectionFacts, stream } = bindings;
  const client = peer.kind === "certificate" ? clients.byThumbprint(peer.certificate.thumbprint) : undefined;
  const target = incoming?.url ?? targetOf(request.url);
  const exchange = new Exchange(
    peer,
    request.method,
    // One shared text, and not ten thousand equal ones in the journal.
    target === usualTarget ? usualTarget : target,
    // Names and values in turn. Requests of `app.request` have only the normalized ones.
    rawHeaders ?? [...request.headers].flat(),
    (client?.clock ?? clock).now(),
  );
  exchange.cameFrom(client, connectionFacts, stream);
  bindings.track?.(exchange);
  exchange.correlatedBy(correlation.idFor(exchange.rawHeaders));
  return exchange;
}

/**
 * Reads what decides which rule acts.
 * @throws Refusal if the state that replicas share cannot be used now
 */
function prepare(call: Call): undefined | Promise<void> {
  const { bindings, service } = call;
  const { library, serverRenewal } = service.scenarios;
  const unavailable = service.store.unavailable();
  if (unavailable !== undefined) throw unavailableRefusal(unavailable);
  if (serverRenewal !== undefined && bindings.connectionFacts && service.endsConnection?.(bindings.connectionFacts))
    bindings.wire?.().goAway("NO_ERROR", "this");
  if (call.requested !== undefined && !library.isRead) return library.read().then(() => readAhead(call));
  return readAhead(call);
}

function answerUsually(call: Call): Response | Promise<Response> {
  return then(runSteps(call, call.operation.steps), (response) => recorded(call, response));
}

/** The faults of a rule are called one after the other, each where it acts. */
async function answerUnder(rule: ActingRule, call: Call): Promise<Response> {
  const { exchange, operation } = call;
  const faulty = new FaultyCall(call, rule);
  exchange.matched(rule);
  call.faults = faulty;
  if (operation.name === "token") void noteForm(call);
  const refuse = await faulty.arrives();
  const delay = refuse ? undefined : faulty.delay;
  // A delay, and a fault on the connection, act also on a request that a step refuses.
  if (delay !== undefined || faulty.actsOnWire) faulty.acts();
  if (delay !== undefined) await wait(call, delay);
  // A request that was refused or aborted meanwhile has no answer to break. Over HTTP/2, the connection may have other
  // requests.
  const isLost = delay !== undefined && (exchange.isReplaced || call.request.signal.aborted);
  if (!isLost && (await breakConnection(call, faulty))) return call.wire().alreadySent;
  const steps = stepsUnder(faulty, operation, refuse);
  const answer = await runSteps(call, steps);
  const changed = await changeAnswer(call, answer, faulty).catch((error) => refused(call, steps, error));
  if (changed.status === 401) await dropRefusedToken(call);
  const response = await recorded(call, changed);
  // A fault that did not act, because the request was refused earlier or a bucket had room, does not count against a
  // limit.
  if (exchange.injected === undefined) await rule.counter?.giveBack();
  // If nothing reports when the answer has left, it counts as left now.
  if (!call.bindings.track) faulty.isOver();
  return isLost ? response : sendAnswer(call, faulty, response);
}

/** Runs the steps in order, then makes the answer. The first step that throws decides. */
function runSteps(call: Call, steps: readonly Step[]): Response | Promise<Response> {
  call.exchange.began(steps);
  return runFrom(0, steps, call);
}

function runFrom(start: number, steps: readonly Step[], call: Call): Response | Promise<Response> {
  try {
    for (let index = start; index < steps.length; index++) {
      const pending = steps[index]?.run(call);
      if (pending) return afterStep(pending, index, steps, call);
      call.exchange.passed(index + 1);
    }
    const answer = call.operation.answer(call);
    return answer instanceof Promise ? answer.catch((error) => refused(call, steps, error)) : answer;
  } catch (error) {
    return refused(call, steps, error);
  }
}

/** Not in the loop, because a closure in the loop would cost an allocation for each step. */
function afterStep(pending: Promise<void>, index: number, steps: readonly Step[], call: Call): Promise<Response> {
  return pending.then(
    () => {
      call.exchange.passed(index + 1);
      return runFrom(index + 1, steps, call);
    },
    (error) => refused(call, steps, error),
  );
}

/** The answer to what a step, or the answer itself, has thrown. */
function refused(call: Call, steps: readonly Step[], error: unknown): Response {
  const { exchange } = call;
  if (error instanceof InjectedAnswer) return injectedResponse(call, error);
  if (!(error instanceof Refusal)) {
    const message = "The sandbox failed; this is a bug in it.";
    return errorResponse(call, new Refusal("INTERNAL_SERVER_ERROR", { kind: "internal", error }, { message }));
  }
  // What is noted below had no part in this refusal.
  error.ignoredParameter = exchange.unknownParameters.length > 0 && error.basis !== "request.unknown-parameters";
  // The journal also names the parameters that this step did not reach.
  const known = steps[exchange.stepsPassed]?.parameters;
  if (known !== undefined) noteUnknownParameters(call, (name) => known.includes(name));
  return errorResponse(call, error);
}

/**
 * The answer to what was thrown before the steps, or by a fault.
 * @throws every error that is not a Refusal: the TLS server makes the error object and the entry of the journal
 */
function refuseEarly(call: Call, error: unknown): Response | Promise<Response> {
  if (!(error instanceof Refusal)) throw error;
  return recorded(call, errorResponse(call, error));
}

/** Enters an exchange whose answer is known, and returns the answer as it is sent. */
function recorded(call: Pick<Call, "service" | "exchange">, response: Response): Response | Promise<Response> {
  return then(encode(call, response), (sent) => {
    call.service.recorder?.exchange(call.exchange);
    return sent;
  });
}

/** Goes on with a value: at once, or when it is there. */
function then<T, Next>(value: T | Promise<T>, next: (value: T) => Next | Promise<Next>): Next | Promise<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
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
  exchange.routed(operation?.name, operation?.list);
  const allowed = here.map(({ method }) => method);
  return operation
    ? new Refusal("http.method-not-allowed", { kind: "method", allowed }, { headers: { Allow: allowed.join(", ") } })
    : new Refusal("http.not-found", {
        kind: "no-such-path",
        known: all.map(({ path }) => service.basePath + path.text),
      });
}

/** The path without the base path. Empty if the path does not begin with it; no operation has an empty path. */
function withoutBase(path: string, basePath: string): string {
  if (basePath === "") return path;
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : "";
}

/** Path and query of a normalized URL, for requests that have no raw target: those of `app.request`. */
function targetOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
