import type { Exchange } from "../sandbox/journal/exchange.js";
import type { JournalEntry } from "../sandbox/journal/ring-buffer.js";
import { type Role, roleOf } from "../sandbox/journal/role.js";
import { pointName } from "./point.js";
import type { Point } from "./report.js";

/** A place in the conversation, and what is known of its requests. */
export interface ReachedPoint extends Point {
  readonly role: Role;
  /** How many requests of its operation, or of its list, there were in all. */
  readonly ofOperation: number;
  /** Whether they came over HTTP/2. */
  readonly http2: boolean;
}

/** What the references reached. */
export interface Points {
  /** In the order in which the first reference reached them; reached by both. */
  readonly points: readonly ReachedPoint[];
  /** Ids of those that only one of them reached. */
  readonly unstable: readonly string[];
}

/** The points of a reference. A request that a scenario of the command disturbed, or that failed, is none. */
export function pointsIn(entries: readonly JournalEntry<Exchange>[]): readonly ReachedPoint[] {
  const found = new Map<string, Omit<ReachedPoint, "ofOperation">>();
  for (const { item } of entries) {
    const role = item.injected === undefined && item.delivered === true ? roleOf(item) : undefined;
    if (role === undefined || item.status < 200 || item.status > 299) continue;
    const id = pointName(role);
    const { requests = 0, http2 = false } = found.get(id) ?? {};
    const { operation, list } = role;
    const isHttp2 = http2 || item.connection?.httpVersion === "HTTP/2";
    found.set(id, { id, operation, ...(list !== undefined && { list }), requests: requests + 1, role, http2: isHttp2 });
  }
  const all = [...found.values()];
  const ofOperation = ({ operation, list }: Point) =>
    all
      .filter((other) => other.operation === operation && other.list === list)
      .reduce((sum, { requests }) => sum + requests, 0);
  return all.map((point) => ({ ...point, ofOperation: ofOperation(point) }));
}

/** What both references have, and what only one has. */
export function commonPoints([first = [], second = first]: readonly (readonly ReachedPoint[])[]): Points {
  const inBoth = (id: string, others: readonly ReachedPoint[]) => others.some((other) => other.id === id);
  return {
    points: first.filter(({ id }) => inBoth(id, second)),
    unstable: [...first.filter(({ id }) => !inBoth(id, second)), ...second.filter(({ id }) => !inBoth(id, first))].map(
      ({ id }) => id,
    ),
  };
}
