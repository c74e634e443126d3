import { failuresOf } from "../admin/failures.js";
import { quote } from "../base/text/printable.js";
import type { AdminClient } from "./admin-client.js";
import type { ClientReport, ReportOptions } from "./client-handle.js";
import { SandboxError } from "./error.js";

/** Requests the report on a client, or on all clients. */
export async function reportOn(
  client: string | undefined,
  options: ReportOptions | undefined,
  admin: AdminClient,
): Promise<ClientReport> {
  const { ignore = [], expected = [], finished = false } = options ?? {};
  const report = await admin.call("GET /report", {
    query: {
      client,
      expected: expected.length > 0 ? expected.join(",") : undefined,
      finished: finished ? "true" : undefined,
    },
  });
  const checks = report.drills.flatMap((drill) => drill.checks);
  const unknown = ignore.find((id) => checks.every((check) => check.id !== id));
  if (unknown !== undefined)
    throw new SandboxError("INVALID_OPTION", `report: there is no check ${quote(unknown)} that could be ignored.`);
  return { ...report, failed: failuresOf(report, ignore) };
}
