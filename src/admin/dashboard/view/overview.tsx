import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { second } from "../../../base/text/duration.js";
import { thousands } from "../../../base/text/numbers.js";
import { useActions } from "./actions.js";
import type { Overview } from "./data.js";
import { clockTime, inZone, plural, span, visible } from "./format.js";
import { Button, requestsHash } from "./parts.js";
import { causeText } from "./request-row.js";

/** Buckets of the chart, from the first to the last, both included. */
interface BucketRange {
  readonly first: number;
  readonly last: number;
}

/** The height of the chart, in its own units. */
const top = 100;

/** The minimum height of a bar of failures: one failure among thousands of requests must be visible. */
const leastHeight = 8;

/**
 * Recent failures: a chart over time, and a link for each kind of refusal.
 * @param isNarrowed whether the query is limited to a time
 * @param now on the clock of the journal, in milliseconds since the epoch
 * @param choose called with the instants of the time that the user chose in the chart
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
  choose: (from: string, to: string) => void;
}) {
  const { showAllTimes } = useActions();
  return (
    <>
      <ChartFrame newest={overview} choose={choose} />
      {isNarrowed && (
        <Button onClick={showAllTimes} class="button quiet-button">
          All times
        </Button>
      )}
      {overview.groups.length > 0 && <Groups groups={overview.groups} now={now} />}
    </>
  );
}

/** The chart: the user chooses a time by dragging, or with keys. */
function ChartFrame({ newest, choose }: { newest: Overview; choose: (from: string, to: string) => void }) {
  const [{ anchor, cursor, isDragging }, setChoice] = useState<Choice>({});
  const kept = useRef(newest);
  // The buckets do not move while the user chooses a range.
  if (anchor === undefined) kept.current = newest;
  const overview = kept.current;
  const last = Math.max(overview.buckets.length - 1, 0);
  const at = Math.min(cursor ?? last, last);
  const range = anchor === undefined ? undefined : { first: Math.min(anchor, at), last: Math.max(anchor, at) };
  const apply = () => {
    setChoice({});
    const { from, to } = instantsOf(overview, range ?? { first: at, last: at });
    choose(from, to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const move = moves[event.key];
    if (move)
      setChoice({
        cursor: Math.min(Math.max(move(at, last), 0), last),
        anchor: event.shiftKey ? (anchor ?? at) : undefined,
      });
    else if (event.key === "Enter") apply();
    else if (event.key === "Escape" && anchor !== undefined) {
      event.stopPropagation();
      setChoice({});
    } else return;
    event.preventDefault();
  };
  return (
    <div class="chart-frame">
      <div
        id="chart"
        class="chart"
        role="slider"
        tabindex={0}
        aria-label="Requests and failures over time"
        aria-describedby="chart-keys"
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at}
        aria-valuetext={bucketText(overview, range ?? { first: at, last: at })}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          const bucket = bucketAt(event, last);
          setChoice({ isDragging: true, anchor: bucket, cursor: bucket });
          // The pointer may leave the chart while it is dragged.
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={(event) => isDragging && setChoice({ isDragging, anchor, cursor: bucketAt(event, last) })}
        onPointerUp={() => isDragging && apply()}
        onPointerCancel={() => setChoice({})}
      >
        <Bars overview={overview} cursor={at} range={range} />
      </div>
      <p class="chart-axis">
        <span>{axisText(overview.from, overview)}</span>
        <span>{busiest(overview) === 0 ? "no requests" : `at most ${rate(busiest(overview), overview)}`}</span>
        <span>{axisText(overview.to, overview)}</span>
      </p>
      <p id="chart-keys" class="sr-only">
        Arrow keys move, Shift with arrow keys chooses a time, Enter applies it.
      </p>
    </div>
  );
}

/** What the user is choosing in the chart. */
interface Choice {
  /** The bucket that arrow keys move, and a screen reader reads; undefined for the newest. */
  readonly cursor?: number | undefined;
  /** The start of the range; undefined if none is being chosen. */
  readonly anchor?: number | undefined;
  readonly isDragging?: boolean;
}

const moves: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  PageUp: (at) => at - 10,
  PageDown: (at) => at + 10,
  Home: () => 0,
  End: (_at, last) => last,
};

function bucketAt({ currentTarget, clientX }: JSX.TargetedPointerEvent<HTMLElement>, last: number): number {
  const { left, width } = currentTarget.getBoundingClientRect();
  return Math.min(Math.max(Math.floor(((clientX - left) / Math.max(width, 1)) * (last + 1)), 0), last);
}

/** `12:03:05`; with the date if the chart covers more than one day. */
function axisText(instant: string, { from, to }: Overview): string {
  const time = clockTime(instant).slice(0, 8);
  const [day, first, last] = [instant, from, to].map((text) => inZone(text).slice(0, 10));
  return first === last ? time : `${day} ${time}`;
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
        <Button class="button quiet-button" onClick={() => setIsWhole(!isWhole)} aria-expanded={isWhole}>
          {isWhole ? "Two rows" : `+${below}`}
        </Button>
      )}
    </div>
  );
}

function GroupLink({
  group: { kind, code, method, path, count, newest, q },
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
        · <span class="digits">{thousands(count)} ×</span> · <span class="digits">{ago(newest, now)}</span>
      </a>
    </li>
  );
}

/** `3 s ago`; `now` within one second. */
export function ago(instant: string, now: number): string {
  const passed = now - Date.parse(instant);
  return passed < second ? "now" : `${span(passed)} ago`;
}

function Bars({ overview, cursor, range }: { overview: Overview; cursor: number; range: BucketRange | undefined }) {
  const { buckets } = overview;
  const most = Math.max(busiest(overview), 1);
  return (
    <svg viewBox={`0 0 ${Math.max(buckets.length, 1)} ${top}`} preserveAspectRatio="none" aria-hidden="true">
      <path class="chart-requests" d={bars(buckets.map(({ requests }) => (requests / most) * top))} />
      <path
        class="chart-failures"
        d={bars(buckets.map(({ failures }) => (failures === 0 ? 0 : Math.max((failures / most) * top, leastHeight))))}
      />
      <path class="chart-range" d={range ? `M${range.first} 0H${range.last + 1}V${top}H${range.first}z` : ""} />
      <path class="chart-cursor" d={`M${cursor} 0h1V${top}h-1z`} />
    </svg>
  );
}

function bars(heights: readonly number[]): string {
  return heights
    .map((height, index) => (height === 0 ? "" : `M${index + 0.1} ${top}h.8V${(top - height).toFixed(1)}h-.8z`))
    .join("");
}

function busiest({ buckets }: Overview): number {
  return buckets.reduce((most, { requests }) => Math.max(most, requests), 0);
}

/** How long a bucket is, in milliseconds. */
function bucketLength({ from, to, buckets }: Pick<Overview, "from" | "to" | "buckets">): number {
  return (Date.parse(to) - Date.parse(from)) / Math.max(buckets.length, 1);
}

function rate(requests: number, overview: Overview): string {
  const perSecond = (requests * second) / Math.max(bucketLength(overview), 1);
  return `${perSecond >= 10 ? thousands(Math.round(perSecond)) : perSecond.toFixed(1)}/s`;
}

/** When buckets begin and end, as instants. */
function instantsOf(overview: Overview, { first, last }: BucketRange): { readonly from: string; readonly to: string } {
  const at = (index: number) => new Date(Date.parse(overview.from) + index * bucketLength(overview)).toISOString();
  return { from: at(first), to: at(last + 1) };
}

/** `12:03:05 to 12:03:10: 500 requests, 3 failures`. */
function bucketText(overview: Overview, range: BucketRange): string {
  const { from, to } = instantsOf(overview, range);
  const chosen = overview.buckets.slice(range.first, range.last + 1);
  const requests = chosen.reduce((sum, bucket) => sum + bucket.requests, 0);
  const failures = chosen.reduce((sum, bucket) => sum + bucket.failures, 0);
  const times = `${clockTime(from).slice(0, 8)} to ${clockTime(to).slice(0, 8)}`;
  return `${times}: ${plural(requests, "request")}, ${plural(failures, "failure")}`;
}
