import type { Facts } from "./facts.js";
import { isBefore } from "./position.js";

/** Why Redis did not accept a change, by the status that the script of the log returns. */
export const refused = {
  late: "Redis did not accept the change in time; nothing was changed.",
  lost: "Redis has lost data; nothing was changed.",
  foreign: "The log in Redis ends with an entry that no sandbox wrote; nothing was changed.",
} as const;

/**
 * The message about lost data after the state was read again.
 * @param applied how far this replica was
 * @param head the present end of the log
 */
export function lossOf(facts: Facts, before: Facts, applied: string, head: string): string {
  if (facts.log !== before.log)
    return "Redis has lost its data. The configured clients and the files of scenarios are loaded again; clients, scenarios and clocks that were made or set since are gone.";
  if (isBefore(head, applied))
    return "Redis has lost its newest changes. This replica has gone back to the state before them.";
  return "This replica has missed changes. It has read the state again.";
}
