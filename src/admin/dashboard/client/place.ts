import { useMemo, useRef } from "preact/hooks";
import { requestsHash } from "../view/parts.js";
import { type DetailTab, detailTabs } from "../view/request-detail.js";
import { go, type Route } from "./router.js";

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
    if (route.page === "requests") last.current = placeOf(route, last.current);
    return last.current;
  }, [route]);
}

function placeOf({ parts: [first = "", second, third = ""], query, run }: Route, before: Place): Place {
  const key = /^[rh]\d{1,15}$/.test(first) ? first : undefined;
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
