import { hash } from "node:crypto";

/** One point with one fault. */
export interface PlannedCell {
  readonly point: string;
  readonly fault: string;
}

/** Which of the cells are run. */
export interface Choice {
  /** Whether a name is wanted, by `--only` and `--skip`. */
  readonly isWanted: (name: string) => boolean;
  /** How many cells are drawn; undefined for all. */
  readonly shallow: number | undefined;
  readonly seed: string;
}

/**
 * The cells that are run, in the order of what finds most.
 * @param cells in that order
 */
export function chosenCells(
  cells: readonly PlannedCell[],
  { isWanted, shallow, seed }: Choice,
): readonly PlannedCell[] {
  const wanted = cells.filter((cell) => isWanted(nameOf(cell)));
  if (shallow === undefined || shallow >= wanted.length) return wanted;
  const drawn = new Set(spread(wanted, shallow, seed));
  return wanted.filter((cell) => drawn.has(cell));
}

/** Draws cells by a seed, spread over points and faults as evenly as their number allows. */
function spread(cells: readonly PlannedCell[], count: number, seed: string): readonly PlannedCell[] {
  const left = new Map(cells.map((cell) => [cell, hash("sha256", `${seed} ${nameOf(cell)}`)]));
  const used = new Map<string, number>();
  const uses = (name: string) => used.get(name) ?? 0;
  const drawn: PlannedCell[] = [];
  while (drawn.length < count && left.size > 0) {
    let next: PlannedCell | undefined;
    let best: readonly [number, string] | undefined;
    for (const [cell, order] of left) {
      const weight = uses(`point ${cell.point}`) + uses(`fault ${cell.fault}`);
      if (best !== undefined && (weight > best[0] || (weight === best[0] && order >= best[1]))) continue;
      best = [weight, order];
      next = cell;
    }
    if (next === undefined) break;
    left.delete(next);
    drawn.push(next);
    for (const name of [`point ${next.point}`, `fault ${next.fault}`]) used.set(name, uses(name) + 1);
  }
  return drawn;
}

/** More time than this is not taken without being asked for, in milliseconds. */
const longestUnasked = 600_000;

/** What a run costs besides the command: a sandbox is started and stopped, in milliseconds. */
const overhead = 400;

/** About how long the cells take, in milliseconds. Commands of several jobs share the cores, as those of the reference did. */
export function estimate(
  cells: number,
  { duration, jobs }: { readonly duration: number; readonly jobs: number },
): number {
  return Math.ceil((cells * (duration + overhead)) / jobs);
}

/** How many cells fit into the time that is taken without being asked for; undefined if all do. */
export function fitting(cells: number, pace: { readonly duration: number; readonly jobs: number }): number | undefined {
  if (estimate(cells, pace) <= longestUnasked) return undefined;
  return Math.max(1, Math.floor(longestUnasked / (pace.duration + overhead)) * pace.jobs);
}

/** `POINT/FAULT`. */
function nameOf({ point, fault }: PlannedCell): string {
  return `${point}/${fault}`;
}
