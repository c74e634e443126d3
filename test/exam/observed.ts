import { issuing, usualForm } from "../../src/exam/conversation.js";
import { Examiner } from "../../src/exam/examiner.js";
import type { ExchangeObservation, PageObservation, TokenRequestObservation } from "../../src/exam/observation.js";
import type { CheckResult } from "../../src/exam/report.js";
import { exchangeWith } from "./play.js";

type Change = Partial<ExchangeObservation>;

/** Simulates a client: exchanges one after another, on one connection, a millisecond each. */
export class MadeUpClient {
  /** The current time, on the monotonic clock. */
  now = 1000;
  id = 0;

  constructor(readonly examiner: Examiner = new Examiner()) {}

  /** Lets time pass, in milliseconds. */
  wait(duration: number): this {
    this.now += duration;
    return this;
  }

  /**
   * An exchange; by default, a successful ping without a token.
   * @returns its id
   */
  does(change: Change = {}): number {
    this.id += 1;
    const { now } = this;
    this.examiner.exchange(exchangeWith(this.id, now, change));
    this.now = Math.max(now, change.overAt ?? now + 1) + 1;
    return this.id;
  }

  /** A request that carries a token. */
  uses(token: string, change: Change = {}): number {
    return this.does({ token, tokenSent: "header", ...change });
  }

  /** A request that fails with a status. */
  fails(status: number, change: Change = {}): number {
    return this.does({ status, ...change });
  }

  /** A request that is refused with `invalid_token`. */
  isRefused(token: string, change: Change = {}): number {
    return this.uses(token, { status: 401, invalidToken: true, ...change });
  }

  /** A token request. */
  asksForToken(token: string | undefined, request: Partial<TokenRequestObservation> = {}, change: Change = {}): number {
    const good = issuing(token ?? "none", "bearer");
    const tokenRequest = { ...good, ...(token === undefined && { issued: undefined }), ...request };
    return this.does({ method: "POST", target: "/oauth/v2/oauth-token", operation: "token", tokenRequest, ...change });
  }

  /** A list request. */
  reads(page: Partial<PageObservation> = {}, change: Change = {}): number {
    return this.does({
      target: `/v1/payments?cursor=${page.cursor}`,
      operation: "list",
      page: {
        cursor: undefined,
        understood: true,
        rows: 10,
        next: undefined,
        walk: "payments",
        place: undefined,
        isOld: false,
        ...page,
      },
      ...change,
    });
  }

  /** A list request that is refused with a code of §7. */
  isRefusedPage(code: string, page: Partial<PageObservation> = {}, change: Change = {}): number {
    const refusal = { code, kind: "list" };
    return this.reads({ understood: false, rows: undefined, ...page }, { status: 400, code, refusal, ...change });
  }

  result(id: string, client?: string): CheckResult {
    const found = this.examiner.results(client).find((result) => result.id === id);
    if (found === undefined) throw new Error(`There is no check ${id}.`);
    return found;
  }

  verdict(id: string, client?: string): string {
    return this.result(id, client).verdict;
  }

  /** The ids of the checks that failed. */
  get failed(): string[] {
    return this.examiner.results().flatMap(({ id, verdict }) => (verdict === "fail" ? [id] : []));
  }
}

/** The form of a token request, with other values; undefined leaves a parameter out. */
export function formOf(
  change: Readonly<Record<string, readonly (string | null)[] | undefined>>,
): ReadonlyMap<string, readonly (string | null)[]> {
  return new Map(
    Object.entries({ ...Object.fromEntries(usualForm), ...change }).flatMap(([name, values]) =>
      values === undefined ? [] : [[name, values]],
    ),
  );
}
