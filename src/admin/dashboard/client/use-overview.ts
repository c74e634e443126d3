import { useEffect, useState } from "preact/hooks";
import type { Overview } from "../view/data.js";
import { rangeIn, withTerms } from "../view/query-text.js";
import { get } from "./api.js";
import { useLatest } from "./hooks.js";

/** How often the overview is fetched, in milliseconds. */
const interval = 3000;

/** After a slow answer, the next request waits this many times its duration: the sandbox has other work. */
const restFactor = 16;

/** How many bars the chart has. */
const buckets = "60";

/**
 * The chart and the groups of a query, fetched now and periodically; undefined until they are known.
 * @param after entries up to this one are hidden in this browser
 * @param round another number fetches at once
 */
export function useOverview(
  query: string,
  { after, isShown, round }: { readonly after: number; readonly isShown: boolean; readonly round: number },
): { readonly overview: Overview; readonly readAt: number } | undefined {
  const [found, setFound] = useState<{ overview: Overview; readAt: number }>();
  const isWanted = useLatest(() => isShown && !document.hidden);
  useEffect(() => {
    let isCurrent = true;
    let timer: ReturnType<typeof setTimeout>;
    const read = async () => {
      const begun = performance.now();
      // The stream shows when the sandbox cannot be reached.
      const overview = await get<Overview>(addressOf(query, after)).catch(() => undefined);
      if (!isCurrent) return;
      if (overview) setFound({ overview, readAt: Date.now() });
      wait(Math.max(interval, restFactor * (performance.now() - begun)));
    };
    const wait = (time: number) => {
      timer = setTimeout(() => (isWanted.current() ? void read() : wait(interval)), time);
    };
    void read();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [query, after, round]);
  return found;
}

function addressOf(query: string, after: number): string {
  const { from, to } = rangeIn(query);
  const parameters = new URLSearchParams({ q: withTerms(query, ["from", "to"], []), buckets, span: "matches" });
  if (from !== undefined) parameters.set("from", new Date(from).toISOString());
  if (to !== undefined) parameters.set("to", new Date(to).toISOString());
  if (after > 0) parameters.set("after", String(after));
  return `/journal/overview?${parameters}`;
}
