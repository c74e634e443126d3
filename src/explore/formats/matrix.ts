import { type Cell, cellName, type ExploreReport } from "../report.js";

/** What is at a point and a fault: a cell, one that was not run, or nothing, because there is none in this report. */
export type Place = Cell | "not-run" | undefined;

/** The matrix of a report: a row for each point, a column for each fault. */
export interface Matrix {
  readonly points: readonly string[];
  /** In the order in which the report first names them. */
  readonly faults: readonly string[];
  readonly at: (point: string, fault: string) => Place;
}

/** The matrix, without points and faults that have no cell. */
export function matrixOf({ points, cells, notRun }: ExploreReport): Matrix {
  const places = new Map<string, Place>(cells.map((cell) => [cellName(cell), cell]));
  for (const name of notRun) places.set(name, "not-run");
  const parts = [...places.keys()].map((name) => {
    const slash = name.lastIndexOf("/");
    return { point: name.slice(0, slash), fault: name.slice(slash + 1) };
  });
  const used = new Set(parts.map(({ point }) => point));
  const inOrder = points.map(({ id }) => id);
  return {
    points: [...inOrder.filter((id) => used.delete(id)), ...used],
    faults: [...new Set(parts.map(({ fault }) => fault))],
    at: (point, fault) => places.get(cellName({ point, fault })),
  };
}
