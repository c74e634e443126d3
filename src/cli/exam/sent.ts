import type { Exchange } from "../../sandbox/journal/exchange.js";
import type { Need } from "../../sandbox/scenarios/expectation.js";

/** What a program sent, of all that a drill may need of it. */
export function needsMet(exchanges: readonly Exchange[]): ReadonlySet<Need> {
  const pings = exchanges.filter(({ operation }) => operation === "ping");
  const lists = exchanges.filter(({ operation }) => operation === "list");
  const pages = lists.map(({ listQuery }) => listQuery?.page ?? 0);
  const versions = new Set(exchanges.map(({ connection }) => connection?.httpVersion));
  const met: Readonly<Record<Need, boolean>> = {
    ping: pings.length > 0,
    list: lists.length > 0,
    "second-page": pages.some((page) => page >= 2),
    "third-page": pages.some((page) => page >= 3),
    "last-page": lists.some(({ page }) => page !== undefined && page.cursor === undefined),
    "filtered-link": lists.some(({ listQuery, page }) => page?.hasLink === true && (listQuery?.sent.length ?? 0) > 0),
    "five-requests": pings.length + lists.length >= 5,
    parallel: mostAtOnce([...pings, ...lists]) >= 3,
    "http1.1": versions.has("HTTP/1.1"),
    http2: versions.has("HTTP/2"),
  };
  return new Set((Object.keys(met) as Need[]).filter((need) => met[need]));
}

/** The largest number of requests that were open at the same time. */
function mostAtOnce(exchanges: readonly Exchange[]): number {
  const changes = exchanges
    .flatMap(({ passage }) =>
      passage === undefined
        ? []
        : [
            { at: passage.arrivedAt, by: 1 },
            { at: passage.releasedAt, by: -1 },
          ],
    )
    // One that ends when another begins was not open at the same time.
    .sort((one, other) => one.at - other.at || one.by - other.by);
  let open = 0;
  let most = 0;
  for (const { by } of changes) {
    open += by;
    most = Math.max(most, open);
  }
  return most;
}
