import { second } from "../../base/text/duration.js";
import { assumption } from "../assumptions.js";
import { codeOf, errorCodes, errorFacts, isErrorCode } from "../errors.js";
import { Refusal } from "../journal/refusal.js";
import type { GivenError } from "../scenarios/fault.js";
import { type RetryAfter, retryAfterValue } from "../scenarios/retry-after.js";
import { withHeaders } from "./headers.js";
import type { Call, Operation, RefusalId, Step } from "./service.js";

/** The step at which a scenario answers. */
export const scenarioStep: Omit<Step, "run"> = {
  name: "scenario",
  section: null,
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

/** The refusal that the sandbox itself would give, as configured. The values of the rule take precedence. */
export function injectedRefusal(call: Call, error: GivenError): Refusal {
  const { operation } = call;
  const { code: asked, status, message, retryAfter } = error;
  const id = nativeId(operation, asked);
  // RFC 9110 §15.5.6
  const allow = (status ?? errorFacts(codeOf(asked)).status) === 405 ? { Allow: operation.method } : {};
  // RFC 6585 §4: a 429 may say how long to wait, and the sandbox's own does.
  const usualWait = codeOf(asked) === "TOO_MANY_REQUESTS" ? shortestWait : undefined;
  const headers = withHeaders({ ...allow, ...retryAfterHeader(call, retryAfter ?? usualWait) }, error.headers ?? {});
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
 * The basis on which an operation itself answers with a code: several assumptions may lead to one code. Undefined for a
 * code that the operation never gives; then only the scenario decides.
 */
function nativeId({ steps }: Operation, asked: RefusalId): RefusalId | undefined {
  if (!isErrorCode(asked)) return asked;
  const { basis } = errorFacts(asked);
  if (basis === "§7" || basis === "sandbox" || basis.startsWith("http.")) return asked;
  const known = steps.flatMap(({ refuses }) => refuses.filter((id) => !isErrorCode(id)));
  const own = known.find((id) => id === basis);
  if (own !== undefined) return codeOf(own) === asked ? own : asked;
  return known.findLast((id) => codeOf(id) === asked && !("onlyConfigured" in assumption(id)));
}

/** The wait for a client that sends too much, if the rule does not set one. */
const shortestWait: RetryAfter = { in: second, format: "seconds" };

export function retryAfterHeader(
  { exchange, service }: Call,
  retryAfter: RetryAfter | "none" | undefined,
): Readonly<Record<string, string>> {
  return retryAfter !== undefined && retryAfter !== "none"
    ? { "Retry-After": retryAfterValue(retryAfter, (exchange.client?.clock ?? service.clock).now()) }
    : {};
}
