import { Refusal } from "../journal/refusal.js";
import { errorResponse } from "./error-response.js";
import { InjectedAnswer, injectedResponse } from "./injected-answer.js";
import type { Call, Operation } from "./service.js";
import { noteUnknownParameters } from "./unknown-parameters.js";

/** Changes an answer, or a refusal, before it is reported. */
type ChangeAnswer = (response: Response) => Promise<Response>;

/**
 * Runs an operation: its steps in order, then its answer. The first step that throws decides. If no step has to be
 * awaited, the answer need not be awaited either: a promise costs a tenth of a ping.
 */
export function runSteps(operation: Operation, call: Call, change?: ChangeAnswer): Response | Promise<Response> {
  call.exchange.began(operation.steps);
  let response: Response | Promise<Response>;
  try {
    response = from(0, operation, call);
  } catch (error) {
    response = refused(operation, call, error);
  }
  if (change)
    response = Promise.resolve(response)
      .catch((error) => refused(operation, call, error))
      .then(change);
  if (response instanceof Promise)
    return response.catch((error) => refused(operation, call, error)).then((answer) => finish(call, answer));
  return finish(call, response);
}

function from(start: number, operation: Operation, call: Call): Response | Promise<Response> {
  const { steps } = operation;
  const { exchange } = call;
  for (let index = start; index < steps.length; index++) {
    const pending = steps[index]?.run(call);
    if (pending) return afterStep(pending, index, operation, call);
    exchange.passed(index + 1);
  }
  return operation.answer(call);
}

/** Not in the loop, because a closure in the loop would cost an allocation for each step. */
async function afterStep(pending: Promise<void>, index: number, operation: Operation, call: Call): Promise<Response> {
  await pending;
  call.exchange.passed(index + 1);
  return from(index + 1, operation, call);
}

function refused(operation: Operation, call: Call, error: unknown): Response {
  if (error instanceof InjectedAnswer) return injectedResponse(call, error);
  if (!(error instanceof Refusal)) {
    const message = "The sandbox failed; this is a bug in it.";
    return errorResponse(call, new Refusal("INTERNAL_SERVER_ERROR", { kind: "internal", error }, { message }));
  }
  // What is noted below had no part in this refusal.
  error.ignoredParameter = call.exchange.unknownParameters.length > 0 && error.basis !== "request.unknown-parameters";
  // The journal also names the parameters that this step did not reach.
  const known = operation.steps[call.exchange.stepsPassed]?.parameters;
  if (known !== undefined) noteUnknownParameters(call, (name) => known.includes(name));
  return errorResponse(call, error);
}

/** Reports an exchange whose answer is known. */
function finish({ service, exchange }: Call, response: Response): Response {
  service.recorder?.exchange(exchange);
  return response;
}
