import { visible } from "./format.js";
import { type Attributes, type Child, h, type Tree } from "./tree.js";

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
export function icon(name: IconName): Tree {
  return h("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" }, h("path", { d: paths[name] }));
}

/** A button that copies a text. */
export function copyButton(text: string, what: string): Tree {
  return h(
    "button",
    {
      type: "button",
      class: "copy",
      "data-do": "copy",
      "data-copy": text,
      "aria-label": `Copy ${what}`,
      title: "Copy",
    },
    icon("copy"),
    h("span", { class: "copied" }),
  );
}

/** A block of text with a button that copies it. */
export function codeBlock(text: string, what: string, content: Child = visible(text)): Tree {
  return h(
    "div",
    { class: "code" },
    h("pre", { tabindex: 0, "aria-label": what }, h("code", {}, content)),
    copyButton(text, what),
  );
}

/** Names and values. Rows without a value are left out. */
export function facts(rows: readonly (readonly [name: Child, value: Child] | false)[]): Tree {
  return h(
    "dl",
    { class: "facts" },
    rows.map((row) => row && row[1] != null && [h("dt", {}, row[0]), h("dd", {}, row[1])]),
  );
}

/** A paragraph that is less important than the rest. */
export function quietText(...content: readonly Child[]): Tree {
  return h("p", { class: "quiet" }, ...content);
}

/** A table. An empty heading is the corner above the headings of the rows. */
export function table(headings: readonly Child[], rows: Child, attributes: Attributes = {}): Tree {
  const cells = headings.map((heading) => (heading === "" ? h("td") : h("th", { scope: "col" }, heading)));
  return h("table", attributes, h("thead", {}, h("tr", {}, cells)), h("tbody", {}, rows));
}

/** A short text in the font of code. Invisible characters are made visible. */
export function mono(text: string): Tree {
  return h("code", {}, visible(text));
}

export type Tone = "good" | "bad" | "warn" | "info" | "plain";

export function badge(tone: Tone, ...content: Child[]): Tree {
  return h("span", { class: `badge ${tone}` }, ...content);
}

export function button(action: string, content: Child, attributes: Attributes = {}): Tree {
  return h("button", { type: "button", class: "button", "data-do": action, ...attributes }, content);
}

/** The field of a search: it limits a list of the page while the user types. */
export function searchInput(
  search: "client" | "scenario" | "assumption",
  label: string,
  value: string,
  placeholder = label,
): Tree {
  const attributes = { "data-search": search, placeholder, "aria-label": label, value };
  return h("input", { type: "search", id: `${search}-search`, ...attributes });
}

/** A group of buttons, one of which is pressed. Each has the id `ACTION-VALUE`, and its value in `data-NAME`. */
export function segments(
  label: string,
  [action, name]: readonly [action: string, name: string],
  choices: readonly (readonly [value: string, text: string])[],
  chosen: string | undefined,
): Tree {
  return h(
    "div",
    { class: "segments", role: "group", "aria-label": label },
    choices.map(([value, text]) =>
      h(
        "button",
        {
          type: "button",
          id: `${action}-${value}`,
          "data-do": action,
          [`data-${name}`]: value,
          "aria-pressed": value === chosen ? "true" : "false",
        },
        text,
      ),
    ),
  );
}

export function section(title: string, ...content: Child[]): Tree {
  return h("section", {}, h("h3", {}, title), ...content);
}

/** Links to the files of an identity. The CA's certificate is the same for all, and always needed. */
export function downloadLinks(paths: readonly string[]): Tree {
  return h(
    "p",
    { class: "downloads" },
    [...paths, "/ca.pem"].map((path) =>
      h("a", { class: "button", href: path, download: true }, icon("download"), path.slice(path.lastIndexOf("/") + 1)),
    ),
    h("small", {}, "The password of client.p12 is ", mono("sandbox"), "."),
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
