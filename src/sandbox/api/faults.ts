import { setTimeout as sleep } from "node:timers/promises";
import type { AnswerHeaders } from "../connection/header-names.js";
import { halvesOf, hasBody, wireAnswer } from "../connection/wire-answer.js";
import { type GivenFault, leavesNothing, needsBody, writtenAs } from "../scenarios/fault.js";
import { peekText } from "./body.js";
import type { FaultyCall } from "./faulty-call.js";
import { headersOfResponse, isPlain, withHeaders } from "./headers.js";
import { codeIn } from "./injected-answer.js";
import { placeOf, scenarioStep, withStep } from "./injection.js";
import { faultHeader } from "./own-headers.js";
import type { Call, Operation, Step } from "./service.js";

/** Waits, in milliseconds. If the client gives up, the wait ends, and the answer is lost. */
export async function wait(call: Call, duration: number): Promise<void> {
  // An unread body would look like one that the client sends too slowly.
  if (call.operation.name === "token") peekText(call);
  else call.bindings.incoming?.resume?.();
  await sleep(duration, undefined, { signal: call.request.signal }).catch(() => {});
}

/**
 * Lets faults act on the connection.
 * @returns whether one of them has ended the request
 */
export async function breakConnection(call: Call, faulty: FaultyCall): Promise<boolean> {
  for (const given of faulty.with("onConnection")) {
    const wire = call.wire();
    const endsHere = leavesNothing(given);
    // The journal has it from now on: the end may take long.
    if (endsHere) call.service.recorder?.exchange(call.exchange);
    await given.fault.onConnection?.(given.settings, wire, faulty.key);
    if (endsHere !== wire.isOver) throw unfinished(given);
    if (endsHere) return true;
  }
  return false;
}

function unfinished({ fault }: GivenFault): Error {
  return new Error(`The fault ${writtenAs(fault)} did not end the answer as it says in its file.`);
}

/**
 * The steps of an operation with the rule in its place: after peer, token and scope, or first at the token endpoint.
 */
export function stepsUnder(
  faulty: FaultyCall,
  operation: Operation,
  refuse: (() => never) | undefined,
): readonly Step[] {
  const checks = faulty.with("onCheck").filter(({ fault, settings }) => fault.isStep?.(settings) ?? true);
  if (checks.length === 0 && !refuse) return operation.steps;
  const step: Step = {
    ...scenarioStep,
    async run() {
      refuse?.();
      for (const { fault, settings } of checks) await fault.onCheck?.(settings, faulty);
    },
  };
  return withStep(operation.steps, placeOf(operation), step);
}

/** Sends an answer: as a fault does it, otherwise as it is. */
export async function sendAnswer(call: Call, faulty: FaultyCall, response: Response): Promise<Response> {
  const { answerHeaders, injected, method } = call.exchange;
  const [sender] = faulty.with("onSend");
  // The adapter, or `Response` itself, adds a type to a body that has none, and a length. An answer of a rule gets
  // neither from them.
  const isUsual = injected === undefined || !call.bindings.wire || !answerHeaders;
  if (!sender && (isUsual || (!faulty.isChunked && hasType(answerHeaders) && isPlain(answerHeaders)))) return response;
  const wire = call.wire();
  const answer = wireAnswer(method, {
    status: response.status,
    headers: answerHeaders ?? {},
    body: Buffer.from(await response.arrayBuffer()),
    chunked: faulty.isChunked,
  });
  // What is sent here does not wait for the journal later, as other answers do.
  await call.service.store.written();
  if (sender && !(needsBody(sender) && answer.body.length === 0))
    await sender.fault.onSend?.(sender.settings, answer, wire);
  else {
    wire.writeHead(answer);
    for (const part of answer.chunked ? halvesOf(answer.body) : [answer.body])
      if (part.length > 0) await wire.write(part);
    wire.end();
  }
  if (sender && !wire.isOver && !wire.isGone) throw unfinished(sender);
  return wire.alreadySent;
}

function hasType(headers: AnswerHeaders): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
}

/**
 * Lets faults change the real answer. An answer in which nothing changes stays as it is, and does not name the rule.
 */
export async function changeAnswer(
  { exchange, operation }: Call,
  response: Response,
  faulty: FaultyCall,
): Promise<Response> {
  const changes = faulty.with("onAnswer");
  // A client that was not accepted gets the usual refusal.
  if (changes.length === 0 || exchange.stepsPassed < placeOf(operation)) return response;
  let { status } = response;
  let text = await response.text();
  for (const { fault, settings } of changes) {
    const changed = fault.onAnswer?.(settings, { status, body: text, rowsPath: operation.rowsPath });
    if (changed === undefined) continue;
    faulty.acts();
    faulty.isChunked ||= changed.chunked;
    status = changed.status;
    text = hasBody(status) ? changed.body : "";
    const { "Content-Length": _length, ...own } = withHeaders(exchange.answerHeaders ?? {}, changed.headers);
    exchange.answeredByScenario(
      status,
      withHeaders(own, { [faultHeader]: exchange.injected ?? null }),
      text,
      codeIn(text),
    );
  }
  return new Response(hasBody(status) ? text : null, {
    status,
    headers: headersOfResponse(exchange.answerHeaders ?? {}),
  });
}
