import type { FinishedWalk } from "./deliveries.js";
import type { WalkAnswer } from "./sheet.js";

/** How a line of the sheet differs from a walk. */
export interface Difference {
  /** Ids of the walk that the line does not have. */
  readonly missing: readonly string[];
  /** Ids that are listed more than once, each once. */
  readonly twice: readonly string[];
  /** Ids that were not delivered in this walk, nor before a restart of it. */
  readonly foreign: readonly string[];
}

/** A line and the walk that it is compared with. */
export interface Comparison {
  readonly answer: WalkAnswer;
  /** Undefined if every finished walk has a line of its own already. */
  readonly walk: FinishedWalk | undefined;
}

/** Most walks that a line is compared with. */
const mostCandidates = 50;

/**
 * Finds the walk that each line reports. Lines are written in the order in which walks finish, so the last line belongs
 * to the last walk. Of walks that ran at the same time, or with other filters, a line belongs to the one that it fits
 * best: it does not say which one it means.
 * @param answers the lines about one list, in their order
 * @param walks of this list, in the order of their last pages
 */
export function matchWalks(answers: readonly WalkAnswer[], walks: readonly FinishedWalk[]): readonly Comparison[] {
  const left = new Set(walks);
  const comparisons = [...answers].reverse().map((answer): Comparison => {
    const candidates = [...left]
      .reverse()
      .slice(0, mostCandidates)
      .filter((walk, _index, newest) => !newest.some((later) => isSuperseded(walk, later)));
    const walk = bestOf(answer, candidates);
    if (walk !== undefined) left.delete(walk);
    return { answer, walk };
  });
  return comparisons.reverse();
}

/** The walk with the fewest differences; of several, the first one. Walks that are not known fit least. */
export function bestOf(answer: WalkAnswer, walks: readonly FinishedWalk[]): FinishedWalk | undefined {
  let best: { readonly walk: FinishedWalk; readonly size: number } | undefined;
  for (const walk of walks) {
    const size = sizeOf(differenceOf(answer, walk));
    if (best === undefined || size < best.size) best = { walk, size };
    if (size === 0) break;
  }
  return best?.walk;
}

/** Whether a later walk begins the same again, after the end of this one. */
function isSuperseded(walk: FinishedWalk, later: FinishedWalk): boolean {
  return walk !== later && walk.query === later.query && later.begunAt > walk.endedAt;
}

/** How many ids differ; infinite if the rows of the walk are not known. */
export function sizeOf(difference: Difference | undefined): number {
  if (difference === undefined) return Number.POSITIVE_INFINITY;
  return difference.missing.length + difference.twice.length + difference.foreign.length;
}

/** @returns undefined if the rows of the walk are not known */
export function differenceOf({ ids }: WalkAnswer, { required, allowed }: FinishedWalk): Difference | undefined {
  if (required === undefined) return undefined;
  const listed = new Set<string>();
  const twice = new Set<string>();
  for (const id of ids) (listed.has(id) ? twice : listed).add(id);
  return {
    missing: [...required].filter((id) => !listed.has(id)),
    twice: [...twice],
    foreign: [...listed].filter((id) => !required.has(id) && !allowed.has(id)),
  };
}
