import type { Facts } from "./facts.js";
import { isBefore } from "./lease.js";

/** Why Redis did not take a change, by the status that the script of the log returns. */
export const refused = {
  late: "Redis did not take the change in time; nothing was changed.",
  lapsed: "The lease of this replica was over; nothing was changed.",
  lost: "Redis has lost data; nothing was changed.",
  foreign: "The log in Redis ends with an entry that no sandbox wrote; nothing was changed.",
} as const;

/** What is lost, where the state was read again. @param applied how far this replica was @param head how far the log goes now */
export function lossOf(facts: Facts, before: Facts, applied: string, head: string): string {
  if (facts.log !== before.log)
    return "Redis has lost its data. The configured clients and the files of scenarios are there again; clients, scenarios and clocks that were made or set since are gone.";
  if (isBefore(head, applied))
    return "Redis has lost its newest changes. This replica has gone back to those that are there.";
  return "This replica has missed changes. It has read the state again.";
}
