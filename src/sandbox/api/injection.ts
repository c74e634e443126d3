import { second } from "../../base/text/duration.js";
import { codeOf, errorCodes, errorFacts, isErrorCode } from "../errors.js";
import { Refusal } from "../journal/refusal.js";
import type { InjectedError, RateLimit } from "../scenarios/definition.js";
import { type ActiveFault, faultHandle } from "../scenarios/engine.js";
import { type RetryAfter, retryAfterValue } from "../scenarios/retry-after.js";
import { revokeToken } from "./bearer.js";
import { withHeaders } from "./headers.js";
import { InjectedAnswer } from "./injected-answer.js";
import type { Call, Operation, RefusalId, Step } from "./service.js";

/** The steps of an operation with the injected answer in its place: after peer, token and scope, or first at the token endpoint. */
export function stepsWith(operation: Operation, active: ActiveFault, crowded: boolean): readonly Step[] {
  const { error, respond, rateLimit, token } = active.rule.fault;
  if (!error && !respond && !rateLimit && !crowded && !token?.revoke) return operation.steps;
  const step: Step = { ...scenarioStep, run: (call) => inject(operation, call, active, crowded) };
  return withStep(operation.steps, placeOf(operation), step);
}

/** The step at which a scenario answers. */
export const scenarioStep: Omit<Step, "run"> = {
  name: "scenario",
  checks: "no scenario injects an answer here",
  refuses: errorCodes,
};

/** Steps with one more, at this place. */
export function withStep<S>(steps: readonly S[], at: number, step: S): readonly S[] {
  return [...steps.slice(0, at), step, ...steps.slice(at)];
}

/** How many steps come before an injected answer. */
export function placeOf({ name, steps }: Operation): number {
  return name === "token" ? 0 : steps.findIndex((step) => step.name === "scope") + 1;
}

async function inject(operation: Operation, call: Call, active: ActiveFault, crowded: boolean): Promise<void> {
  const { error, respond, rateLimit, token } = active.rule.fault;
  if (crowded) refuseCrowd(call, active);
  if (rateLimit) await limitRate(call, active, rateLimit);
  if (!error && !respond && !token?.revoke) return;
  call.exchange.markInjected(faultHandle(active.key));
  if (token?.revoke) await revokeToken(call);
  if (error) throw injectedRefusal(operation, call, error);
  if (respond) {
    const headers = { ...respond.headers, ...retryAfterHeader(call, respond.retryAfter) };
    throw new InjectedAnswer(respond.status, headers, respond.body);
  }
}

/** The refusal that the sandbox itself would give, as configured. The values of the rule take precedence. */
function injectedRefusal(operation: Operation, call: Call, error: InjectedError): Refusal {
  const { code: asked, status, message, retryAfter } = error;
  const id = nativeId(operation, asked);
  // RFC 9110 §15.5.6
  const allow = (status ?? errorFacts(codeOf(asked)).status) === 405 ? { Allow: operation.method } : {};
  // RFC 6585 §4: a 429 may say how long to wait, and the sandbox's own does.
  const usualWait = codeOf(asked) === "TOO_MANY_REQUESTS" ? shortestWait : undefined;
  const headers = withHeaders({ ...allow, ...retryAfterHeader(call, retryAfter ?? usualWait) }, error.headers);
  return new Refusal(
    id ?? asked,
    { kind: "injected" },
    {
      headers,
      ...(message !== undefined && { message, keepsMessage: true }),
      ...(status !== undefined && { status }),
      ...(id === undefined && { basis: "sandbox" }),
    },
  );
}

/**
 * The basis on which an operation itself answers with a code: several assumptions may lead to one code. Undefined for a code that the
 * operation never gives; then only the scenario decides.
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

/** The wait for a client that sends too much, if the rule does not set one. */
const shortestWait: RetryAfter = { in: second, format: "seconds" };

function retryAfterHeader({ service }: Call, retryAfter: RetryAfter | undefined): Readonly<Record<string, string>> {
  return retryAfter ? { "Retry-After": retryAfterValue(retryAfter, service.realTime.now()) } : {};
}

/** RFC 6585 §4. */
async function limitRate(call: Call, { rule, key, counter }: ActiveFault, rateLimit: RateLimit): Promise<void> {
  // A bucket that all clients share uses a clock that all clients share.
  const { now } = rule.share === "all" ? { now: call.service.clock.now() } : call.exchange;
  // A replay has no bucket.
  const wait = counter ? await counter.take(rateLimit, now) : rateLimit.per / rateLimit.limit;
  if (wait <= 0) return;
  call.exchange.markInjected(faultHandle(key));
  throw tooMany(call, { in: Math.max(wait, second), format: "seconds", ...rateLimit.retryAfter });
}

function refuseCrowd(call: Call, { rule, key }: ActiveFault): void {
  call.exchange.markInjected(faultHandle(key));
  throw tooMany(call, rule.fault.concurrency?.retryAfter);
}

function tooMany(call: Call, retryAfter: RetryAfter = shortestWait): Refusal {
  return new Refusal("TOO_MANY_REQUESTS", { kind: "injected" }, { headers: retryAfterHeader(call, retryAfter) });
}
