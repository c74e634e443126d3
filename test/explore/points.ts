import type { ExploreFault } from "../../src/explore/faults.js";
import { faultsAt } from "../../src/explore/faults.js";
import { pointName } from "../../src/explore/point.js";
import type { ReachedPoint } from "../../src/explore/points.js";
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

/** The points, as a reference over HTTP/1.1 reached them. */
export const reachedPoints: readonly ReachedPoint[] = points.map((role) => {
  const { operation, list } = role;
  const place = { id: pointName(role), operation, ...(list !== undefined && { list }) };
  return { ...place, requests: 1, ofOperation: 1, role, http2: false };
});

/** Every cell of these points. */
export const cells: readonly (readonly [Role, ExploreFault])[] = points.flatMap((point) =>
  faultsAt(point, true).map((fault) => [point, fault] as const),
);

/** The name of a cell: `list.payments.middle/truncate`. */
export function cellName(point: Role, { name }: Pick<ExploreFault, "name">): string {
  return `${pointName(point)}/${name}`;
}
