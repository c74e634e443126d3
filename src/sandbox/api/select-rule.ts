import { indexHeaders, repeated, sendsAny } from "../connection/raw-headers.js";
import { Refusal } from "../journal/refusal.js";
import type { Parameters } from "../lists/problems.js";
import type { ActingRule } from "../scenarios/engine.js";
import { actsOnHandshake, httpOf, operationsOf } from "../scenarios/fault.js";
import type { CertificateCondition, RequestFacts } from "../scenarios/request-facts.js";
import { peekForm, peekText } from "./body.js";
import type { Call } from "./service.js";

/**
 * Reads the body of a request ahead, if a rule has a condition on it. A body that cannot be read is empty here; the
 * step that needs it reports the problem.
 */
export function readAhead(call: Call): Promise<void> | undefined {
  const { exchange, operation, requested, service } = call;
  // No other operation has a body.
  if (operation.name !== "token" || requested === repeated) return undefined;
  if (!service.scenarios.asksForBody(exchange.client, requested, operation.name)) return undefined;
  return peekText(call);
}

/**
 * Finds the rule that acts on a request.
 * @throws Refusal when a header names a scenario that does not exist
 */
export function selectRule(call: Call): ActingRule | undefined | Promise<ActingRule | undefined> {
  const { exchange, requested, service } = call;
  const { scenarios } = service;
  if (requested === repeated) throw unknownScenario("Sandbox-Scenario and Sandbox-Replay may be sent once.");
  if (requested === undefined && !scenarios.isActiveFor(exchange.client)) return undefined;
  const selected = scenarios.select({
    client: exchange.client,
    requested,
    facts: factsOf(call),
    now: exchange.now,
    identity: () => [exchange.method, exchange.target, call.peekedText],
  });
  if (selected === undefined || selected instanceof Promise) return selected;
  if ("message" in selected) throw unknownScenario(selected.message);
  if (selected.counter === undefined) refuseUnfitReplay(call, selected);
  return selected;
}

const noValues: readonly string[] = [];

function factsOf(call: Call): RequestFacts {
  const { exchange, operation } = call;
  let headers: ReadonlyMap<string, readonly string[]> | undefined;
  let form: Parameters | undefined;
  return {
    operation: operation.name,
    list: operation.list,
    client: exchange.client?.id,
    method: exchange.method,
    http: httpVersion(call),
    isReused: (call.bindings.ordinal ?? 1) > 1,
    presents: (certificate) => presents(certificate, call),
    page: () => operation.walk?.(call).page,
    cursor: () => operation.walk?.(call).cursor,
    place: () => operation.walk?.(call).place(),
    token: exchange.tokenRole,
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
  const { thumbprint } = peer.certificate;
  if (certificate === "replaced") return client?.ends.get(thumbprint)?.by !== undefined;
  return service.misfitName(thumbprint) === certificate;
}

/** Refuses the replay of a fault that cannot act on this operation. Otherwise it would silently do nothing. */
function refuseUnfitReplay(call: Call, { rule: { faults } }: ActingRule): void {
  const { operation } = call;
  const replayed = "The fault of Sandbox-Replay acts";
  if (actsOnHandshake(faults))
    throw unknownScenario(`${replayed} in the handshake, before any header is read: activate its scenario for all.`);
  const only = operationsOf(faults);
  if (only !== undefined && !only.includes(operation.name))
    throw unknownScenario(`${replayed} on the operation ${only.join(" and ")} only, not on ${operation.name}.`);
  const http = httpOf(faults);
  if (http !== undefined && http !== httpVersion(call))
    throw unknownScenario(
      `${replayed} over HTTP/${http === 1 ? "1.1" : "2"} only, and this request came over the other.`,
    );
}

/** Only requests of HTTP/2 come on a stream. */
function httpVersion({ exchange }: Call): 1 | 2 {
  return exchange.stream === undefined ? 1 : 2;
}

function unknownScenario(message: string): Refusal {
  return new Refusal("UNKNOWN_SCENARIO", { kind: "unknown-scenario", message }, { message });
}
