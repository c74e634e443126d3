import type { ComponentChildren, VNode } from "preact";
import type { Client } from "./data.js";
import { visible } from "./format.js";

/** Maximum number of clients that the choice offers; the others have a link on their own page. */
const mostOffered = 300;

/**
 * The clients for which a scenario or a clock is changed, or that a report is on: all clients, or one.
 * @param change what the choice changes
 */
export function TargetChoice({
  label,
  clients,
  target,
  change = "target",
}: {
  readonly label: string;
  readonly clients: readonly Client[];
  readonly target: string | undefined;
  readonly change?: "target" | "report";
}): VNode {
  return (
    <label class="target">
      {label}{" "}
      <select id={change} data-change={change}>
        <option value="" selected={target === undefined}>
          all clients
        </option>
        <ClientOptions clients={clients} chosen={target} />
      </select>
    </label>
  );
}

/** The clients to choose from, with the chosen one. */
export function ClientOptions({
  clients,
  chosen,
}: {
  readonly clients: readonly Client[];
  readonly chosen: string | undefined;
}): ComponentChildren {
  const names = clients.slice(0, mostOffered).map(({ clientId }) => clientId);
  if (chosen !== undefined && !names.includes(chosen)) names.unshift(chosen);
  return names.map((name) => (
    <option value={name} selected={name === chosen}>
      {visible(name)}
    </option>
  ));
}
