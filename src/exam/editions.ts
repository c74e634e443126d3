import { type CheckId, checkFacts, checkIds, type Level, newestEdition } from "./checks.js";
import type { CheckResult } from "./report.js";

/**
 * The drills that came with the sandbox in edition 1. One that is in no such set is of edition 2. Those of the user
 * belong to every edition.
 */
const firstDrills: ReadonlySet<string> = new Set([
  "announced-lifetime-differs",
  "connection-closed",
  "connection-reset",
  "cursor-filters-changed",
  "cursor-loop",
  "cursor-refused-once",
  "duplicate-rows",
  "empty-page-with-cursor",
  "example-error",
  "filters-changed-at-page-2",
  "flaky",
  "garbage",
  "goaway",
  "goaway-before-request",
  "hang",
  "html-error-page",
  "internal-error-always",
  "internal-error-once",
  "invalid-client",
  "invalid-correlation-id",
  "invalid-cursor",
  "invalid-page-size",
  "last-page-cursor-leads-nowhere",
  "maintenance",
  "null-field",
  "outage",
  "rate-limited",
  "rate-limited-with-date",
  "refresh-token-offered",
  "rows-shift-while-paging",
  "server-certificate-expired",
  "server-certificate-untrusted",
  "server-certificate-wrong-host",
  "short-page",
  "slow",
  "slow-body",
  "slow-headers",
  "stalled-body",
  "stream-refused",
  "stream-reset",
  "token-expires-early",
  "token-for-other-certificate",
  "token-revoked",
  "too-many-at-once",
  "truncated-body",
  "unauthorized-once",
  "unknown-error-code",
  "unknown-field",
  "validation-error",
  "wrong-token-type",
]);

/** Those that came with the sandbox in edition 3. */
const thirdDrills: ReadonlySet<string> = new Set([
  "server-ca-changes",
  "server-certificate-expired-intermediate",
  "server-certificate-incomplete",
  "server-certificate-not-yet-valid",
  "server-certificate-renewed",
  "server-certificate-self-signed",
  "server-certificate-wrong-usage",
]);

/** Levels of edition 1 that a later edition changed. */
const firstLevels: Readonly<Partial<Record<CheckId, Level>>> = {
  "h2.goaway": "must",
};

/** Whether a text names an edition: a whole number from 1 to the newest. */
export function isEdition(text: string): boolean {
  return /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= newestEdition;
}

/** The checks of an edition, in the order of the table. */
export function checksOf(edition: number): readonly CheckId[] {
  return checkIds.filter((id) => (checkFacts(id).since ?? 1) <= edition);
}

/** The level of a check in an edition. */
export function levelIn(id: CheckId, edition: number): Level {
  return (edition === 1 && firstLevels[id]) || checkFacts(id).level;
}

/**
 * The results of the checks of an edition, with its levels. An edition fixes checks, levels and drills; corrections of
 * wrong verdicts apply to all editions.
 */
export function resultsIn(checks: readonly CheckResult[], edition: number): readonly CheckResult[] {
  const known = new Set<string>(checksOf(edition));
  return checks.flatMap((check) => (known.has(check.id) ? [{ ...check, level: levelIn(check.id, edition) }] : []));
}

/**
 * Whether a drill belongs to an edition.
 * @param isBuiltIn whether it comes with the sandbox
 */
export function hasDrill(name: string, isBuiltIn: boolean, edition: number): boolean {
  const since = firstDrills.has(name) ? 1 : thirdDrills.has(name) ? 3 : 2;
  return !isBuiltIn || edition >= since;
}
