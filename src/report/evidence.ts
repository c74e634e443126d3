import type { Exchange } from "../sandbox/journal/exchange.js";
import { explain } from "../sandbox/journal/explain.js";
import { explainHandshake } from "../sandbox/journal/explain-handshake.js";
import type { ExplanationContext } from "../sandbox/journal/explanation-context.js";
import type { Journal } from "../sandbox/journal/journal.js";
import { redactTarget } from "../sandbox/journal/redact.js";
import { firstSentence } from "../sandbox/scenarios/scenario.js";

/** What the sandbox has seen of a command. */
interface Seen {
  readonly journal: Pick<Journal, "requests" | "handshakes">;
  /** Requests by their ids, if the command may have emptied the journal. */
  readonly requests?: ReadonlyMap<string, Exchange>;
  readonly explanations: ExplanationContext;
  /** When the command began, in milliseconds since the epoch on the machine's clock. */
  readonly since: number;
}

/** Results of checks, with the requests and connections that show each failure: a line for each, in the order of time. */
export function withEvidence<
  Result extends {
    readonly verdict: string;
    readonly exchanges: readonly string[];
    readonly handshakes: readonly string[];
  },
>(checks: readonly Result[], { journal, requests, explanations, since }: Seen): readonly Result[] {
  return checks.map((check) => {
    if (check.verdict !== "fail") return check;
    const lines = [
      ...check.exchanges.flatMap((id) => {
        const item = requests?.get(id) ?? journal.requests.get(Number(id))?.item;
        return item === undefined ? [] : [`${requestLine(item, since)}${wrongIn(item, explanations)}`];
      }),
      ...check.handshakes.flatMap((id) => {
        const item = journal.handshakes.get(Number(id))?.item;
        return item === undefined
          ? []
          : [`${timeOf(item.at, since)} connection: ${firstSentence(explainHandshake(item))}`];
      }),
    ];
    return lines.length === 0 ? check : { ...check, evidence: lines };
  });
}

/**
 * A request as a person knows it: `0.41 s GET /v1/ping: 503 SERVICE_UNAVAILABLE (the fault)`.
 * @param since the start, in milliseconds since the epoch on the machine's clock
 */
export function requestLine(
  { receivedAt, method, target, status, code, delivered, injected }: Exchange,
  since: number,
  isFault = injected !== undefined,
): string {
  const answer = status === 0 ? "no answer" : [status, code].filter((part) => part !== undefined).join(" ");
  const end = delivered === true || status === 0 ? "" : ", not delivered whole";
  return `${timeOf(receivedAt, since)} ${method} ${redactTarget(target)}: ${answer}${end}${isFault ? " (the fault)" : ""}`;
}

/** What was wrong in a request that the sandbox itself refused, or of which it knew a part only. */
function wrongIn(item: Exchange, explanations: ExplanationContext): string {
  const isWrong = item.injected === undefined && (item.refusal !== undefined || item.unknownParameters.length > 0);
  return isWrong ? `. ${firstSentence(explain(item, explanations))}` : "";
}

function timeOf(at: number, since: number): string {
  return `${(Math.max(0, at - since) / 1000).toFixed(2)} s`;
}
