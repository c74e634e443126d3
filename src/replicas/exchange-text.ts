import { scenarioStep, withStep } from "../sandbox/api/injection.js";
import type { Client, ClientRegistry } from "../sandbox/clients.js";
import type { ConnectionFacts } from "../sandbox/connection/connection-facts.js";
import type { Peer } from "../sandbox/connection/peer.js";
import { Exchange } from "../sandbox/journal/exchange.js";
import type { TakenStep } from "../sandbox/journal/exchange-facts.js";
import { type Cause, Refusal, type RefusalOptions } from "../sandbox/journal/refusal.js";
import type { ListQuery } from "../sandbox/lists/query.js";
import type { Rule } from "../sandbox/scenarios/rule.js";
import type { AccessToken } from "../sandbox/tokens/access-token.js";
import { type Columns, columnOf, rowsOf } from "./columns.js";

type Tables = Writer["tables"];

type Headers = Readonly<Record<string, string>>;

/** What the journal shows of a rule. */
type RuleText = Pick<Rule, "name" | "words">;

/** Names and values of the headers of an answer; null means the correlation id. */
type AnswerText = readonly (readonly [name: string, value: string | null])[];

/** Exchanges of one replica, in the form in which they are written to Redis. */
export interface Batch extends Readonly<Tables> {
  readonly count: number;
  readonly exchanges: Columns<ExchangeText>;
}

/** The context that is needed to read exchanges of other replicas. */
export interface ReadingContext {
  readonly clients: Pick<ClientRegistry, "get">;
  /** The steps of an operation. */
  readonly stepsOf: (operation: string | undefined, list: string | undefined) => readonly TakenStep[];
}

/** Puts exchanges into a batch. */
export function batchOf(exchanges: readonly Exchange[]): Batch {
  const writer = new Writer();
  const columns = Object.entries(members).map(([name, read]) => [
    name,
    columnOf<Exchange, unknown>(exchanges, (exchange) => read(exchange, writer)),
  ]);
  return { ...writer.tables, count: exchanges.length, exchanges: Object.fromEntries(columns) };
}

class Writer {
  /** Values that many exchanges of a batch have in common, stored once: exchanges refer to their places. */
  readonly tables = {
    peers: [] as Peer[],
    connections: [] as ConnectionFacts[],
    headers: [] as (readonly string[])[],
    tokens: [] as AccessToken[],
    /** Id, registration and thumbprints. */
    clients: [] as (readonly string[])[],
    rules: [] as RuleText[],
    answers: [] as AnswerText[],
  };
  readonly #places = new Map<unknown, number>();

  /** The previous answer: the next one mostly has the same headers. */
  #answer: { readonly headers: Headers; readonly correlationId: string; readonly place: number } | undefined;

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

  placeOfAnswer({ answerHeaders, correlationId }: Exchange): number | undefined {
    if (answerHeaders === undefined) return undefined;
    const before = this.#answer;
    if (before && areAlike(answerHeaders, correlationId, before.headers, before.correlationId)) return before.place;
    const text = Object.entries(answerHeaders).map(
      ([name, value]) => [name, value === correlationId ? null : value] as const,
    );
    const place = this.place(this.tables.answers, JSON.stringify(text), () => text);
    this.#answer = { headers: answerHeaders, correlationId, place };
    return place;
  }
}

/** Whether two answers have the same headers, except for the correlation id. */
function areAlike(headers: Headers, id: string, others: Headers, otherId: string): boolean {
  const names = Object.keys(headers);
  return (
    names.length === Object.keys(others).length &&
    names.every((name) => headers[name] === others[name] || (headers[name] === id && others[name] === otherId))
  );
}

/** How each member of an exchange is written. */
const members = {
  peer: ({ peer }, writer) => writer.place(writer.tables.peers, peer),
  method: ({ method }) => method,
  target: ({ target }) => target,
  // Requests of a connection with the same headers share them.
  headers: ({ rawHeaders }, writer) => writer.place(writer.tables.headers, rawHeaders),
  now: ({ now }) => now,
  receivedAt: ({ receivedAt }) => receivedAt,
  duration: ({ duration }) => duration,
  epoch: ({ epoch }) => epoch,
  client: ({ client }, writer) => client && writer.place(writer.tables.clients, client, namesOf),
  renewal: ({ renewal }) => renewal,
  operation: ({ operation }) => operation,
  list: ({ list }) => list,
  token: ({ token }, writer) => token && writer.place(writer.tables.tokens, token),
  holder: ({ holder }, writer) => holder && writer.place(writer.tables.clients, holder, namesOf),
  correlationId: ({ correlationId }) => correlationId,
  connection: ({ connection }, writer) => connection && writer.place(writer.tables.connections, connection),
  stream: ({ stream }) => stream,
  steps: ({ steps }) => (steps.length === 0 ? undefined : steps.findIndex(({ name }) => name === "scenario")),
  stepsPassed: ({ stepsPassed }) => stepsPassed,
  fault: ({ fault }, writer) =>
    fault && { key: fault.key, rule: writer.place(writer.tables.rules, fault.rule, ruleText) },
  injected: ({ injected }) => injected,
  refusal: ({ refusal }) => refusal && refusalText(refusal),
  form: ({ form }) => form && [...form],
  query: ({ listQuery }) => listQuery && queryText(listQuery),
  unknown: ({ unknownParameters }) => (unknownParameters.length > 0 ? unknownParameters : undefined),
  status: ({ status }) => status,
  code: ({ code }) => code,
  answer: (exchange, writer) => writer.placeOfAnswer(exchange),
  body: ({ wholeBody }) => wholeBody,
  byScenario: ({ isByScenario }) => isByScenario || undefined,
  page: ({ page }) => page,
  length: ({ answerLength }) => answerLength,
  delivered: ({ delivered }) => delivered,
  cut: ({ isCut }) => isCut || undefined,
  sent: ({ sent }) => sent,
  reset: ({ reset }) => reset,
  unprocessed: ({ isProcessed }) => !isProcessed || undefined,
} satisfies Record<string, (exchange: Exchange, writer: Writer) => unknown>;

type ExchangeText = { readonly [Name in keyof typeof members]: ReturnType<(typeof members)[Name]> };

function namesOf({ id, registration, thumbprints }: Client): readonly string[] {
  return [id, registration, ...thumbprints];
}

function refusalText({ code, reason, message, basis, ignoredParameter }: Refusal) {
  // The journal shows only the message of an error.
  const cause = reason.kind === "internal" ? { kind: "internal", error: messageOf(reason.error) } : reason;
  return { code, reason: cause as Cause, message, basis, ignoredParameter };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function ruleText({ name, words }: Rule): RuleText {
  return { name, words };
}

/** What the journal shows of a query: the page size and the walk. */
function queryText({ page, pageSize, clientId, list, pathParameters, sent, begunAt, unmatched }: ListQuery) {
  return { page, pageSize, clientId, list, pathParameters, sent, begunAt, unmatched };
}

/** Restores the exchanges of a batch. */
export function exchangesOf(batch: Batch, context: ReadingContext): Exchange[] {
  return rowsOf(batch.exchanges, batch.count).map((text) => exchangeOf(text, batch, context));
}

function exchangeOf(text: ExchangeText, tables: Tables, context: ReadingContext): Exchange {
  const steps = text.steps === undefined ? [] : context.stepsOf(text.operation, text.list);
  const answer = text.answer === undefined ? undefined : tables.answers[text.answer];
  return Exchange.restored({
    peer: tables.peers[text.peer] as Peer,
    method: text.method,
    target: text.target,
    rawHeaders: tables.headers[text.headers] ?? [],
    now: text.now,
    receivedAt: text.receivedAt,
    epoch: text.epoch,
    client: text.client === undefined ? undefined : clientOf(tables.clients[text.client] ?? [], context),
    renewal: text.renewal,
    operation: text.operation,
    list: text.list,
    token: text.token === undefined ? undefined : tables.tokens[text.token],
    holder: text.holder === undefined ? undefined : clientOf(tables.clients[text.holder] ?? [], context),
    correlationId: text.correlationId,
    connection: text.connection === undefined ? undefined : tables.connections[text.connection],
    stream: text.stream,
    steps: text.steps === undefined || text.steps < 0 ? steps : withStep(steps, text.steps, scenarioStep),
    stepsPassed: text.stepsPassed,
    fault: text.fault && { key: text.fault.key, rule: tables.rules[text.fault.rule] as Rule, counter: undefined },
    injected: text.injected,
    refusal: text.refusal && refusalOf(text.refusal),
    form: text.form && new Map(text.form),
    listQuery: text.query as ListQuery | undefined,
    unknownParameters: text.unknown ?? [],
    status: text.status,
    code: text.code,
    answerHeaders: answer && Object.fromEntries(answer.map(([name, value]) => [name, value ?? text.correlationId])),
    wholeBody: text.body,
    isByScenario: text.byScenario === true,
    page: text.page,
    passage: undefined,
    answerLength: text.length,
    duration: text.duration,
    delivered: text.delivered,
    sent: text.sent,
    reset: text.reset,
    isProcessed: text.unprocessed !== true,
    isCut: text.cut === true,
  });
}

function refusalOf({ code, reason, message, basis, ignoredParameter }: ReturnType<typeof refusalText>) {
  const options: RefusalOptions = { message, basis };
  return Object.assign(new Refusal(code, reason, options), { ignoredParameter });
}

/** The registered client, or the known facts of a client that was removed since. */
function clientOf(
  [id = "", registration = "", ...thumbprints]: readonly string[],
  { clients }: ReadingContext,
): Client {
  const client = clients.get(id);
  if (client?.registration === registration) return client;
  return { id, registration, thumbprints: new Set(thumbprints) } as unknown as Client;
}
