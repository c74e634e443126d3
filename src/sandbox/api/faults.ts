import { setTimeout as sleep } from "node:timers/promises";
import { indexHeaders, readHeader, repeated, sendsAny } from "../connection/raw-headers.js";
import { Refusal } from "../journal/refusal.js";
import type { Parameters } from "../lists/problems.js";
import type { CertificateCondition } from "../scenarios/certificate-condition.js";
import { operationsOf } from "../scenarios/compile.js";
import type { ClockFault, ConcurrencyLimit, ConnectionFault, Fault } from "../scenarios/definition.js";
import { lengthOf } from "../scenarios/delay.js";
import { bytes } from "../scenarios/draw.js";
import { type ActiveFault, faultHandle } from "../scenarios/engine.js";
import type { RequestFacts } from "../scenarios/match.js";
import { actsOnHandshake } from "../scenarios/rule-index.js";
import { alterAnswer } from "./alter.js";
import { noteForm, peekForm, peekText } from "./body.js";
import { placeOf, stepsWith } from "./injection.js";
import { runSteps } from "./run.js";
import type { Call, ConnectionFaults, Operation } from "./service.js";

/** Whether a request names a scenario, or a fault of one. */
export function asksForScenario({ exchange: { rawHeaders } }: Call): boolean {
  return (
    readHeader(rawHeaders, "sandbox-scenario") !== undefined || readHeader(rawHeaders, "sandbox-replay") !== undefined
  );
}

/**
 * Reads the body of a request ahead, if a rule has a condition on it. A body that cannot be read is empty here; the step that needs it
 * reports the problem.
 */
export function readAhead(operation: Operation, call: Call): Promise<void> | undefined {
  // No other operation has a body.
  if (operation.name !== "token") return undefined;
  const { rawHeaders } = call.exchange;
  const scenario = readHeader(rawHeaders, "sandbox-scenario");
  const replay = readHeader(rawHeaders, "sandbox-replay");
  if (scenario === repeated || replay === repeated) return undefined;
  const { scenarios } = call.service;
  const { client } = call.exchange;
  if (!scenarios.asksForBody(client, { scenario, replay }, operation.name)) return undefined;
  return peekText(call);
}

/**
 * Finds the fault that applies to a request.
 * @throws Refusal when a header names a scenario that does not exist
 */
export function selectFault(
  operation: Operation,
  call: Call,
): ActiveFault | undefined | Promise<ActiveFault | undefined> {
  const { service, exchange } = call;
  const scenario = readHeader(exchange.rawHeaders, "sandbox-scenario");
  const replay = readHeader(exchange.rawHeaders, "sandbox-replay");
  if (scenario === repeated || replay === repeated) {
    throw unknownScenario("Sandbox-Scenario and Sandbox-Replay may be sent once.");
  }
  const { scenarios } = service;
  if (scenario === undefined && replay === undefined && !scenarios.isActiveFor(exchange.client)) return undefined;
  const selected = scenarios.select({
    client: exchange.client,
    requested: { scenario, replay },
    facts: factsOf(operation, call),
    now: exchange.now,
    identity: () => [exchange.method, exchange.target, call.peekedText],
  });
  if (selected === undefined || selected instanceof Promise) return selected;
  if ("message" in selected) throw unknownScenario(selected.message);
  if (selected.counter === undefined) refuseUnfitReplay(operation, selected);
  return selected;
}

const noValues: readonly string[] = [];

function factsOf(operation: Operation, call: Call): RequestFacts {
  const { exchange } = call;
  let headers: ReadonlyMap<string, readonly string[]> | undefined;
  let form: Parameters | undefined;
  return {
    operation: operation.name,
    list: operation.list,
    client: exchange.client?.id,
    method: exchange.method,
    presents: (certificate) => presents(certificate, call),
    page: () => operation.walk?.(call).page,
    cursor: () => operation.walk?.(call).cursor,
    query: (name) => call.parameters.get(name) ?? [],
    sendsAny: (names) => sendsAny(exchange.rawHeaders, names),
    header(name) {
      headers ??= indexHeaders(exchange.rawHeaders);
      return headers.get(name) ?? noValues;
    },
    form(name) {
      form ??= peekForm(call);
      return form.get(name) ?? noValues;
    },
  };
}

function presents(certificate: CertificateCondition, { service, exchange: { peer, client } }: Call): boolean {
  if (peer.kind === "none") return certificate === "none";
  if (certificate === "registered") return client !== undefined;
  return service.misfitOf(peer.certificate.thumbprint) === certificate;
}

/** Runs an operation under a fault: clock, delay, broken connection, steps with the injected answer among them, altered or corrupted answer. */
export async function runWithFault(operation: Operation, call: Call, active: ActiveFault): Promise<Response> {
  const { exchange } = call;
  const { fault } = active.rule;
  const handle = faultHandle(active.key);
  exchange.fault = active;
  if (operation.name === "token") void noteForm(call);
  if (fault.clock) await moveClock(call, fault.clock, handle);
  const limited = fault.concurrency && (await isAccepted(operation, call)) ? fault.concurrency : undefined;
  const leave = limited && (await enter(call, limited, active));
  const crowded = limited !== undefined && leave === undefined;
  const delay = crowded ? undefined : fault.delay;
  // These act whatever the steps find. The other faults are noted where they act.
  if (delay || fault.connection || fault.stream) exchange.markInjected(handle);
  if (delay) await wait(operation, call, lengthOf(delay, active.key));
  // A request that was refused or aborted meanwhile has no answer to break. Over HTTP/2, the connection may have other requests.
  const isOver = delay !== undefined && (exchange.isReplaced || call.request.signal.aborted);
  const broken = isOver ? undefined : breakOff(call, fault, active);
  if (broken) return broken;
  const { alter } = fault;
  const change =
    alter &&
    (async (response: Response) =>
      // A client that was not accepted gets the usual refusal.
      exchange.stepsPassed < placeOf(operation) ? response : alterAnswer(operation, call, response, alter, handle));
  const response = await runSteps({ ...operation, steps: stepsWith(operation, active, crowded) }, call, change);
  // A fault that did not act, because the request was refused earlier or a bucket had room, does not count against a limit.
  if (exchange.injected === undefined) await active.counter?.giveBack();
  // If nothing reports when the answer has left, it counts as left now.
  if (!call.bindings.track) leave?.();
  return sendUnder(call, isOver ? undefined : fault.connection, response);
}

/** Waits, in milliseconds. If the client gives up, the wait ends, and the answer is lost. */
async function wait(operation: Operation, call: Call, duration: number): Promise<void> {
  // An unread body would look like one that the client sends too slowly.
  if (operation.name === "token") peekText(call);
  else call.bindings.incoming?.resume?.();
  await sleep(duration, undefined, { signal: call.request.signal }).catch(() => {});
}

/**
 * Whether a request passes the steps before an injected answer. A request that does not is refused for its certificate, token or scope
 * after its delay, and does not count towards the limit for accepted clients.
 */
async function isAccepted(operation: Operation, call: Call): Promise<boolean> {
  try {
    for (const step of operation.steps.slice(0, placeOf(operation))) await step.run(call);
    return true;
  } catch {
    // The steps report the refusal when they run.
    return false;
  }
}

/**
 * Counts a request as open until its answer has left.
 * @returns a function that ends it; undefined if the limit is reached and the request must be refused. A replay is always refused, and
 *   not counted.
 */
async function enter(
  call: Call,
  { limit }: ConcurrencyLimit,
  { counter }: ActiveFault,
): Promise<(() => void) | undefined> {
  if (!(await counter?.enter(limit))) return undefined;
  let isOpen = true;
  const leave = () => {
    if (isOpen) counter?.leave();
    isOpen = false;
  };
  const { exchange } = call;
  // The connection may have ended meanwhile, and would not report that again.
  if (exchange.delivered !== undefined) leave();
  call.bindings.track?.({
    replaced: () => exchange.replaced(),
    closed(delivered, passage) {
      leave();
      exchange.closed(delivered, passage);
    },
  });
  return leave;
}

/** Moves the client's clock before anything else reads it. An unregistered peer has no clock. */
async function moveClock({ exchange, service }: Call, { advance }: ClockFault, handle: string): Promise<void> {
  const { client } = exchange;
  if (!client) return;
  if (service.shared) await service.shared.advance(client, advance);
  else client.clock.advance(advance);
  exchange.now = client.clock.now();
  exchange.markInjected(handle);
}

/** Refuses the replay of a fault that cannot act on this operation. Otherwise it would silently do nothing. */
function refuseUnfitReplay(operation: Operation, { rule }: ActiveFault): void {
  const only = operationsOf(rule.fault);
  const inHandshake = actsOnHandshake(rule.fault);
  if (!inHandshake && (only === undefined || only.includes(operation.name))) return;
  throw unknownScenario(
    inHandshake
      ? "The fault of Sandbox-Replay acts in the handshake, before any header is read: activate its scenario for all."
      : `The fault of Sandbox-Replay acts on the operation ${only?.join(" and ")} only, not on ${operation.name}.`,
  );
}

function unknownScenario(message: string): Refusal {
  return new Refusal("UNKNOWN_SCENARIO", { kind: "unknown-scenario" }, { message });
}

/** Ends connection or stream without an answer, or announces the end of the connection; undefined if an answer follows. */
function breakOff(
  call: Call,
  { connection, stream }: Fault,
  { key }: ActiveFault,
): Response | Promise<Response> | undefined {
  // The exchange ends here.
  const breaking = (): ConnectionFaults => {
    const faults = call.connectionFaults();
    call.service.onExchange?.(call.exchange);
    return faults;
  };
  if (stream?.kind === "refused") return breaking().refuseStream();
  if (stream) return breaking().resetStream(stream.code);
  switch (connection?.kind) {
    case "reset":
      return breaking().reset();
    case "close":
      return breaking().close();
    case "hang":
      return breaking().hang(connection.duration);
    case "garbage":
      // HTTP never begins with this byte. The rest is drawn from the key, so that a replay sends the same bytes.
      return breaking().garbage(Buffer.concat([Buffer.of(0), bytes(key, "garbage")]));
    case "goaway":
      if (connection.lastStream === "before") return breaking().goAwayBefore(connection.code);
      call.connectionFaults().goAway(connection.code);
  }
  return undefined;
}

/** Sends an answer: corrupted if the fault says so, otherwise as it is. */
async function sendUnder(call: Call, fault: ConnectionFault | undefined, response: Response): Promise<Response> {
  if (fault?.kind !== "drip" && fault?.kind !== "truncate") return sendAsIs(call, response);
  const answer = {
    status: response.status,
    headers: call.exchange.answerHeaders ?? {},
    body: Buffer.from(await response.arrayBuffer()),
  };
  const faults = call.connectionFaults();
  return fault.kind === "drip" ? faults.drip(answer, fault.duration) : faults.truncate(answer, fault.after);
}

/** The adapter, or `Response` itself, adds a type to a body that has none. A rule that gives none, or removes it, must have none. */
async function sendAsIs(call: Call, response: Response): Promise<Response> {
  const { answerHeaders, injected } = call.exchange;
  if (injected === undefined || !call.bindings.connectionFaults || !answerHeaders) return response;
  if (Object.keys(answerHeaders).some((name) => name.toLowerCase() === "content-type")) return response;
  const body = Buffer.from(await response.arrayBuffer());
  return call.connectionFaults().send({ status: response.status, headers: answerHeaders, body });
}
