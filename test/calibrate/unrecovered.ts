import type { AssumptionId } from "../../src/assumptions.js";

/** The assumptions that are not drawn, because no request that only reads, once and politely, shows them. docs/calibrate.md tells of each. */
export const unrecovered: Readonly<Partial<Record<AssumptionId, string>>> = {
  "token.unauthorized-client": "it takes a client that is registered without the grant",
  "token.scopes": "scopes belong to the registration of a client",
  "certificate.registration": "it takes a certificate that was issued again for the same client",
  "certificate.validity": "it takes a registered certificate that has expired",
  "certificate.usage": "it takes a registered certificate for another use",
  "http.request-timeout": "it takes a request that holds a connection open for long",
  "http.rate-limit": "it would have to be provoked",
  "http.internal-error": "nothing that only reads makes a service fail",
  "http.unavailable": "nothing that only reads brings maintenance about",
  "checks.order": "the sandbox has one order",
  "list.cursor": "what is configurable of it is the lifetime of cursors, which is hours",
  "list.page-size-change": "the sandbox has one behaviour",
  "list.filter-comparison": "the sandbox has one behaviour",
  "list.unknown-parent": "it acts on lists with items of the user's own, and an imitation has generated rows",
};
