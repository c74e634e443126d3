import type { QueryKey } from "../../../sandbox/journal/query.js";
import type { JournalItem, Overview } from "../view/data.js";

/** How many entries are searched for values. */
const mostEntries = 500;

/** Values of a key in the part of the journal that the page has: those of frequent refusals and busy clients first. */
export function seenValues(
  key: QueryKey,
  entries: readonly JournalItem[],
  overview: Overview | undefined,
): readonly string[] {
  const values = [
    ...valuesOfOverview(key, overview),
    ...entries.slice(0, mostEntries).flatMap((item) => valuesOf(key, item)),
  ];
  return [...new Set(values.filter((value) => value != null && value !== "").map(String))];
}

type Values = readonly (string | number | null | undefined)[];

function valuesOfOverview(key: QueryKey, overview: Overview | undefined): Values {
  if (key === "code") return overview?.groups.map(({ code }) => code) ?? [];
  return key === "client" ? (overview?.clients.map(({ client }) => client) ?? []) : [];
}

function valuesOf(key: QueryKey, item: JournalItem): Values {
  if (item.kind === "handshake") return key === "cause" || key === "code" ? [item[key]] : [];
  switch (key) {
    case "client":
      return [item.client, item.certificateClient];
    case "corr":
      return [item.correlationId];
    case "fault":
      return [item.fault?.replace(/[#;].*$/s, "")];
    case "status":
    case "code":
    case "list":
    case "method":
      return [item[key]];
    default:
      return [];
  }
}
