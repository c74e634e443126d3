import { useLayoutEffect, useState } from "preact/hooks";
import { hash } from "../view/parts.js";
import { type PageName, pages } from "../view/shell.js";

/** The current address: `#/clients/misfits/expired` is the page `clients` with two further parts. */
export interface Route {
  readonly page: PageName;
  readonly parts: readonly string[];
  /** The query of the list of requests, as in `#/requests?q=status:4xx`; undefined if the address has none. */
  readonly query: string | undefined;
  /** The page of the address, if there is none of this name. */
  readonly unknown: string | undefined;
  /** The start of the sandbox that the chosen request belongs to; undefined for the current one. */
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
    unknown: page === undefined && first !== "" ? first : undefined,
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

/** An address with other parts and the current query. */
export function beside(...parts: readonly string[]): string {
  const mark = location.hash.indexOf("?");
  return hash(...parts) + (mark < 0 ? "" : location.hash.slice(mark));
}

/**
 * Goes to an address.
 * @param replace adds no entry to the history, for example when the user moves through a list
 */
export function go(address: string, replace = false): void {
  if (address === location.hash) return;
  if (!replace) {
    location.hash = address;
    return;
  }
  history.replaceState(null, "", address);
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}

/** Asks the user whether an address may be left for another one. */
type Guard = (next: Route) => boolean;

let mayLeaveFor: Guard = () => true;

/** Asks before the user leaves the address, until the component is gone. */
export function useGuard(guard: Guard): void {
  useLayoutEffect(() => {
    mayLeaveFor = guard;
    return () => {
      mayLeaveFor = () => true;
    };
  });
}

/** The current route. The server begins with the list of requests. */
export function useRoute(): Route {
  const [route, setRoute] = useState(() => routeOf(""));
  useLayoutEffect(() => {
    let shown = location.hash;
    const arrive = () => {
      // The link that skips the header: the browser has moved the focus, and nothing else is needed.
      if (location.hash === "#main") return;
      const next = routeOf(location.hash);
      if (!mayLeaveFor(next)) return go(shown);
      shown = location.hash;
      setRoute(next);
    };
    arrive();
    window.addEventListener("hashchange", arrive);
    return () => window.removeEventListener("hashchange", arrive);
  }, []);
  return route;
}
