import { setTimeout as sleep } from "node:timers/promises";
import { errorCodes, errorFacts, isErrorCode } from "../errors.js";
import { codeOf, Refusal } from "../journal/refusal.js";
import type { ConnectionFault, InjectedError } from "../scenarios/definition.js";
import { lengthOf } from "../scenarios/delay.js";
import { bytes } from "../scenarios/draw.js";
import { type ActiveFault, faultHandle } from "../scenarios/engine.js";
import type { RequestFacts } from "../scenarios/match.js";
import { indexHeaders, readHeader, repeated, sendsAny } from "./headers.js";
import { InjectedAnswer } from "./injected-answer.js";
import { runSteps } from "./run.js";
import type { Call, Operation, RefusalId, Step } from "./service.js";

/** Whether a request names a scenario, or a fault of one. */
export function asksForScenario({ exchange: { rawHeaders } }: Call): boolean {
  return (
    readHeader(rawHeaders, "sandbox-scenario") !== undefined || readHeader(rawHeaders, "sandbox-replay") !== undefined
  );
}

/**
 * Finds the fault that a request meets.
 * @throws Refusal when a header names a scenario that is not there
 */
export function selectFault(operation: Operation, call: Call): ActiveFault | undefined {
  const { service, exchange } = call;
  const scenario = readHeader(exchange.rawHeaders, "sandbox-scenario");
  const replay = readHeader(exchange.rawHeaders, "sandbox-replay");
  if (scenario === repeated || replay === repeated) {
    throw new Refusal(
      "UNKNOWN_SCENARIO",
      { kind: "unknown-scenario" },
      { message: "Sandbox-Scenario and Sandbox-Replay may be sent once." },
    );
  }
  const { scenarios } = service;
  if (scenario === undefined && replay === undefined && !scenarios.isActiveFor(exchange.client)) return undefined;
  const selected = scenarios.select(exchange.client, { scenario, replay }, factsOf(operation, call));
  if (selected && "message" in selected) {
    throw new Refusal("UNKNOWN_SCENARIO", { kind: "unknown-scenario" }, { message: selected.message });
  }
  if (selected?.replayed) refuseUnfitReplay(operation, selected);
  return selected;
}

const noValues: readonly string[] = [];

function factsOf(operation: Operation, call: Call): RequestFacts {
  const { exchange } = call;
  let headers: ReadonlyMap<string, readonly string[]> | undefined;
  return {
    operation: operation.name,
    list: operation.list,
    client: exchange.client?.id,
    page: () => operation.walk?.(call).page,
    cursor: () => operation.walk?.(call).cursor,
    query: (name) => call.parameters.get(name) ?? [],
    sendsAny: (names) => sendsAny(exchange.rawHeaders, names),
    header(name) {
      headers ??= indexHeaders(exchange.rawHeaders);
      return headers.get(name) ?? noValues;
    },
  };
}

/** Runs an operation under a fault: delay, broken connection, steps with the injected answer among them, corrupted answer. */
export async function runWithFault(operation: Operation, call: Call, active: ActiveFault): Promise<Response> {
  const { exchange } = call;
  const { fault } = active.rule;
  exchange.fault = active;
  // These act whatever the steps find. What else a rule does is noted where it acts.
  if (fault.delay || fault.connection) exchange.markInjected(faultHandle(active.key));
  if (fault.delay) {
    const duration = lengthOf(fault.delay, active.key);
    // A client that gives up ends the wait; its answer goes nowhere.
    await sleep(duration, undefined, { signal: call.request.signal }).catch(() => {});
  }
  if (fault.connection && breaksAtOnce(fault.connection)) return breakConnection(call, fault.connection, active);
  const response = await runSteps({ ...operation, steps: stepsWith(operation, active) }, call);
  if (exchange.injected === undefined) giveBack(active);
  return fault.connection ? corrupt(call, fault.connection, response) : response;
}

/** A fault that was seen on one operation and is asked for on another could only be passed over in silence. */
function refuseUnfitReplay(operation: Operation, { rule }: ActiveFault): void {
  const only = rule.fault.token ? "token" : rule.fault.page ? "list" : operation.name;
  if (only === operation.name) return;
  throw new Refusal(
    "UNKNOWN_SCENARIO",
    { kind: "unknown-scenario" },
    { message: `The fault of Sandbox-Replay acts on the operation ${only} only, not on ${operation.name}.` },
  );
}

/** A fault that did not come to act, because the request was refused before it, or a bucket had room, counts against no limit. */
function giveBack({ counter }: ActiveFault): void {
  if (counter) counter.made -= 1;
}

/** The steps of an operation with the injected answer in its place: after peer, token and scope, or first at the token endpoint. */
function stepsWith(operation: Operation, active: ActiveFault): readonly Step[] {
  const step = injectionStep(operation, active);
  if (!step) return operation.steps;
  const { steps } = operation;
  const at = operation.name === "token" ? 0 : steps.findIndex(({ name }) => name === "scope") + 1;
  return [...steps.slice(0, at), step, ...steps.slice(at)];
}

function injectionStep(operation: Operation, active: ActiveFault): Step | undefined {
  const { error, respond, rateLimit } = active.rule.fault;
  if (!error && !respond && !rateLimit) return undefined;
  return {
    name: "scenario",
    checks: "no scenario injects an answer here",
    refuses: errorCodes,
    run({ exchange }) {
      if (rateLimit) return limitRate(active, exchange.now, (handle) => exchange.markInjected(handle));
      exchange.markInjected(faultHandle(active.key));
      if (error) throw injectedRefusal(operation, error);
      if (respond) throw new InjectedAnswer(respond.status, respond.headers, respond.body);
    },
  };
}

/** What the sandbox itself would answer with, as it is configured; a message or headers of the rule stand before that. */
function injectedRefusal(operation: Operation, { code: asked, message, headers }: InjectedError): Refusal {
  const id = nativeId(operation, asked);
  const own = message === undefined ? {} : { message, keepsMessage: true };
  // RFC 9110 §15.5.6
  const usual = codeOf(asked) === "METHOD_NOT_ALLOWED" ? { Allow: operation.method } : {};
  const basis = id === undefined ? { basis: "sandbox" as const } : {};
  return new Refusal(id ?? asked, { kind: "injected" }, { ...own, ...basis, headers: { ...usual, ...headers } });
}

/**
 * What an operation rests on where it answers with a code by itself: several assumptions may lead to one code. Undefined for a code with
 * which it never does; then nothing but the scenario decides.
 */
function nativeId({ steps }: Operation, asked: RefusalId): RefusalId | undefined {
  if (!isErrorCode(asked)) return asked;
  const { basis } = errorFacts(asked);
  if (basis === "§7" || basis === "sandbox" || basis.startsWith("http.")) return asked;
  const known = steps.flatMap(({ refuses }) => refuses.filter((id) => !isErrorCode(id)));
  const own = known.find((id) => id === basis);
  if (own !== undefined) return codeOf(own) === asked ? own : asked;
  return known.findLast((id) => codeOf(id) === asked);
}

/** RFC 6585 §4. */
function limitRate(active: ActiveFault, now: number, mark: (handle: string) => void): void {
  const { rule, key, state, replayed } = active;
  const { rateLimit } = rule.fault;
  if (!rateLimit) return;
  const wait = replayed ? rateLimit.per / rateLimit.limit : state.takeFrom(key.scenario, rule.name, rateLimit, now);
  if (wait <= 0) return;
  mark(faultHandle(key));
  throw new Refusal(
    "TOO_MANY_REQUESTS",
    { kind: "injected" },
    { headers: { "Retry-After": String(Math.max(1, Math.ceil(wait / 1000))) } },
  );
}

function breaksAtOnce({ kind }: ConnectionFault): boolean {
  return kind === "reset" || kind === "close" || kind === "hang" || kind === "garbage";
}

async function breakConnection(call: Call, fault: ConnectionFault, { key }: ActiveFault): Promise<Response> {
  const faults = call.connectionFaults();
  call.service.onExchange?.(call.exchange);
  if (fault.kind === "reset") return faults.reset();
  if (fault.kind === "hang") return faults.hang(fault.duration);
  // The first byte is none that HTTP could begin with; the rest is drawn, so that a replay sends the same.
  if (fault.kind === "garbage") return faults.garbage(Buffer.concat([Buffer.of(0), bytes(key, "garbage")]));
  return faults.close();
}

async function corrupt(call: Call, fault: ConnectionFault, response: Response): Promise<Response> {
  const answer = {
    status: response.status,
    headers: call.exchange.answerHeaders ?? {},
    body: Buffer.from(await response.arrayBuffer()),
  };
  const faults = call.connectionFaults();
  return fault.kind === "drip" ? faults.drip(answer, fault.duration) : faults.truncate(answer);
}
