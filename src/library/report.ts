import { quote } from "../base/text/printable.js";
import type { AdminClient } from "./admin-client.js";
import type { CheckResult, Report } from "./answers.js";
import type { ClientReport, ReportOptions } from "./client-handle.js";
import { SandboxError } from "./error.js";

/** Requests the report on a client, or on all clients. */
export async function reportOn(
  client: string | undefined,
  options: ReportOptions | undefined,
  admin: AdminClient,
): Promise<ClientReport> {
  const { ignore = [], expected = [], finished = false } = options ?? {};
  const report = await admin.json<Report>("GET", "/report", {
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
  const failed = checks.filter(
    ({ id, verdict, known }) => verdict === "fail" && known === undefined && !ignore.includes(id),
  );
  const absent = report.drills.flatMap((drill) => drill.expected ?? []).filter(({ count }) => count === 0);
  return { ...report, failed: [...failed.map(failureText), ...absent.map(absenceText)] };
}

function absenceText({ code }: { readonly code: string }): string {
  return `${code} was expected, and was not delivered to any request.`;
}

function failureText({ id, level, message, fix, exchanges, handshakes }: CheckResult): string {
  const evidence = [...idsText("requests", exchanges), ...idsText("handshakes", handshakes)].join("; ");
  return `${id} (${level}): ${message} ${fix}${evidence === "" ? "" : ` [${evidence}]`}`;
}

function idsText(name: string, ids: readonly string[]): string[] {
  return ids.length === 0 ? [] : [`${name} ${ids.join(", ")}`];
}
