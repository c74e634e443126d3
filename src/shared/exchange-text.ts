import type { Client, ClientRegistry } from "../clients.js";
import type { ConnectionFacts } from "../connection/connection-facts.js";
import type { Peer } from "../connection/peer.js";
import { errorCodes } from "../errors.js";
import { Exchange, type TakenStep } from "../journal/exchange.js";
import { type Cause, Refusal, type RefusalOptions } from "../journal/refusal.js";
import type { ListQuery } from "../lists/query.js";
import type { Fault, Rule } from "../scenarios/definition.js";
import type { AccessToken } from "../tokens/access-token.js";

/** What many exchanges of a batch have in common, once: exchanges name its place. */
interface Tables {
  readonly peers: Peer[];
  readonly connections: ConnectionFacts[];
  readonly headers: (readonly string[])[];
  readonly tokens: AccessToken[];
}

/** Exchanges of one replica, as they are written to Redis. */
export interface Batch extends Tables {
  readonly exchanges: readonly ReturnType<typeof written>[];
}

/** What is needed to read exchanges of other replicas. */
export interface ReadingContext {
  readonly clients: Pick<ClientRegistry, "get">;
  /** The steps of an operation. */
  readonly stepsOf: (operation: string | undefined, list: string | undefined) => readonly TakenStep[];
}

/** Puts exchanges into a batch. */
export function batchOf(exchanges: readonly Exchange[]): Batch {
  const tables: Tables = { peers: [], connections: [], headers: [], tokens: [] };
  const places = new Map<unknown, number>();
  return { ...tables, exchanges: exchanges.map((exchange) => written(exchange, tables, places)) };
}

function written(exchange: Exchange, tables: Tables, places: Map<unknown, number>) {
  const { refusal, fault, form, listQuery, connection, token, steps } = exchange;
  return {
    peer: placeIn(tables.peers, exchange.peer, places),
    method: exchange.method,
    target: exchange.target,
    headers: placeIn(tables.headers, exchange.rawHeaders, places),
    now: exchange.now,
    receivedAt: exchange.receivedAt,
    duration: exchange.duration,
    client: exchange.client && [exchange.client.id, exchange.client.registration, ...exchange.client.thumbprints],
    operation: exchange.operation,
    list: exchange.list,
    token: token && placeIn(tables.tokens, token, places),
    correlationId: exchange.correlationId,
    connection: connection && placeIn(tables.connections, connection, places),
    steps: steps.length === 0 ? undefined : steps.findIndex(({ name }) => name === "scenario"),
    stepsPassed: exchange.stepsPassed,
    fault: fault && { key: fault.key, kinds: kindsOf(fault.rule.fault), replayed: fault.replayed },
    injected: exchange.injected,
    refusal: refusal && refusalText(refusal),
    form: form && [...form],
    query: listQuery && [listQuery.page, listQuery.pageSize],
    unknown: exchange.unknownParameters.length > 0 ? exchange.unknownParameters : undefined,
    status: exchange.status,
    code: exchange.code,
    answer: exchange.answerHeaders,
    body: exchange.answerBody,
    length: exchange.answerLength,
    delivered: exchange.delivered,
  };
}

function placeIn<T>(table: T[], item: T, places: Map<unknown, number>): number {
  let place = places.get(item);
  if (place === undefined) {
    place = table.push(item) - 1;
    places.set(item, place);
  }
  return place;
}

function refusalText({ code, reason, message, basis, orderDecided, ignoredParameter }: Refusal) {
  // The journal tells no more of an error than its message.
  const cause = reason.kind === "internal" ? { kind: "internal", error: messageOf(reason.error) } : reason;
  return { code, reason: cause as Cause, message, basis, orderDecided, ignoredParameter };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What the journal says of a fault: its kinds, and that of a broken connection. */
function kindsOf(fault: Fault): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fault)
      .filter(([, value]) => value)
      .map(([kind, value]) => [kind, kind === "connection" ? { kind: (value as { kind: string }).kind } : {}]),
  );
}

/** Makes exchanges of a batch again. */
export function exchangesOf(batch: Batch, context: ReadingContext): Exchange[] {
  return batch.exchanges.map((text) => exchangeOf(text, batch, context));
}

function exchangeOf(text: Batch["exchanges"][number], tables: Tables, context: ReadingContext): Exchange {
  const exchange = new Exchange(
    tables.peers[text.peer] as Peer,
    text.method,
    text.target,
    tables.headers[text.headers] ?? [],
    text.now,
  );
  exchange.receivedAt = text.receivedAt;
  exchange.client = text.client && clientOf(text.client, context);
  exchange.operation = text.operation;
  exchange.list = text.list;
  exchange.token = text.token === undefined ? undefined : tables.tokens[text.token];
  exchange.correlationId = text.correlationId;
  exchange.connection = text.connection === undefined ? undefined : tables.connections[text.connection];
  if (text.steps !== undefined) exchange.steps = stepsWith(context.stepsOf(text.operation, text.list), text.steps);
  exchange.stepsPassed = text.stepsPassed;
  if (text.fault) {
    const { key, kinds, replayed } = text.fault;
    exchange.fault = { key, rule: { name: key.rule, fault: kinds } as unknown as Rule, counter: undefined, replayed };
  }
  exchange.injected = text.injected;
  if (text.refusal) exchange.refusal = refusalOf(text.refusal);
  if (text.form) exchange.form = new Map(text.form);
  if (text.query) exchange.listQuery = { page: text.query[0], pageSize: text.query[1] } as ListQuery;
  exchange.unknownParameters = text.unknown ?? [];
  exchange.answeredElsewhere(text.status, text.answer, text.body, text.length, text.duration);
  exchange.code = text.code;
  exchange.delivered = text.delivered;
  return exchange;
}

function refusalOf({ code, reason, message, basis, orderDecided, ignoredParameter }: ReturnType<typeof refusalText>) {
  const options: RefusalOptions = { message, basis };
  return Object.assign(new Refusal(code, reason, options), { orderDecided, ignoredParameter });
}

/** The client that is registered, or what is known of one that was removed since. */
function clientOf(
  [id = "", registration = "", ...thumbprints]: readonly string[],
  { clients }: ReadingContext,
): Client {
  const client = clients.get(id);
  if (client?.registration === registration) return client;
  return { id, registration, thumbprints: new Set(thumbprints) } as unknown as Client;
}

const scenarioStep: TakenStep = {
  name: "scenario",
  checks: "no scenario injects an answer here",
  refuses: errorCodes,
};

function stepsWith(steps: readonly TakenStep[], at: number): readonly TakenStep[] {
  return at < 0 ? steps : [...steps.slice(0, at), scenarioStep, ...steps.slice(at)];
}
