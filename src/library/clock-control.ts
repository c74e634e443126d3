import type { AdminClient } from "./admin-client.js";
import type { ClockControl } from "./client-handle.js";

/** The clock of the sandbox, or of one client. */
export function clockOf(client: string | undefined, admin: AdminClient): ClockControl {
  const read = () => admin.call("GET /clock", { client });
  return {
    read,
    advance: (by) => admin.call("POST /clock", { client, body: { advance: by } }),
    offset: (by) => admin.call("PUT /clock", { client, body: { offset: by } }),
    set: (to) => admin.call("PUT /clock", { client, body: { now: instant(to) } }),
    freeze: async (at) => {
      const frozenAt = at === undefined ? (await read()).now : instant(at);
      return admin.call("PUT /clock", { client, body: { frozenAt } });
    },
    reset: () => admin.call("DELETE /clock", { client }),
  };
}

/** An instant as the admin API reads it. The admin API refuses an invalid `Date` by name. */
export function instant(at: Date | string): string {
  if (typeof at === "string") return at;
  return Number.isNaN(at.getTime()) ? "Invalid Date" : at.toISOString();
}
