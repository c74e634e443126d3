import type { AssumptionSettings } from "../assumptions.js";
import type { List } from "../lists/list.js";
import { ListSettingsError } from "../lists/settings.js";
import { listOperation } from "./list.js";
import { pingOperation } from "./ping.js";
import type { Operation, Step } from "./service.js";
import { tokenOperation } from "./token.js";

/**
 * The table of operations: the whole interface, in the order of §4. A new operation is a new row here.
 * @throws ListSettingsError when two operations would answer to the same path
 */
export function createOperations(lists: readonly List[], assumptions: AssumptionSettings): readonly Operation[] {
  const operations = [
    // §4.1, §4.2, and the lists of §4.3.
    tokenOperation,
    pingOperation(assumptions.values["ping.response"]),
    ...lists.map(listOperation),
  ];
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

/** Finds the steps of an operation by its name and the name of its list. */
export function stepsOf(operations: readonly Operation[]) {
  return (operation: string | undefined, list: string | undefined): readonly Step[] =>
    operations.find((each) => each.name === operation && each.list === list)?.steps ?? [];
}
