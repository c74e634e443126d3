import { hash } from "../view/parts.js";
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

export function routeOf(address: string): Route {
  const mark = address.indexOf("?");
  const path = mark < 0 ? address : address.slice(0, mark);
  const parameters = new URLSearchParams(mark < 0 ? "" : address.slice(mark + 1));
  const [first = "", ...rest] = path
    .replace(/^#\/?/, "")
    .split("/")
    .map((part) => decoded(part));
  const page = pages.find((name) => name === first);
  return {
    page: page ?? "requests",
    parts: page ? rest.filter((part) => part !== "") : [],
    query: mark < 0 ? undefined : (parameters.get("q") ?? ""),
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

/** The address of other parts, with the query of the present one. */
export function beside(...parts: readonly string[]): string {
  const mark = location.hash.indexOf("?");
  return hash(...parts) + (mark < 0 ? "" : location.hash.slice(mark));
}

/** Goes elsewhere. Without an entry in the history where the person only walks through a list. */
export function go(address: string, replace = false): void {
  if (address === location.hash) return;
  if (!replace) {
    location.hash = address;
    return;
  }
  history.replaceState(null, "", address);
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}
