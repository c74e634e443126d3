import type { Client, ClientRegistry } from "../clients.js";
import type { ConnectionFacts } from "../connection/connection-facts.js";
import type { Peer } from "../connection/peer.js";
import { errorCodes } from "../errors.js";
import { Exchange, type TakenStep } from "../journal/exchange.js";
import { type Cause, Refusal, type RefusalOptions } from "../journal/refusal.js";
import type { ListQuery } from "../lists/query.js";
import type { Rule } from "../scenarios/definition.js";
import type { AccessToken } from "../tokens/access-token.js";
import { type Changes, changesOf, withChanges } from "./changes.js";

/** What many exchanges of a batch have in common, once: exchanges name its place. */
interface Tables {
  readonly peers: Peer[];
  readonly connections: ConnectionFacts[];
  readonly headers: (readonly string[])[];
  readonly tokens: AccessToken[];
  /** Id, registration and thumbprints. */
  readonly clients: (readonly string[])[];
  readonly rules: RuleText[];
}

type RuleText = Pick<Rule, "name" | "fault">;

type Headers = Readonly<Record<string, string>>;

/** Exchanges of one replica, as they are written to Redis. */
export interface Batch extends Tables {
  /** Each after the one before it. */
  readonly exchanges: readonly Changes<ExchangeText>[];
}

/** What is needed to read exchanges of other replicas. */
export interface ReadingContext {
  readonly clients: Pick<ClientRegistry, "get">;
  /** The steps of an operation. */
  readonly stepsOf: (operation: string | undefined, list: string | undefined) => readonly TakenStep[];
}

/** Puts exchanges into a batch. */
export function batchOf(exchanges: readonly Exchange[]): Batch {
  const writer = new Writer();
  const texts = exchanges.map((exchange) => writer.write(exchange));
  return { ...writer.tables, exchanges: texts };
}

type ExchangeText = ReturnType<typeof textOf>;

class Writer {
  readonly tables: Tables = { peers: [], connections: [], headers: [], tokens: [], clients: [], rules: [] };
  readonly #places = new Map<unknown, number>();
  /** By connection: a client mostly sends the same ones again. */
  readonly #headers = new Map<
    ConnectionFacts | undefined,
    { readonly raw: readonly string[]; readonly place: number }
  >();
  #before: ExchangeText | undefined;
  #answer: Headers | undefined;

  write(exchange: Exchange): Changes<ExchangeText> {
    const { answerHeaders } = exchange;
    const answer = answerHeaders && changesOf(answerHeaders, this.#answer);
    const text = textOf(exchange, answer, this);
    const changes = changesOf(text, this.#before);
    this.#before = text;
    if (answerHeaders) this.#answer = answerHeaders;
    return changes;
  }

  place<T>(table: T[], item: T): number;
  place<T, K>(table: T[], key: K, make: (key: K) => T): number;
  place<T, K>(table: T[], key: K, make?: (key: K) => T): number {
    let place = this.#places.get(key);
    if (place === undefined) {
      place = table.push(make ? make(key) : (key as unknown as T)) - 1;
      this.#places.set(key, place);
    }
    return place;
  }

  placeOfHeaders({ rawHeaders, connection }: Exchange): number {
    const last = this.#headers.get(connection);
    if (last && last.raw.length === rawHeaders.length && last.raw.every((text, at) => text === rawHeaders[at]))
      return last.place;
    const place = this.tables.headers.push(rawHeaders) - 1;
    this.#headers.set(connection, { raw: rawHeaders, place });
    return place;
  }
}

function textOf(exchange: Exchange, answer: Changes<Headers> | undefined, writer: Writer) {
  const { refusal, fault, form, listQuery, client, connection, token, steps } = exchange;
  const { tables } = writer;
  return {
    peer: writer.place(tables.peers, exchange.peer),
    method: exchange.method,
    target: exchange.target,
    headers: writer.placeOfHeaders(exchange),
    now: exchange.now,
    receivedAt: exchange.receivedAt,
    duration: exchange.duration,
    client: client && writer.place(tables.clients, client, namesOf),
    operation: exchange.operation,
    list: exchange.list,
    token: token && writer.place(tables.tokens, token),
    correlationId: exchange.correlationId,
    connection: connection && writer.place(tables.connections, connection),
    steps: steps.length === 0 ? undefined : steps.findIndex(({ name }) => name === "scenario"),
    stepsPassed: exchange.stepsPassed,
    fault: fault && {
      key: fault.key,
      rule: writer.place(tables.rules, fault.rule, ruleText),
      replayed: fault.replayed,
    },
    injected: exchange.injected,
    refusal: refusal && refusalText(refusal),
    form: form && [...form],
    query: listQuery && queryText(listQuery),
    unknown: exchange.unknownParameters.length > 0 ? exchange.unknownParameters : undefined,
    status: exchange.status,
    code: exchange.code,
    answer,
    body: exchange.answerBody,
    length: exchange.answerLength,
    delivered: exchange.delivered,
  };
}

function namesOf({ id, registration, thumbprints }: Client): readonly string[] {
  return [id, registration, ...thumbprints];
}

function refusalText({ code, reason, message, basis, orderDecided, ignoredParameter }: Refusal) {
  // The journal tells no more of an error than its message.
  const cause = reason.kind === "internal" ? { kind: "internal", error: messageOf(reason.error) } : reason;
  return { code, reason: cause as Cause, message, basis, orderDecided, ignoredParameter };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What the journal says of a rule. What a rule sends may be long, and was sent: the exchange has it. */
function ruleText({ name, fault }: Rule): RuleText {
  const { respond, alter } = fault;
  return {
    name,
    fault: {
      ...fault,
      ...(respond && { respond: { ...respond, body: "" } }),
      ...(alter && { alter: { ...alter, body: alter.body && true, rows: alter.rows && true } }),
    },
  };
}

/** What the journal says of a query: how large the page is, and of which walk. */
function queryText({ page, pageSize, clientId, list, pathParameters, sent, begunAt }: ListQuery) {
  return { page, pageSize, clientId, list, pathParameters, sent, begunAt };
}

/** Makes exchanges of a batch again. */
export function exchangesOf(batch: Batch, context: ReadingContext): Exchange[] {
  let before: ExchangeText | undefined;
  let headers: Headers | undefined;
  return batch.exchanges.map((changes) => {
    before = withChanges(changes, before);
    if (before.answer) headers = withChanges(before.answer, headers);
    return exchangeOf(before, before.answer && headers, batch, context);
  });
}

function exchangeOf(
  text: ExchangeText,
  answer: Headers | undefined,
  tables: Tables,
  context: ReadingContext,
): Exchange {
  const exchange = new Exchange(
    tables.peers[text.peer] as Peer,
    text.method,
    text.target,
    tables.headers[text.headers] ?? [],
    text.now,
  );
  exchange.receivedAt = text.receivedAt;
  exchange.client = text.client === undefined ? undefined : clientOf(tables.clients[text.client] ?? [], context);
  exchange.operation = text.operation;
  exchange.list = text.list;
  exchange.token = text.token === undefined ? undefined : tables.tokens[text.token];
  exchange.correlationId = text.correlationId;
  exchange.connection = text.connection === undefined ? undefined : tables.connections[text.connection];
  if (text.steps !== undefined) exchange.steps = stepsWith(context.stepsOf(text.operation, text.list), text.steps);
  exchange.stepsPassed = text.stepsPassed;
  if (text.fault) {
    const { key, rule, replayed } = text.fault;
    exchange.fault = { key, rule: tables.rules[rule] as Rule, counter: undefined, replayed };
  }
  exchange.injected = text.injected;
  if (text.refusal) exchange.refusal = refusalOf(text.refusal);
  if (text.form) exchange.form = new Map(text.form);
  if (text.query) exchange.listQuery = text.query as ListQuery;
  exchange.unknownParameters = text.unknown ?? [];
  exchange.answeredElsewhere(text.status, answer, text.body, text.length, text.duration);
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
