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
  const names = clients.slice(0, mostOffered).map(({ clientId }) => clientId);
  if (target !== undefined && !names.includes(target)) names.unshift(target);
  return h(
    "label",
    { class: "target" },
    `${label} `,
    h(
      "select",
      { id: change, "data-change": change },
      h("option", { value: "", selected: target === undefined }, "all clients"),
      names.map((name) => h("option", { value: name, selected: name === target }, visible(name))),
    ),
  );
}
