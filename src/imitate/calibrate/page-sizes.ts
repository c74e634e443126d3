import { listDefaults } from "../../sandbox/lists/defaults.js";
import type { ListSettings } from "../../sandbox/lists/settings.js";

/** A page size that was requested. */
export interface TriedSize {
  readonly size: number;
  readonly accepted: boolean;
  /** The number of rows, if it was accepted, and fewer came although another page follows. */
  readonly lowered?: number | undefined;
  /** Numbers that the refusal names. */
  readonly named: readonly number[];
}

/** What is known about the limits of the page size. */
export interface SizeLimits {
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  /** The largest that was accepted. */
  readonly highest: number | undefined;
  /** All that were accepted. */
  readonly accepted: readonly number[];
  /** What happens to a size above the maximum; undefined if no answer shows it. */
  readonly beyond: "refuse" | "lower" | undefined;
  /** The size to request next; undefined if both limits are known, or cannot be found. */
  readonly next: number | undefined;
}

/** The largest page size of the sandbox. */
const largestSize = 10_000;

/** Sizes that are tried until one is accepted. */
const firstSizes = [1, 10, 100];

/** Usual limits of services. */
const usualLimits = [100, 200, 250, 500, 1000, 2000, 5000, largestSize];

/**
 * Searches the limits: first the numbers that refusals name, then usual limits, then by bisection.
 * @param most the largest size that may be requested
 */
export function sizeLimits(tried: readonly TriedSize[], most = largestSize): SizeLimits {
  // If 0 is accepted, it does not mean a size.
  const accepted = tried.filter(({ accepted: good, size }) => good && size > 0).map(({ size }) => size);
  if (accepted.length === 0) {
    const next = tried.length === 0 ? undefined : firstSizes.find((each) => !tried.some(({ size }) => size === each));
    return { minimum: undefined, maximum: undefined, highest: undefined, accepted, beyond: undefined, next };
  }
  const lowest = Math.min(...accepted);
  const highest = Math.max(...accepted);
  const refused = tried.filter((each) => !each.accepted).map(({ size }) => size);
  const below = Math.max(0, ...refused.filter((size) => size < lowest));
  const above = Math.min(largestSize + 1, ...refused.filter((size) => size > highest));
  const lowered = Math.min(...tried.flatMap((each) => each.lowered ?? []));
  const isLowered = lowered < Number.POSITIVE_INFINITY;
  const hints = [...new Set(tried.flatMap(({ named }) => named))].sort((a, b) => a - b);
  const maximum = isLowered ? lowered : above === highest + 1 ? highest : undefined;
  const minimum = below === lowest - 1 ? lowest : undefined;
  const up = maximum === undefined ? nextAbove(highest, above, hints) : undefined;
  const down = minimum === undefined ? nextBelow(below, lowest, hints) : undefined;
  const next = up !== undefined && up <= most ? up : down;
  // A refusal often names the limits; and 0 may be answered where 1 is.
  const asksZero = (refused.length === 0 || next === undefined) && !tried.some(({ size }) => size === 0);
  // Where 0 is accepted, 1 is not the smallest that is.
  const isLeast = !tried.some(({ size, accepted: good }) => good && size === 0);
  const beyond: SizeLimits["beyond"] = isLowered ? "lower" : above <= largestSize ? "refuse" : undefined;
  const limits = { minimum: isLeast ? minimum : undefined, maximum, highest, accepted, beyond };
  return { ...limits, next: asksZero ? 0 : next };
}

function nextAbove(highest: number, above: number, hints: readonly number[]): number {
  // If a named or a usual limit was accepted, the next size is probably refused.
  const isUsual = usualLimits.includes(highest) && (above <= largestSize || highest === 100);
  if (hints.includes(highest) || isUsual) return highest + 1;
  const between = (size: number) => size > highest && size < above;
  const hint = hints.find(between);
  if (hint !== undefined) return hint;
  if (above > largestSize) return usualLimits.find(between) ?? highest + 1;
  return Math.floor((highest + above) / 2);
}

function nextBelow(below: number, lowest: number, hints: readonly number[]): number {
  if (hints.includes(lowest)) return lowest - 1;
  const between = (size: number) => size > below && size < lowest;
  const hint = hints.find(between);
  if (hint !== undefined) return hint;
  return below === 0 ? 1 : Math.floor((below + lowest) / 2);
}

/** The page sizes of a list in `sandbox.yaml`. */
export type PageSizes = NonNullable<ListSettings["pageSize"]>;

/** The same with a usual size that is within the limits: the sandbox refuses any other. */
export function fitting(sizes: PageSizes): PageSizes {
  const { default: given, ...limits } = sizes;
  const { minimum = 1, maximum } = limits;
  const usual = given ?? listDefaults.pageSize.default;
  const size = Math.max(minimum, Math.min(usual, maximum ?? usual));
  return {
    ...((given !== undefined || size !== usual) && { default: size }),
    ...limits,
    ...(maximum === undefined && size > listDefaults.pageSize.maximum && { maximum: size }),
  };
}
