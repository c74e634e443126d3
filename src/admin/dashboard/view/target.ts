import type { Client } from "./data.js";
import { visible } from "./format.js";
import { h, type Tree } from "./tree.js";

/** Maximum number of clients that the choice offers; the others have a link on their own page. */
const mostOffered = 300;

/**
 * The clients for which a scenario or a clock is changed, or that a report is on: all clients, or one.
 * @param change what the choice changes
 */
export function targetChoice(
  label: string,
  clients: readonly Client[],
  target: string | undefined,
  change: "target" | "report" = "target",
): Tree {
  return h(
    "label",
    { class: "target" },
    `${label} `,
    h(
      "select",
      { id: change, "data-change": change },
      h("option", { value: "", selected: target === undefined }, "all clients"),
      clientOptions(clients, target),
    ),
  );
}

/** The clients to choose from, with the chosen one. */
export function clientOptions(clients: readonly Client[], chosen: string | undefined): Tree[] {
  const names = clients.slice(0, mostOffered).map(({ clientId }) => clientId);
  if (chosen !== undefined && !names.includes(chosen)) names.unshift(chosen);
  return names.map((name) => h("option", { value: name, selected: name === chosen }, visible(name)));
}
