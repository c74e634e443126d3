import { type PageName, pages } from "../view/shell.js";

/** Where the person is: `#/clients/misfits/expired` is the page `clients` with two further parts. */
export interface Route {
  readonly page: PageName;
  readonly parts: readonly string[];
}

export function routeOf(hash: string): Route {
  const [first = "", ...rest] = hash
    .replace(/^#\/?/, "")
    .split("/")
    .map((part) => decoded(part));
  const page = pages.find((name) => name === first);
  return page ? { page, parts: rest.filter((part) => part !== "") } : { page: "requests", parts: [] };
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
