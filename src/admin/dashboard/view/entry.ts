import type { Exchange, Handshake } from "./data.js";

/** One line of the list: an exchange, or a connection on which none took place. */
export type Entry =
  | { readonly kind: "request"; readonly key: string; readonly at: number; readonly exchange: Exchange }
  | { readonly kind: "handshake"; readonly key: string; readonly at: number; readonly handshake: Handshake };

export type Outcome = "success" | "refused" | "injected" | "handshake";

/** The entry of an exchange. Its key also stands in the address: `#/requests/r12`. */
export function requestEntry(exchange: Exchange): Entry {
  // When it was answered, on the machine's clock: that of its client may stand still, or run backwards.
  const at = Date.parse(exchange.receivedAt) + exchange.duration;
  return { kind: "request", key: `r${exchange.id}`, at, exchange };
}

export function handshakeEntry(handshake: Handshake): Entry {
  return { kind: "handshake", key: `h${handshake.id}`, at: Date.parse(handshake.time ?? ""), handshake };
}

export function outcomeOf(entry: Entry): Outcome {
  if (entry.kind === "handshake") return "handshake";
  const { fault, status } = entry.exchange;
  if (fault !== null) return "injected";
  return status >= 200 && status <= 399 ? "success" : "refused";
}

/** Requests and handshakes, each newest first, as one list, newest first, of bounded length. */
export function merged(requests: readonly Exchange[], handshakes: readonly Handshake[], most: number): Entry[] {
  const left = requests.map(requestEntry);
  const right = handshakes.map(handshakeEntry);
  const entries: Entry[] = [];
  let taken = 0;
  while (entries.length < most && (entries.length - taken < right.length || taken < left.length)) {
    const request = left[taken];
    const handshake = right[entries.length - taken];
    if (request && (!handshake || request.at >= handshake.at)) {
      entries.push(request);
      taken += 1;
    } else if (handshake) entries.push(handshake);
  }
  return entries;
}

/** What the list is narrowed to. Empty texts mean anything. */
export interface Filter {
  readonly text: string;
  readonly client: string;
  readonly operation: string;
  readonly outcome: Outcome | "all";
}

export const noFilter: Filter = { text: "", client: "", operation: "", outcome: "all" };

/** Whether an entry passes everything but the choice of outcome: the counts of the outcomes are made from these. */
export function passes(entry: Entry, { text, client, operation }: Filter): boolean {
  if (entry.kind === "handshake") {
    if (client !== "" || operation !== "") return false;
    const { cause, serverName, remoteAddress, explanation } = entry.handshake;
    return contains(text, [cause, serverName, remoteAddress, explanation]);
  }
  const { exchange } = entry;
  if (client !== "" && exchange.client !== client && exchange.certificateClient !== client) return false;
  if (operation !== "" && exchange.operation !== operation) return false;
  const { method, target, status, code, fault, serverDefect, correlationId, explanation } = exchange;
  return contains(text, [`${method} ${target}`, `${status}`, code, fault, serverDefect, correlationId, explanation]);
}

function contains(text: string, fields: readonly (string | null)[]): boolean {
  if (text === "") return true;
  const wanted = text.toLowerCase();
  return fields.some((field) => field?.toLowerCase().includes(wanted));
}
