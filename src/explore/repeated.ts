import type { References } from "./lost.js";
import type { SeenRequest } from "./seen.js";

/** Requests that arrive within this time of each other count as sent at the same time, in milliseconds. */
const atOnce = 100;

/** So many of them more than ever without a fault are a burst. A client may repeat one, and hedge another. */
const burst = 2;

/** Retry-After is kept if this much of it is missing, in milliseconds. */
const grace = 50;

/** How a client went on after the request that met the fault. */
export interface Repeated {
  /** More of its equals were sent than without a fault. Fewer may belong to other tests. */
  readonly isRepeated: boolean;
  /** Whether the run was cut short, so that an equal request that followed may be the repetition, or that of another test. */
  readonly isUnknown: boolean;
  /** How many repetitions were sent at the same time; undefined for not more than without a fault. */
  readonly burst: number | undefined;
  /** After how many milliseconds it was repeated although Retry-After asked for more; undefined if it was not. */
  readonly tooSoon: number | undefined;
  /** Whether a list was read from its beginning more often than without a fault. */
  readonly isRestarted: boolean;
}

/**
 * @param disturbed the first request that met the fault
 * @param waits how long its answer asked to wait, in milliseconds
 */
export function repeatedIn(
  run: readonly SeenRequest[],
  disturbed: SeenRequest,
  references: References,
  waits: number | undefined,
): Repeated {
  const groups = references.groupsIn(run);
  const key = references.keyOf(disturbed);
  const own = groups.get(key) ?? [];
  const usual = references.groups.map((each) => each.get(key) ?? []);
  const most = Math.max(...usual.map(({ length }) => length));
  const isRepeated = own.length > most && own.length > 1;
  const isFollowed = own.some(({ number }) => number > disturbed.number);
  return {
    isRepeated,
    isUnknown: !isRepeated && isFollowed && isCutShort(groups, references, key),
    burst: own.length - most >= burst ? burstIn(own, disturbed, usual) : undefined,
    tooSoon: isRepeated && waits !== undefined ? tooSoonIn(own, disturbed, usual, waits) : undefined,
    isRestarted: [...groups].some(([each, requests]) => isRestart(each, requests, references)),
  };
}

/** Whether the last requests of all runs without a fault are missing, of those with other keys. */
function isCutShort(
  groups: ReadonlyMap<string, readonly SeenRequest[]>,
  references: References,
  disturbed: string,
): boolean {
  return references.groups.every((usual) => {
    const ends = [...usual]
      .filter(([key]) => key !== disturbed)
      .map(([key, requests]) => ({ key, at: requests.at(-1)?.from ?? 0, count: requests.length }));
    if (ends.length === 0) return false;
    const last = ends.reduce((one, other) => (other.at >= one.at ? other : one));
    return (groups.get(last.key)?.length ?? 0) < last.count;
  });
}

function burstIn(
  own: readonly SeenRequest[],
  disturbed: SeenRequest,
  usual: readonly (readonly SeenRequest[])[],
): number | undefined {
  const together = mostAtOnce(own.filter(({ number }) => number > disturbed.number));
  const usually = Math.max(1, ...usual.map(mostAtOnce));
  return together - usually >= burst ? together : undefined;
}

/** @param requests in the order of their arrival */
function mostAtOnce(requests: readonly SeenRequest[]): number {
  let most = 0;
  let start = 0;
  for (const [place, { from }] of requests.entries()) {
    while (from - (requests[start]?.from ?? from) >= atOnce) start += 1;
    most = Math.max(most, place - start + 1);
  }
  return most;
}

/** Without a fault, equal requests of other calls may follow as soon. More than these are repetitions. */
function tooSoonIn(
  own: readonly SeenRequest[],
  disturbed: SeenRequest,
  usual: readonly (readonly SeenRequest[])[],
  waits: number,
): number | undefined {
  const during = (requests: readonly SeenRequest[], { until }: SeenRequest) =>
    requests.filter(({ from }) => from >= until && from < until + waits - grace);
  const place = own.indexOf(disturbed);
  const early = during(own, disturbed);
  // The worker that got the answer is the one that has its connection.
  const same = early.find(({ connection }) => connection === disturbed.connection);
  if (same !== undefined) return pauseBetween(disturbed, same);
  const usually = usual.map((requests) => {
    const same = requests[place];
    return same === undefined ? 0 : during(requests.slice(place + 1), same).length;
  });
  const [first] = early;
  return first !== undefined && early.length > Math.max(...usually) ? pauseBetween(disturbed, first) : undefined;
}

function isRestart(key: string, requests: readonly SeenRequest[], references: References): boolean {
  if (requests[0]?.part !== "page 1") return false;
  const pages = (all: readonly SeenRequest[] = []) => all.filter(({ got }) => got === "page").length;
  return pages(requests) > Math.max(...references.groups.map((each) => pages(each.get(key))));
}

function pauseBetween({ until }: SeenRequest, { from }: SeenRequest): number {
  return Math.max(0, Math.round(from - until));
}
