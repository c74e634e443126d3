import type { Client, ClientRegistry } from "../clients.js";
import type { ListQuery } from "../lists/query.js";
import type { Rule } from "../scenarios/rule.js";
import type { Cause } from "./causes.js";
import { Exchange } from "./exchange.js";
import type { TakenStep } from "./exchange-facts.js";
import { Refusal, type RefusalOptions } from "./refusal.js";

/** The context that is needed to read exchanges of another process. */
export interface ReadingContext {
  readonly clients: Pick<ClientRegistry, "get">;
  /**
   * The steps of an operation.
   * @param scenarioAt where the step is at which a scenario answered; undefined if none did
   */
  readonly stepsOf: (
    operation: string | undefined,
    list: string | undefined,
    scenarioAt?: number,
  ) => readonly TakenStep[];
}

/** An exchange in the form in which it is written outside of this process, as JSON. */
export function exchangeText(exchange: Exchange) {
  const { client, holder, steps, fault, refusal, form, listQuery, wholeBody, duration } = exchange;
  return {
    ...exchange,
    ...{ wholeBody, duration, passage: undefined },
    client: client && namesOf(client),
    holder: holder && namesOf(holder),
    // The place of the scenario among them; the others follow from the operation.
    steps: steps.length === 0 ? undefined : steps.findIndex(({ name }) => name === "scenario"),
    fault: fault && { key: fault.key, rule: ruleText(fault.rule) },
    refusal: refusal && refusalText(refusal),
    form: form && [...form],
    listQuery: listQuery && queryText(listQuery),
  };
}

/** What is derived is not among it. */
export type ExchangeText = Omit<ReturnType<typeof exchangeText>, "ending" | "bodyLength" | "isReplaced" | "answerBody">;

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

/** What the journal shows of a rule. */
function ruleText({ name, words, idle, needsBody }: Rule): Pick<Rule, "name" | "words" | "idle" | "needsBody"> {
  return { name, words, idle, needsBody };
}

/** What the journal shows of a query: the page size and the walk. */
function queryText({ page, pageSize, clientId, list, pathParameters, sent, begunAt, unmatched }: ListQuery) {
  return { page, pageSize, clientId, list, pathParameters, sent, begunAt, unmatched };
}

/** Restores an exchange of another process. */
export function exchangeIn(text: ExchangeText, context: ReadingContext): Exchange {
  const { steps, operation, list } = text;
  return Exchange.restored({
    ...text,
    client: text.client && clientOf(text.client, context),
    holder: text.holder && clientOf(text.holder, context),
    steps: steps === undefined ? [] : context.stepsOf(operation, list, steps < 0 ? undefined : steps),
    fault: text.fault && { key: text.fault.key, rule: text.fault.rule as Rule, counter: undefined },
    refusal: text.refusal && refusalOf(text.refusal),
    form: text.form && new Map(text.form),
    listQuery: text.listQuery as ListQuery | undefined,
    passage: undefined,
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
