import type { ExchangeObservation } from "../observation.js";
import type { RequestKey } from "./calls.js";
import { pathOf, requestOf } from "./same-request.js";
import type { Walks } from "./walks.js";

/**
 * What a client does in a run without a fault. Whether it repeats a request, or leaves a walk, is proven by comparing
 * with that.
 */
export interface Reference {
  /** How many equal requests one client sends at most, by request. */
  readonly calls: ReadonlyMap<string, number>;
  /** The same by kind of request. */
  readonly kinds: ReadonlyMap<string, number>;
  /** How many walks come to their ends, by path and filters. */
  readonly walks: ReadonlyMap<string, number>;
  /** How many requests need no other answer than a token: each is a call of its own. */
  readonly begun: number;
}

/** How clients are judged. */
export interface Judging {
  /** What the client does in a run without a fault; undefined if that is not known. */
  readonly reference?: Reference | undefined;
  /** Whether the client was started for an exam: then nothing that it does is a test of something else. */
  readonly isExam?: boolean;
}

/**
 * What identifies a request, from run to run. The pages of a list have other cursors in each run: their place in the
 * walk counts.
 */
export function requestKey(observed: ExchangeObservation, walks: Walks): RequestKey {
  const { method, body, page, operation } = observed;
  const path = pathOf(observed);
  if (page === undefined)
    return { key: `${requestOf(observed)} ${body ?? ""}`, kind: `${method} ${operation} ${path}` };
  const depth = page.cursor === undefined ? 0 : walks.of(page.cursor)?.depth;
  const place = depth === undefined || Number.isNaN(depth) ? `at ${page.cursor}` : `page ${depth}`;
  if (depth === 0 && method === "GET") return { key: firstPageKey(page.walk), kind: `${method} ${path} ${place}` };
  return { key: `${method} ${page.walk} ${place}`, kind: `${method} ${path} ${place}` };
}

/** The key of the first page of a walk. */
export function firstPageKey(walk: string): string {
  return `GET ${walk} page 0`;
}

/** How many calls of a client send a request without a fault; undefined if that run does not show it. */
export function usualCalls({ key, kind }: RequestKey, reference: Reference | undefined): number | undefined {
  return reference?.calls.get(key) ?? reference?.kinds.get(kind);
}

/** How many calls of a client may need a token at most, if none is cached: all. */
export function allCalls(reference: Reference): number {
  return sumOf(reference.kinds);
}

/** The sum of some counts. */
export function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** The reference of several clients: for each request, that of the client that sends it most. */
export function largest(references: Iterable<Reference>): Reference {
  const all = [...references];
  const join = (part: (reference: Reference) => ReadonlyMap<string, number>) => {
    const joined = new Map<string, number>();
    for (const each of all)
      for (const [key, count] of part(each)) joined.set(key, Math.max(count, joined.get(key) ?? 0));
    return joined;
  };
  return {
    calls: join(({ calls }) => calls),
    kinds: join(({ kinds }) => kinds),
    walks: join(({ walks }) => walks),
    begun: Math.max(0, ...all.map(({ begun }) => begun)),
  };
}
