import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { second } from "../../../../base/text/duration.js";
import { counted, thousands } from "../../../../base/text/numbers.js";
import { get, type Overview } from "../api.js";
import { ago, clockTime, inZone, visible } from "../format.js";
import { useLatest } from "../hooks.js";
import { Button } from "../parts.js";
import { requestsHash } from "../router.js";
import { rangeIn, withTerms } from "./query-text.js";
import { causeText } from "./request-row.js";

/** How often the overview is fetched, in milliseconds. */
const interval = 3000;

/** After a slow answer, the next request waits this many times its duration: the sandbox has other work. */
const restFactor = 16;

/** How many bars the chart has. */
const bars = "60";

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
  const parameters = new URLSearchParams({ q: withTerms(query, ["from", "to"], []), buckets: bars, span: "matches" });
  if (from !== undefined) parameters.set("from", new Date(from).toISOString());
  if (to !== undefined) parameters.set("to", new Date(to).toISOString());
  if (after > 0) parameters.set("after", String(after));
  return `/journal/overview?${parameters}`;
}

/** Called with the instants of the time that the user chose in the chart; without them, for all times. */
type Choose = (from?: string, to?: string) => void;

/**
 * Recent failures: a chart over time, and a link for each kind of refusal.
 * @param isNarrowed whether the query is limited to a time
 * @param now on the clock of the journal, in milliseconds since the epoch
 */
export function OverviewPart({
  overview,
  isNarrowed,
  now,
  choose,
}: {
  overview: Overview;
  isNarrowed: boolean;
  now: number;
  choose: Choose;
}) {
  return (
    <>
      <Chart newest={overview} choose={choose} />
      {isNarrowed && (
        <Button onClick={() => choose()} class="button small">
          All times
        </Button>
      )}
      {overview.groups.length > 0 && <Groups groups={overview.groups} now={now} />}
    </>
  );
}

/** The chart: the user chooses a time by dragging. With the keyboard, the terms `from:` and `to:` do the same. */
function Chart({ newest, choose }: { newest: Overview; choose: Choose }) {
  /** The buckets between which the user drags. */
  const [dragged, setDragged] = useState<{ readonly from: number; readonly to: number }>();
  const kept = useRef(newest);
  // The buckets do not move while the user drags.
  if (dragged === undefined) kept.current = newest;
  const overview = kept.current;
  const most = busiest(overview);
  const range = dragged && {
    first: Math.min(dragged.from, dragged.to),
    end: Math.max(dragged.from, dragged.to) + 1,
  };
  const apply = () => {
    if (!range) return;
    setDragged(undefined);
    const at = (index: number) => new Date(Date.parse(overview.from) + index * bucketLength(overview)).toISOString();
    choose(at(range.first), at(range.end));
  };
  const bucketAt = ({ currentTarget, clientX }: JSX.TargetedPointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const { length } = overview.buckets;
    return Math.min(Math.max(Math.floor(((clientX - left) / Math.max(width, 1)) * length), 0), length - 1);
  };
  return (
    <div class="chart-frame">
      <div
        id="chart"
        class="chart"
        role="img"
        aria-label={`Requests and failures over time: ${summary(overview)}`}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          setDragged({ from: bucketAt(event), to: bucketAt(event) });
          // The pointer may leave the chart while it is dragged.
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={(event) => dragged && setDragged({ from: dragged.from, to: bucketAt(event) })}
        onPointerUp={apply}
        onPointerCancel={() => setDragged(undefined)}
      >
        <Bars overview={overview} most={most} range={range} />
      </div>
      <p class="chart-axis">
        <span>{axisText(overview.from, overview)}</span>
        <span>{most === 0 ? "no requests" : `at most ${rate(most, overview)}`}</span>
        <span>{axisText(overview.to, overview)}</span>
      </p>
    </div>
  );
}

/** `12:03:05`; with the date if the chart covers more than one day. */
function axisText(instant: string, { from, to }: Overview): string {
  const time = clockTime(instant).slice(0, 8);
  const [day, first, last] = [instant, from, to].map((text) => inZone(text).slice(0, 10));
  return first === last ? time : `${day} ${time}`;
}

/** The height of the chart, in its own units. */
const top = 100;

/** The minimum height of a bar of failures: one failure among thousands of requests must be visible. */
const leastHeight = 8;

function Bars({
  overview: { buckets },
  most,
  range,
}: {
  overview: Overview;
  most: number;
  range: { readonly first: number; readonly end: number } | undefined;
}) {
  const bar = (height: number, index: number) =>
    height === 0 ? "" : `M${index + 0.1} ${top}h.8V${(top - height).toFixed(1)}h-.8z`;
  const heightOf = (count: number) => (count / Math.max(most, 1)) * top;
  const failures = buckets.map((bucket) =>
    bucket.failures === 0 ? 0 : Math.max(heightOf(bucket.failures), leastHeight),
  );
  return (
    <svg viewBox={`0 0 ${Math.max(buckets.length, 1)} ${top}`} preserveAspectRatio="none" aria-hidden="true">
      <path class="chart-requests" d={buckets.map(({ requests }, index) => bar(heightOf(requests), index)).join("")} />
      <path class="chart-failures" d={failures.map(bar).join("")} />
      <path class="chart-range" d={range ? `M${range.first} 0H${range.end}V${top}H${range.first}z` : ""} />
    </svg>
  );
}

function busiest({ buckets }: Overview): number {
  return buckets.reduce((most, { requests }) => Math.max(most, requests), 0);
}

/** `500 requests, 3 failures`. */
function summary({ buckets }: Overview): string {
  const sum = (of: "requests" | "failures") => buckets.reduce((total, bucket) => total + bucket[of], 0);
  return `${counted(sum("requests"), "request")}, ${counted(sum("failures"), "failure")}`;
}

/** How long a bucket is, in milliseconds. */
function bucketLength({ from, to, buckets }: Pick<Overview, "from" | "to" | "buckets">): number {
  return (Date.parse(to) - Date.parse(from)) / Math.max(buckets.length, 1);
}

function rate(requests: number, overview: Overview): string {
  const perSecond = (requests * second) / Math.max(bucketLength(overview), 1);
  return `${perSecond >= 10 ? thousands(Math.round(perSecond)) : perSecond.toFixed(1)}/s`;
}

/** Two rows of links, and how many there are below them. */
function Groups({ groups, now }: { groups: Overview["groups"]; now: number }) {
  const list = useRef<HTMLUListElement>(null);
  const [isWhole, setIsWhole] = useState(false);
  const [below, setBelow] = useState(0);
  // How many links a row has depends on the width.
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const count = () => {
      const bottom = element.getBoundingClientRect().bottom;
      setBelow([...element.children].filter((child) => child.getBoundingClientRect().top >= bottom).length);
    };
    const observer = new ResizeObserver(count);
    observer.observe(element);
    count();
    return () => observer.disconnect();
  }, [groups.length]);
  return (
    <div class="group-rows">
      <ul ref={list} class={isWhole ? "groups whole" : "groups"} aria-label="Refusals, most frequent first">
        {groups.map((group) => (
          <GroupLink group={group} now={now} />
        ))}
      </ul>
      {(below > 0 || isWhole) && (
        <Button class="button small" onClick={() => setIsWhole(!isWhole)} aria-expanded={isWhole}>
          {isWhole ? "Two rows" : `+${below}`}
        </Button>
      )}
    </div>
  );
}

function GroupLink({
  group: { kind, code, method, path, count, clients, newest, q },
  now,
}: {
  group: Overview["groups"][number];
  now: number;
}) {
  return (
    <li>
      <a class="group" href={requestsHash(q)}>
        <b>{visible(kind === "handshake" ? causeText(code ?? "") : (code ?? "no code"))}</b>
        {kind === "request" && (
          <>
            {" "}
            · <span class="call">{visible(`${method} ${path ?? "other paths"}`)}</span>
          </>
        )}{" "}
        {clients.length > 1 && `· ${visible(clients.join(", "))} `}· <span class="digits">{thousands(count)} ×</span> ·{" "}
        <span class="digits">{ago(newest, now)}</span>
      </a>
    </li>
  );
}
