import type { QueryKey } from "../../../journal/query.js";
import type { Overview } from "../view/data.js";
import type { Entry } from "../view/entry.js";

/** How many entries are searched for values. */
const mostEntries = 500;

/** Values of a key in the part of the journal that the page has: those of frequent refusals and busy clients first. */
export function seenValues(
  key: QueryKey,
  entries: readonly Entry[],
  overview: Overview | undefined,
): readonly string[] {
  const values = new Set<string>();
  const add = (value: string | number | null | undefined) => {
    if (value !== null && value !== undefined && value !== "") values.add(String(value));
  };
  if (key === "code") for (const { code } of overview?.groups ?? []) add(code);
  if (key === "client") for (const { client } of overview?.clients ?? []) add(client);
  for (const entry of entries.slice(0, mostEntries)) {
    if (entry.kind === "handshake") {
      if (key === "cause") add(entry.handshake.cause);
      if (key === "code") add(entry.handshake.code);
      continue;
    }
    const { exchange } = entry;
    switch (key) {
      case "status":
        add(exchange.status);
        break;
      case "client":
        add(exchange.client);
        add(exchange.certificateClient);
        break;
      case "corr":
        add(exchange.correlationId);
        break;
      case "fault":
        add(exchange.fault?.replace(/[#;].*$/s, ""));
        break;
      case "code":
      case "list":
      case "method":
        add(exchange[key]);
        break;
    }
  }
  return [...values];
}
