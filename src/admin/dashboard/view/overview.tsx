import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { second } from "../../../base/text/duration.js";
import { thousands } from "../../../base/text/numbers.js";
import { useActions } from "./actions.js";
import type { Overview } from "./data.js";
import { clockTime, inZone, plural, span, visible } from "./format.js";
import { Button, requestsHash } from "./parts.js";
import { causeText } from "./request-row.js";

/** Buckets of the chart, from the first to the last, both included. */
export interface BucketRange {
  readonly first: number;
  readonly last: number;
}

export interface ChartModel {
  readonly overview: Overview;
  /** The bucket that arrow keys move; a screen reader reads its numbers. */
  readonly cursor: number;
  /** The range that is being chosen; undefined if none is. */
  readonly range: BucketRange | undefined;
  /** Whether the query is limited to a time. */
  readonly isNarrowed: boolean;
  /** Now, on the clock of the journal, in milliseconds since the epoch. */
  readonly now: number;
}

/** The height of the chart, in its own units. */
const top = 100;

/** The minimum height of a bar of failures: one failure among thousands of requests must be visible. */
const leastHeight = 8;

/** Recent failures: a chart over time, and a link for each kind of refusal. */
export function OverviewPart(model: ChartModel): VNode {
  const { showAllTimes } = useActions();
  const { overview, isNarrowed, now } = model;
  return (
    <>
      <div class="chart-frame">
        <Chart {...model} />
        <p class="chart-axis">
          <span>{axisText(overview.from, overview)}</span>
          <span>{busiest(overview) === 0 ? "no requests" : `at most ${rate(busiest(overview), overview)}`}</span>
          <span>{axisText(overview.to, overview)}</span>
        </p>
        <p id="chart-keys" class="sr-only">
          Arrow keys move, Shift with arrow keys chooses a time, Enter applies it.
        </p>
      </div>
      {isNarrowed && (
        <Button onClick={showAllTimes} class="button quiet-button">
          All times
        </Button>
      )}
      {overview.groups.length > 0 && <Groups groups={overview.groups} now={now} />}
    </>
  );
}

/** `12:03:05`; with the date if the chart covers more than one day. */
function axisText(instant: string, { from, to }: Overview): string {
  const time = clockTime(instant).slice(0, 8);
  const [day, first, last] = [instant, from, to].map((text) => inZone(text).slice(0, 10));
  return first === last ? time : `${day} ${time}`;
}

/** Two rows of links, and how many there are below them. */
function Groups({ groups, now }: { readonly groups: Overview["groups"]; readonly now: number }): VNode {
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
  readonly group: Overview["groups"][number];
  readonly now: number;
}): VNode {
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

function Chart({ overview, cursor, range }: ChartModel): VNode {
  const { buckets } = overview;
  const most = Math.max(busiest(overview), 1);
  return (
    <div
      id="chart"
      class="chart"
      role="slider"
      tabindex={0}
      aria-label="Requests and failures over time"
      aria-describedby="chart-keys"
      aria-valuemin={0}
      aria-valuemax={Math.max(buckets.length - 1, 0)}
      aria-valuenow={cursor}
      aria-valuetext={bucketText(overview, range ?? { first: cursor, last: cursor })}
    >
      <svg viewBox={`0 0 ${Math.max(buckets.length, 1)} ${top}`} preserveAspectRatio="none" aria-hidden="true">
        <path class="chart-requests" d={bars(buckets.map(({ requests }) => (requests / most) * top))} />
        <path
          class="chart-failures"
          d={bars(buckets.map(({ failures }) => (failures === 0 ? 0 : Math.max((failures / most) * top, leastHeight))))}
        />
        <path class="chart-range" d={range ? `M${range.first} 0H${range.last + 1}V${top}H${range.first}z` : ""} />
        <path class="chart-cursor" d={`M${cursor} 0h1V${top}h-1z`} />
      </svg>
    </div>
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
export function instantsOf(
  overview: Overview,
  { first, last }: BucketRange,
): { readonly from: string; readonly to: string } {
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
