import { type PageName, pages } from "../view/shell.js";

/** Where the person is: `#/clients/misfits/expired` is the page `clients` with two further parts. */
export interface Route {
  readonly page: PageName;
  readonly parts: readonly string[];
  /** What the list of requests is asked for, as in `#/requests?q=status:4xx`; undefined where the address does not say. */
  readonly query: string | undefined;
  /** The start of the sandbox that the chosen request is of; undefined for the present one. */
  readonly run: string | undefined;
}

export function routeOf(hash: string): Route {
  const mark = hash.indexOf("?");
  const path = mark < 0 ? hash : hash.slice(0, mark);
  const parameters = new URLSearchParams(mark < 0 ? "" : hash.slice(mark + 1));
  const [first = "", ...rest] = path
    .replace(/^#\/?/, "")
    .split("/")
    .map((part) => decoded(part));
  const page = pages.find((name) => name === first);
  return {
    page: page ?? "requests",
    parts: page ? rest.filter((part) => part !== "") : [],
    query: parameters.get("q") ?? undefined,
    run: parameters.get("run") ?? undefined,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Goes elsewhere. Without an entry in the history where the person only walks through a list. */
export function go(hash: string, replace = false): void {
  if (hash === location.hash) return;
  if (!replace) {
    location.hash = hash;
    return;
  }
  history.replaceState(null, "", hash);
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}
