import type { Client } from "./data.js";
import { visible } from "./format.js";

/** Maximum number of clients that the choice offers; the others have a link on their own page. */
const mostOffered = 300;

/**
 * The clients for which a scenario or a clock is changed, or that a report is on: all clients, or one.
 * @param choose undefined for all clients
 */
export function TargetChoice({
  label,
  clients,
  target,
  id = "target",
  choose,
}: {
  label: string;
  clients: readonly Client[];
  target: string | undefined;
  id?: string;
  choose: (client: string | undefined) => void;
}) {
  return (
    <label class="target">
      {label}{" "}
      <select id={id} onChange={({ currentTarget }) => choose(currentTarget.value || undefined)}>
        <option value="" selected={target === undefined}>
          all clients
        </option>
        <ClientOptions clients={clients} chosen={target} />
      </select>
    </label>
  );
}

/** The clients to choose from, with the chosen one. */
export function ClientOptions({ clients, chosen }: { clients: readonly Client[]; chosen: string | undefined }) {
  const names = clients.slice(0, mostOffered).map(({ clientId }) => clientId);
  if (chosen !== undefined && !names.includes(chosen)) names.unshift(chosen);
  return names.map((name) => (
    <option value={name} selected={name === chosen}>
      {visible(name)}
    </option>
  ));
}
