import type { AdminClient } from "./admin-client.js";

/**
 * Why the API answered as it did, according to the sandbox's journal; undefined if the journal does not know it.
 * @param headers of the answer: one of them is the correlation ID; its name is configurable
 */
export async function explanationOf(
  headers: Readonly<Record<string, unknown>>,
  admin: AdminClient,
): Promise<string | undefined> {
  try {
    const newest = await admin.all("GET /requests", {}, 100);
    const values = new Set(Object.values(headers));
    return newest.find(({ correlationId }) => values.has(correlationId))?.explanation;
  } catch {
    return undefined;
  }
}
