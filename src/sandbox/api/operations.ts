import type { AssumptionSettings } from "../assumptions.js";
import type { Exchange } from "../journal/exchange.js";
import type { TakenStep } from "../journal/exchange-facts.js";
import type { ReadingContext } from "../journal/exchange-text.js";
import type { List } from "../lists/list.js";
import { ListSettingsError } from "../lists/settings.js";
import type { OperationName } from "../operations.js";
import { scenarioStep, withStep } from "./injection.js";
import { listOperation } from "./list.js";
import { pingOperation } from "./ping.js";
import type { Operation } from "./service.js";
import { tokenOperation } from "./token.js";

/** The table of operations: the whole interface, in the order of §4. Each is a file. */
const table: Readonly<
  Record<OperationName, (settings: AssumptionSettings, lists: readonly List[]) => readonly Operation[]>
> = {
  token: () => [tokenOperation],
  ping: ({ values }) => [pingOperation(values["ping.response"])],
  list: (_settings, lists) => lists.map(listOperation),
};

/**
 * Makes the operations from the lists and the assumptions in force.
 * @throws ListSettingsError when two operations would answer to the same path
 */
export function createOperations(lists: readonly List[], assumptions: AssumptionSettings): readonly Operation[] {
  const operations = Object.values(table).flatMap((make) => make(assumptions, lists));
  const routes = new Map<string, Operation>();
  for (const operation of operations) {
    // Parameters differ in name only: /a/{x} and /a/{y} are one path.
    const key = `${operation.method} ${operation.path.text.replaceAll(/\{[^}]*\}/g, "{}")}`;
    const before = routes.get(key);
    if (before) {
      throw new ListSettingsError(
        `lists.${operation.list}.path`,
        `${operation.path.text} is taken by ${before.list ? `the list "${before.list}"` : before.name}`,
      );
    }
    routes.set(key, operation);
  }
  return operations;
}

/**
 * Finds the steps of an operation by its name and the name of its list; with the step of a scenario, if its place is
 * given.
 */
export function stepsOf(operations: readonly Operation[]): ReadingContext["stepsOf"] {
  return (operation, list, scenarioAt) => {
    const steps = operations.find((each) => each.name === operation && each.list === list)?.steps ?? [];
    return scenarioAt === undefined ? steps : withStep<TakenStep>(steps, scenarioAt, scenarioStep);
  };
}

/** Explains good answers, for the journal. Empty if no operation was reached. */
export function answerExplanations(operations: readonly Operation[]): (exchange: Exchange) => string {
  const explanations = new Map(operations.map(({ name, explain }) => [name, explain]));
  return (exchange) => (exchange.operation && explanations.get(exchange.operation)?.(exchange)) ?? "";
}
