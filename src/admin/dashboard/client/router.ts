import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

/** In the order of the links in the heading. */
export const pages = ["requests", "report", "clients", "scenarios", "clock"] as const;
export type PageName = (typeof pages)[number];

/** The current address: `#/clients/misfits/expired` is the page `clients` with two further parts. */
export interface Route {
  readonly page: PageName;
  readonly parts: readonly string[];
  /** The query of the list of requests, as in `#/requests?q=status:4xx`; undefined if the address has none. */
  readonly query: string | undefined;
  /** The address, if it leads to nothing. */
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
  const parts = rest.filter((part) => part !== "");
  const isKnown = first === "" || (page !== undefined && mayHave(page, parts[0]));
  return {
    page: page ?? "requests",
    parts: page ? parts : [],
    query: mark < 0 ? undefined : (parameters.get("q") ?? ""),
    unknown: isKnown ? undefined : [first, ...parts].join("/"),
    run: parameters.get("run") ?? undefined,
  };
}

/** Whether an address of a page may have a further part. */
function mayHave(page: PageName, part: string | undefined): boolean {
  if (part === undefined) return true;
  return page === "requests" ? keyForm.test(part) : page !== "clock";
}

/** The key of an entry. */
const keyForm = /^[rh]\d{1,15}$/;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
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

/** The current route. */
export function useRoute(): Route {
  const [route, setRoute] = useState(() => routeOf(location.hash));
  useLayoutEffect(() => {
    let shown = location.hash;
    const arrive = () => {
      const next = routeOf(location.hash);
      if (!mayLeaveFor(next)) return go(shown);
      shown = location.hash;
      setRoute(next);
    };
    window.addEventListener("hashchange", arrive);
    return () => window.removeEventListener("hashchange", arrive);
  }, []);
  return route;
}

/** The tabs of the details of a request, in order. */
export const detailTabs = ["why", "request", "answer", "certificate"] as const;
export type DetailTab = (typeof detailTabs)[number];

/** What an address says about the list of requests and the details next to it. */
export interface Place {
  readonly query: string;
  /** The chosen entry, such as `r12`. */
  readonly key: string | undefined;
  /** The exchange that it is compared with. */
  readonly other: string | undefined;
  /** The start of the sandbox that they belong to; undefined for the present one. */
  readonly run: string | undefined;
  readonly tab: DetailTab;
}

const nowhere: Place = { query: "", key: undefined, other: undefined, run: undefined, tab: "why" };

/** The place of the current address; that of the last one while another page is shown. */
export function usePlace(route: Route): Place {
  const last = useRef(nowhere);
  return useMemo(() => {
    if (route.page === "requests" && route.unknown === undefined) last.current = placeOf(route, last.current);
    return last.current;
  }, [route]);
}

function placeOf({ parts: [first = "", second, third = ""], query, run }: Route, before: Place): Place {
  const key = keyForm.test(first) ? first : undefined;
  const other = second === "with" && /^r\d{1,15}$/.test(third) ? third : undefined;
  return {
    // A link to a request does not change the query.
    query: query ?? (key === undefined ? "" : before.query),
    key,
    other,
    run,
    // A comparison does not change the tab.
    tab: other === undefined ? (detailTabs.find((name) => name === second) ?? "why") : before.tab,
  };
}

/**
 * Goes to another place.
 * @param replace leaves the current address out of the history
 */
export function goTo({ query, key, run, tab }: Omit<Place, "other">, replace = false): void {
  go(requestsHash(query, key, run, tab === "why" ? undefined : tab), replace);
}

/** What the editor of scenarios edits: a request, from which a scenario is made, or a scenario. */
export interface EditorSource {
  readonly kind: "request" | "scenario";
  readonly of: string;
}

/** The same, according to an address of the page of scenarios: `from/r12`, or `NAME/edit`. */
export function editorSource([first, second]: readonly string[]): EditorSource | undefined {
  if (first === "from" && /^r\d{1,15}$/.test(second ?? "")) return { kind: "request", of: second as string };
  return first !== undefined && second === "edit" ? { kind: "scenario", of: first } : undefined;
}
