import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { useActions } from "./actions.js";
import type { Tone } from "./entry.js";
import { visible } from "./format.js";

// Small parts that several views use.

const paths = {
  success: "M3.5 8.5l3 3 6-7",
  refused: "M4.5 4.5l7 7m0-7l-7 7",
  injected: "M9 1.5L3.5 9H8l-1 5.5L12.5 7H8z",
  handshake: "M4.5 7.5v-2a3.5 3.5 0 017 0v2m-8 0h9v6h-9z",
  unreached: "M8 3.5a4.5 4.5 0 100 9 4.5 4.5 0 000-9z",
  copy: "M5.5 5.5v-3h8v8h-3m-8-5h8v8h-8z",
  close: "M4 4l8 8m0-8l-8 8",
  back: "M9.5 3.5L5 8l4.5 4.5",
  clock: "M8 2.5a5.5 5.5 0 100 11 5.5 5.5 0 000-11zm0 2.5v3l2 1.5",
  scenario: "M9 1.5L3.5 9H8l-1 5.5L12.5 7H8z",
  download: "M8 2.5v7m-3-3l3 3 3-3m-7.5 6.5h9",
  pause: "M5.5 3.5v9m5-9v9",
  resume: "M5 3.5v9l7-4.5z",
  clear: "M3 4.5h10m-8.5 0l.5 9h6l.5-9m-5-2h3",
  add: "M8 3.5v9M3.5 8h9",
} as const;

export type IconName = keyof typeof paths;

/** An icon. It is hidden from assistive technology: its text, or the label of its parent, says what it means. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

/** A button that copies a text. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const { copy } = useActions();
  const [message, setMessage] = useState("");
  const onClick = async () => {
    setMessage((await copy(text)) ? "Copied" : "Not copied");
    setTimeout(() => setMessage(""), 1500);
  };
  return (
    <button type="button" class="copy" onClick={onClick} aria-label={`Copy ${what}`} title="Copy">
      <Icon name="copy" />
      <span class="copied">{message}</span>
    </button>
  );
}

/** A block of text with a button that copies it. */
export function CodeBlock({
  text,
  what,
  children = visible(text),
}: {
  text: string;
  what: string;
  children?: ComponentChildren;
}) {
  return (
    <div class="code">
      <pre tabindex={0} aria-label={what}>
        <code>{children}</code>
      </pre>
      <CopyButton text={text} what={what} />
    </div>
  );
}

/** Names and values, each a `Fact`. */
export function Facts({ children }: { children: ComponentChildren }) {
  return <dl class="facts">{children}</dl>;
}

/** A name and its value. Without a value, nothing is shown. */
export function Fact({ name, children }: { name: ComponentChildren; children?: ComponentChildren }) {
  if (children === undefined || children === null || children === false) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** A name and a value that is shown as code; nothing for null. */
export function CodeFact({ name, value }: { name: string; value: string | null }) {
  if (value === null) return null;
  return (
    <Fact name={name}>
      <Mono>{value}</Mono>
    </Fact>
  );
}

/** A paragraph that is less important than the rest. */
export function Quiet({ children }: { children?: ComponentChildren }) {
  return <p class="quiet">{children}</p>;
}

/** A table. An empty heading is the corner above the headings of the rows. */
export function Table({
  headings,
  children,
  ...attributes
}: JSX.IntrinsicElements["table"] & { readonly headings: readonly ComponentChildren[] }) {
  return (
    <table {...attributes}>
      <thead>
        <tr>{headings.map((heading) => (heading === "" ? <td /> : <th scope="col">{heading}</th>))}</tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

/** A short text in the font of code. Invisible characters are made visible. */
export function Mono({ children }: { children: string }) {
  return <code>{visible(children)}</code>;
}

export function Badge({ tone, children }: { tone: Tone; children?: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

export function Button(attributes: JSX.IntrinsicElements["button"]) {
  return <button type="button" class="button" {...attributes} />;
}

/** The content of a form that is submitted. */
export function contentOf(event: JSX.TargetedSubmitEvent<HTMLFormElement>): FormData {
  event.preventDefault();
  return new FormData(event.currentTarget);
}

/** The field of a search: it limits a list of the page while the user types. */
export function SearchInput({
  id,
  label,
  value,
  placeholder = label,
  search,
}: {
  id: string;
  label: string;
  value: string;
  placeholder?: string;
  search: (text: string) => void;
}) {
  return (
    <input
      type="search"
      id={id}
      placeholder={placeholder}
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

/** A group of buttons, one of which is pressed. Each has the id `NAME-VALUE`. */
export function Segments<Value extends string>({
  label,
  name,
  choices,
  chosen,
  choose,
}: {
  label: string;
  name: string;
  choices: readonly (readonly [value: Value, text: string])[];
  chosen: string | undefined;
  choose: (value: Value) => void;
}) {
  return (
    <div class="segments" role="group" aria-label={label}>
      {choices.map(([value, text]) => (
        <button
          key={value}
          type="button"
          id={`${name}-${value}`}
          onClick={() => choose(value)}
          aria-pressed={value === chosen}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

export function Section({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <section>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** Links to the files of an identity. The CA's certificate is the same for all, and always needed. */
export function DownloadLinks({ paths }: { paths: readonly string[] }) {
  return (
    <p class="downloads">
      {[...paths, "/ca.pem"].map((path) => (
        <a class="button" href={path} download="">
          <Icon name="download" />
          {path.slice(path.lastIndexOf("/") + 1)}
        </a>
      ))}
      <small>
        The password of client.p12 is <Mono>sandbox</Mono>.
      </small>
    </p>
  );
}

/** The paths of the files of an identity of the certificates folder, on the admin port. */
export function identityDownloads(name: string): string[] {
  return ["cert.pem", "key.pem", "identity.pem", "client.p12", "client.env"].map(
    (file) => `/identities/${name}/${file}`,
  );
}

/** An address of the page. Its parts may contain any characters. */
export function hash(...parts: readonly string[]): string {
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}

/**
 * The address of the list of requests.
 * @param query the search query
 * @param key the chosen entry, such as `r12`, of the start of the sandbox with the id `run`
 * @param tab of the details; undefined for the first one
 */
export function requestsHash(query: string, key?: string, run?: string, tab?: string): string {
  const parameters = [
    query !== "" && `q=${readable(query)}`,
    key !== undefined && run !== undefined && `run=${readable(run)}`,
  ];
  const text = parameters.filter((parameter) => parameter !== false).join("&");
  const parts = [key, tab].filter((part) => part !== undefined);
  return `${hash("requests", ...parts)}${text === "" ? "" : `?${text}`}`;
}

/** Encoded, except characters that are allowed in an address, so that the query stays readable. */
function readable(text: string): string {
  return encodeURIComponent(text).replaceAll("%3A", ":").replaceAll("%2F", "/");
}
