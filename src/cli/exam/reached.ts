import type { Reached } from "../../exam/drill.js";
import { endingOf, http2FaultOf } from "../../exam/observe/answer.js";
import type { HandshakeRecord } from "../../sandbox/journal/entry.js";
import type { Exchange } from "../../sandbox/journal/exchange.js";

/**
 * Causes of refusals that an earlier fault can lead to: of a token, a certificate or a cursor that the sandbox gave or
 * ended. The end of a token's life is not among them: a client asks for a new one then (§4.1 rule 3).
 */
const consequences: ReadonlySet<string> = new Set([
  "token-of-another-certificate",
  "token-revoked",
  "token-unusable",
  "token-of-removed-client",
  "certificate-ended",
  "certificate-expired",
]);
const cursorCodes: ReadonlySet<string> = new Set(["INVALID_CURSOR", "CURSOR_FILTERS_CHANGED"]);

/** The most that reached the client, of all that a scenario did to its requests and connections. */
export function mostReached(exchanges: Iterable<Exchange>, handshakes: Iterable<HandshakeRecord>): Reached {
  const all = [...Array.from(exchanges, reachedBy), ...Array.from(handshakes, reachedInHandshake)];
  return (["failure", "change"] as const).find((each) => all.includes(each)) ?? "nothing";
}

/** What an exchange that is over brought to the client. An answer that came late, and whole, is only a change. */
export function reachedBy(exchange: Exchange): Reached {
  const { passage, delivered, status, injected, refusal, fault, connection } = exchange;
  const kind = refusal?.reason.kind;
  if (passage === undefined || kind === "token-expired") return "nothing";
  if (http2FaultOf(exchange, passage) !== undefined) return "failure";
  const makes = injected === undefined ? [] : (fault?.rule.faults ?? []).map((each) => each.fault);
  if (delivered !== true) {
    const isGivenUp = passage.releasedAt === 0;
    // A client that ends at once has not waited for the answer.
    const hasFailed = isGivenUp ? makes.some(({ takesTime }) => takesTime) : endingOf(exchange, passage) === "broken";
    return hasFailed ? "failure" : "nothing";
  }
  const isConsequence = kind === "list" ? cursorCodes.has(refusal?.code ?? "") : consequences.has(kind ?? "");
  const isOther = makes.some(({ makes: made }) => made === "response");
  if ((injected !== undefined && (status >= 300 || isOther)) || isConsequence) return "failure";
  const isRenewed = connection?.serverCertificate?.renewal?.chosenBy === "scenario";
  return injected !== undefined || isRenewed ? "change" : "nothing";
}

function reachedInHandshake({ cause, serverDefect, serverCertificate }: HandshakeRecord): Reached {
  if (cause === "reset-by-scenario" || cause === "held-by-scenario") return "failure";
  return (serverDefect ?? serverCertificate?.renewal)?.chosenBy === "scenario" ? "change" : "nothing";
}
