import type { JSX, VNode } from "preact";
import { type Client, pathOf, remove } from "./api.js";
import { useDashboard } from "./dashboard.js";
import { visible } from "./format.js";
import { Button } from "./parts.js";
import { go, hash } from "./router.js";

/** The content of a form that is submitted. */
export function contentOf(event: JSX.TargetedSubmitEvent<HTMLFormElement>): FormData {
  event.preventDefault();
  return new FormData(event.currentTarget);
}

/** An input with its label above it. */
export function Field({ id, label, children }: { id: string; label: string; children: VNode }) {
  return (
    <div class="field stack">
      <label for={id}>{label}</label>
      {children}
    </div>
  );
}

/** The field of a search: it limits a list of the page while the user types. */
export function SearchInput({
  id,
  label,
  value,
  search,
}: {
  id: string;
  label: string;
  value: string;
  search: (text: string) => void;
}) {
  return (
    <input
      type="search"
      id={id}
      placeholder={label}
      aria-label={label}
      value={value}
      onInput={({ currentTarget }) => search(currentTarget.value)}
    />
  );
}

/**
 * A field with a format. The browser's own message says that the format is wrong, and not which one is right.
 * @param advice says it, with an example
 */
export function FormattedInput({
  advice,
  onInput,
  ...attributes
}: JSX.IntrinsicElements["input"] & { readonly advice: string }) {
  return (
    <input
      {...attributes}
      autocomplete="off"
      spellcheck={false}
      onInvalid={({ currentTarget: input }) => input.validity.patternMismatch && input.setCustomValidity(advice)}
      onInput={(event) => {
        event.currentTarget.setCustomValidity("");
        onInput?.(event);
      }}
    />
  );
}

/** A button that removes a client or a scenario, if the user says yes to a question, and leaves its page. */
export function RemoveButton({
  kind,
  name,
  question,
  ...button
}: JSX.IntrinsicElements["button"] & {
  readonly kind: "clients" | "scenarios";
  readonly name: string;
  readonly question: string;
}) {
  const { change, say } = useDashboard();
  const removeIt = async () => {
    if (!confirm(question) || !(await change(() => remove(pathOf(kind, name))))) return;
    say(`${name} was removed.`);
    go(hash(kind));
  };
  return <Button {...button} class="button danger" onClick={removeIt} />;
}

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
