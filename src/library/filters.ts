import type { AdminClient } from "./admin-client.js";
import type { Exchange } from "./answers.js";
import type { RequestFilters } from "./client-handle.js";
import { instant } from "./clock-control.js";

/** The matching exchanges, newest first. */
export function exchangesOf(filters: RequestFilters, admin: AdminClient, limit?: number): Promise<Exchange[]> {
  return admin.all("GET /requests", queryOf(filters), limit);
}

/** How many exchanges match. */
export async function countOf(filters: RequestFilters, admin: AdminClient): Promise<number> {
  const { count } = await admin.call("GET /requests/count", { query: queryOf(filters) });
  return count;
}

/** The newest exchange that matches; waits until there is one. */
export async function matchOf(filters: RequestFilters, timeout: string, admin: AdminClient): Promise<Exchange> {
  const query = { ...queryOf(filters), wait: timeout, pageSize: "1" };
  const { items } = await admin.call("GET /requests", { query });
  return items[0] as Exchange;
}

/**
 * Filters as the admin API reads them. Unknown filters are sent too: it refuses them, so a typing error is reported.
 */
export function queryOf({ since, status, ...rest }: RequestFilters): Record<string, string | undefined> {
  return {
    ...(rest as Record<string, string | undefined>),
    status: status === undefined ? undefined : String(status),
    since: since === undefined ? undefined : instant(since),
  };
}
