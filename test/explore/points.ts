import type { ExploreFault } from "../../src/explore/faults.js";
import { faultsAt } from "../../src/explore/faults.js";
import { pointName } from "../../src/explore/point.js";
import type { Role } from "../../src/sandbox/journal/role.js";

/** Every kind of point, with two lists. */
export const points: readonly Role[] = [
  { operation: "token", role: "first" },
  { operation: "token", role: "renewal" },
  { operation: "ping" },
  { operation: "list", list: "payouts", role: "only" },
  { operation: "list", list: "payments", role: "first" },
  { operation: "list", list: "payments", role: "middle" },
  { operation: "list", list: "payments", role: "last" },
];

/** Every cell of these points. */
export const cells: readonly (readonly [Role, ExploreFault])[] = points.flatMap((point) =>
  faultsAt(point, true).map((fault) => [point, fault] as const),
);

/** The name of a cell: `list.payments.middle/truncate`. */
export function cellName(point: Role, { name }: Pick<ExploreFault, "name">): string {
  return `${pointName(point)}/${name}`;
}
