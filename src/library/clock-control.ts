import type { AdminClient } from "./admin-client.js";
import type { ClockState } from "./answers.js";
import type { ClockControl } from "./client-handle.js";

/** The clock at a path of the admin API. */
export function clockAt(path: string, admin: AdminClient): ClockControl {
  const put = (json: object): Promise<ClockState> => admin.json("PUT", path, { json });
  const read = (): Promise<ClockState> => admin.json("GET", path);
  return {
    read,
    advance: (by) => admin.json("POST", path, { json: { advance: by } }),
    offset: (by) => put({ offset: by }),
    set: (to) => put({ now: instant(to) }),
    freeze: async (at) => put({ frozenAt: at === undefined ? (await read()).now : instant(at) }),
    reset: () => admin.json("DELETE", path),
  };
}

/** An instant as the admin API reads it. The admin API refuses an invalid `Date` by name. */
export function instant(at: Date | string): string {
  if (typeof at === "string") return at;
  return Number.isNaN(at.getTime()) ? "Invalid Date" : at.toISOString();
}
