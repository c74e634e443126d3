import { type ExpectedClient, expectedClientId } from "../view/certificate-comparison.js";
import type { ExchangeDetail, Handshake } from "../view/data.js";
import type { KnownOperation } from "../view/near-miss.js";
import type { DetailContext } from "../view/request-detail.js";
import { get, orUndefined, pathOf } from "./api.js";
import { clientOf, factsForExchange } from "./files.js";
import type { Rows } from "./rows.js";

/** What the details show. */
export type Entry =
  | { readonly kind: "request"; readonly detail: ExchangeDetail }
  | { readonly kind: "handshake"; readonly handshake: Handshake }
  | { readonly kind: "comparison"; readonly left: ExchangeDetail; readonly right: ExchangeDetail }
  | { readonly kind: "missing"; readonly message: string };

/**
 * An entry of the journal, such as `r12`.
 * @param other the exchange that it is compared with
 */
export async function entryOf(key: string, other: string | undefined, rows: Rows): Promise<Entry> {
  if (key.startsWith("h")) {
    const known = rows.find(key);
    if (known?.kind === "handshake") return { kind: "handshake", handshake: known };
    const { items } = await get<{ items: Handshake[] }>("/handshakes?pageSize=1000");
    const handshake = items.find(({ id }) => `h${id}` === key);
    return handshake ? { kind: "handshake", handshake } : missing(key);
  }
  const [left, right] = await Promise.all([detailOf(key), other === undefined ? undefined : detailOf(other)]);
  if (!left) return missing(key);
  if (other === undefined) return { kind: "request", detail: left };
  return right ? { kind: "comparison", left, right } : missing(other);
}

function missing(key: string): Entry {
  return { kind: "missing", message: `${key.slice(1)} is not (or no longer) in the journal.` };
}

/**
 * An exchange; undefined if the journal no longer has it.
 * @param key such as `r12`
 */
export function detailOf(key: string): Promise<ExchangeDetail | undefined> {
  return orUndefined(get<ExchangeDetail>(pathOf("requests", key.slice(1))));
}

/** What is fetched in addition to an exchange. */
export type Known = Pick<DetailContext, "expected" | "facts" | "operations">;

export const nothingKnown: Known = { expected: undefined, facts: undefined, operations: [] };

export async function knownOf(detail: ExchangeDetail): Promise<Known> {
  const [expected, operations] = await Promise.all([
    expectedClient(detail),
    detail.operation === null || detail.status === 405 ? knownOperations() : [],
  ]);
  return { expected, operations, facts: await factsForExchange(detail, expected?.client) };
}

async function expectedClient(detail: ExchangeDetail): Promise<ExpectedClient | undefined> {
  const id = expectedClientId(detail);
  return id === undefined ? undefined : { id, client: await clientOf(id) };
}

/** The operations of the API, from its OpenAPI document. */
async function knownOperations(): Promise<KnownOperation[]> {
  const { paths } = await get<{ paths: Record<string, Record<string, unknown>> }>("/openapi.json");
  return Object.entries(paths).flatMap(([path, item]) =>
    ["get", "post", "put", "delete"]
      .filter((method) => method in item)
      .map((method) => ({ method: method.toUpperCase(), path })),
  );
}
