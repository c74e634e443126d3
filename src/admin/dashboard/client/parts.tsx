import type { ComponentChildren, JSX } from "preact";
import { useRef } from "preact/hooks";
import { visible } from "./format.js";
import { useWindow } from "./hooks.js";

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
  reset: "M12.9 6A5.5 5.5 0 103 10m10-7v3h-3",
  people: "M8 2.5a2.5 2.5 0 100 5 2.5 2.5 0 000-5zM3 13.5c0-6 10-6 10 0z",
  add: "M8 3.5v9M3.5 8h9",
} as const;

/** An icon. It is hidden from assistive technology: its text, or the label of its parent, says what it means. */
export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
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

/** Leads back from a part of a page; only a small screen shows it. */
export function BackLink({ href, children }: { href: string; children: ComponentChildren }) {
  return (
    <a class="button back" href={href}>
      <Icon name="back" />
      {children}
    </a>
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

/** In place of something that is being read. A short wait shows nothing, because it would only flicker. */
export function Awaited({ problem }: { problem: string | undefined }) {
  return problem === undefined ? <p class="hint awaited">Loading …</p> : <p class="hint">{problem}</p>;
}

/** A short text in the font of code. Invisible characters are made visible. */
export function Mono({ children }: { children: string }) {
  return <code>{visible(children)}</code>;
}

/** What the colour of a badge means. */
export type Tone = "good" | "bad" | "warn" | "info" | "plain";

export function Badge({ tone, children }: { tone: Tone; children?: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

export function Button(attributes: JSX.IntrinsicElements["button"]) {
  return <button type="button" class="button" {...attributes} />;
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
    <p class="bar downloads">
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

/** A button that opens a menu. A choice, a click elsewhere and Escape close it. */
export function Menu({ summary, children }: { summary: ComponentChildren; children: ComponentChildren }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (!menu.current?.open) return;
    // The content of a closed menu cannot have the focus.
    if (menu.current.contains(document.activeElement)) menu.current.querySelector("summary")?.focus();
    menu.current.open = false;
  };
  useWindow("click", (event) => {
    const target = event.target as Element;
    if (!menu.current?.contains(target) || target.closest("button")) close();
  });
  return (
    <details
      ref={menu}
      class="menu"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !menu.current?.open) return;
        // Otherwise this key would also close the details of a request.
        event.stopPropagation();
        close();
      }}
    >
      <summary class="button">{summary}</summary>
      <div class="floating">{children}</div>
    </details>
  );
}
