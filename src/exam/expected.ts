import { printable } from "../base/text/printable.js";
import type { CheckResult, ExpectedError } from "./report.js";

/** A delivered answer with an error code. */
export interface CodedExchange {
  /** The id in the journal. */
  readonly id: number;
  readonly code: string;
}

/** Most codes of one client, and most exchanges that are named for one code. */
const most = { codes: 100, exchanges: 10 } as const;

/** The expected errors of one client, or of all. */
export class ExpectedErrors {
  private readonly errors = new Map<string, { count: number; readonly exchanges: number[] }>();

  /** @param exchange its id in the journal; undefined if the code was not delivered */
  add(code: string, exchange: number | undefined): void {
    let error = this.errors.get(code);
    if (error === undefined) {
      if (this.errors.size >= most.codes) return;
      error = { count: 0, exchanges: [] };
      this.errors.set(code, error);
    }
    if (exchange === undefined) return;
    error.count += 1;
    if (error.exchanges.length < most.exchanges) error.exchanges.push(exchange);
  }

  /** Adds those of another client. */
  addAll(others: ExpectedErrors): void {
    for (const [code, { count, exchanges }] of others.errors) {
      this.add(code, undefined);
      const error = this.errors.get(code);
      if (error === undefined) continue;
      error.count += count;
      error.exchanges.push(...exchanges.slice(0, most.exchanges - error.exchanges.length));
    }
  }

  /** By code, in the order in which they came. */
  list(): readonly ExpectedError[] {
    return [...this.errors].map(([code, { count, exchanges }]) => ({
      code: printable(code),
      count,
      exchanges: [...exchanges].sort((a, b) => a - b).map(String),
    }));
  }
}

/**
 * The results of checks when a client expects these codes. A failed check is known if each exchange that shows it got
 * an expected code.
 * @param exchanges of the client in the journal, with a code
 */
export function withExpected(
  checks: readonly CheckResult[],
  codes: readonly string[],
  exchanges: Iterable<CodedExchange>,
): { readonly checks: readonly CheckResult[]; readonly expected: ExpectedErrors } {
  const expected = new ExpectedErrors();
  for (const code of codes) expected.add(code, undefined);
  const codeOf = new Map<string, string>();
  for (const { id, code } of exchanges) {
    if (!codes.includes(code)) continue;
    codeOf.set(String(id), code);
    expected.add(code, id);
  }
  const marked = checks.map((check) => {
    const found = check.exchanges.map((id) => codeOf.get(id));
    if (check.verdict !== "fail" || check.handshakes.length > 0 || found.length === 0) return check;
    if (found.includes(undefined)) return check;
    return { ...check, known: `${[...new Set(found)].join(", ")} was expected` };
  });
  return { checks: marked, expected };
}
