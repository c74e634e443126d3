import { remember } from "../base/remember.js";
import type { ExchangeObservation } from "./observation.js";
import { wasGivenUpFor } from "./repetition.js";

/** How many requests of a client are remembered, and how many newest exchanges of each. */
const mostRequests = 128;
const mostNewest = 4;

/** So long after two equal requests were open at once, it is not known which of them is repeated: in milliseconds. */
const contended = 1000;

type Seen = Pick<ExchangeObservation, "id" | "connection" | "stream" | "arrivedAt" | "releasedAt" | "body">;

interface Newest {
  readonly seen: readonly Seen[];
  /** Until when repetitions are not judged. */
  readonly until: number;
}

/** What is known about equal requests that were open at once. */
interface Overlap {
  /** Whether two equal requests were open at once within the last second. */
  readonly isContended: boolean;
  /** The exchange that repeats this one, which its client gave up, and which ended before it. */
  readonly repeatedBy: number | undefined;
}

/** Finds equal requests that were open at once: parallel ones, and those that were sent again while the first waits. */
export class Overlaps {
  private readonly newest = new Map<string, Newest>();

  /** @param key of the request: the same for equal ones */
  add(key: string, observed: ExchangeObservation): Overlap {
    const { id, connection, stream, arrivedAt, releasedAt, body, status, endedByClient } = observed;
    const { seen = [], until = Number.NEGATIVE_INFINITY } = this.newest.get(key) ?? {};
    const attempt = { connection, stream, arrivedAt, releasedAt, endedByClient, unanswered: status === 0 };
    let end = until;
    for (const other of seen) {
      if (other.body !== undefined && body !== undefined && other.body !== body) continue;
      if (wasGivenUpFor(other, attempt)) return { isContended: false, repeatedBy: other.id };
      const isParallel = other.releasedAt > arrivedAt && other.arrivedAt < releasedAt;
      if (isParallel) end = Math.max(end, Math.min(other.releasedAt, releasedAt) + contended);
    }
    // When a client gave up is not known.
    if (endedByClient) return { isContended: arrivedAt < until, repeatedBy: undefined };
    const newest = [...seen.slice(1 - mostNewest), { id, connection, stream, arrivedAt, releasedAt, body }];
    remember(this.newest, key, { seen: newest, until: end }, mostRequests);
    return { isContended: arrivedAt < end, repeatedBy: undefined };
  }

  clear(): void {
    this.newest.clear();
  }
}
