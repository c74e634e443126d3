import type * as z from "zod";
import type { Frozen } from "../base/frozen.js";
import type { reportAnswerSchema } from "../report/report-schema.js";

/** A report, as the admin API returns it. */
export type ReportAnswer = Frozen<z.output<typeof reportAnswerSchema>>;

type CheckResult = ReportAnswer["drills"][number]["checks"][number];

/**
 * The failures of a report that count, each as one text: what happened, what to change, and the ids of the requests.
 * @param ignore ids of checks that do not count
 */
export function failuresOf({ drills }: ReportAnswer, ignore: readonly string[] = []): string[] {
  const failed = drills
    .flatMap(({ checks }) => checks)
    .filter(({ id, verdict, known }) => verdict === "fail" && known === undefined && !ignore.includes(id));
  const absent = drills.flatMap(({ expected = [] }) => expected).filter(({ count }) => count === 0);
  return [...failed.map(failureText), ...absent.map(absenceText)];
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
