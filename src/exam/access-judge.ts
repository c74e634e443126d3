import { remember } from "../base/remember.js";
import { Finding } from "./finding.js";
import type { Judge } from "./judge.js";
import type { ExchangeObservation } from "./observation.js";
import { requestOf } from "./same-request.js";

/** How many refused tokens, and how many hosts of redirects, of a client are remembered. */
const most = 64;

/** This many new tokens in a row that are refused: a client that goes on has no limit. */
const tooManyRefused = 6;

/**
 * Why the token endpoint, or an operation, grants nothing to a client: causes of a refusal that are not in its form.
 */
const notGranted: Readonly<Record<string, string>> = {
  "unknown-client": "its client_id is not that of the certificate",
  "certificate-of-another-client": "its client_id is not that of the certificate",
  "scope-not-allowed": "its scope was never granted to the client",
};

/**
 * Checks `token.sent`, `token.granted`, `token.renewed`, `token.retried` and `token.host`: whether a client gets in,
 * and where it sends its token.
 */
export class AccessJudge implements Judge {
  private readonly sent = new Finding("token.sent");
  private readonly granted = new Finding("token.granted");
  private readonly renewed = new Finding("token.renewed");
  private readonly retried = new Finding("token.retried");
  private readonly host = new Finding("token.host");
  /** Requests that were refused with `invalid_token` and not sent again, by method and target. */
  private readonly pending = new Map<string, number>();
  /** Requests without a token that were refused for that, as long as the client has not sent any. */
  private without: readonly number[] = [];
  private hasToken = false;
  /** Tokens that were refused, each with the exchange. */
  private readonly refused = new Map<string, number>();
  /** The refusals of new tokens since a token was accepted. */
  private inRow: readonly number[] = [];
  /** Hosts that redirects led to, each with the exchange. */
  private readonly redirects = new Map<string, number>();

  exchange(observed: ExchangeObservation): void {
    const { id, operation, tokenSent, tokenRequest, refusal, expected, redirectsTo } = observed;
    if (redirectsTo !== undefined) {
      this.host.exercise(id);
      remember(this.redirects, redirectsTo, id, most);
    }
    if (tokenRequest !== undefined) {
      const reason = refusal && notGranted[refusal.kind];
      if (reason !== undefined) this.granted.fail(`A token request was refused because ${reason}.`, [id]);
      else if (tokenRequest.issued !== undefined) this.granted.exercise(id);
    } else if (tokenSent !== "nowhere") {
      this.#judgeToken(observed);
      this.#judgeRetry(observed);
    } else if (operation !== undefined && refusal?.kind === "token-missing" && expected === undefined && !this.hasToken)
      this.without = [...this.without, id].slice(-3);
  }

  findings(isFinished: boolean): readonly Finding[] {
    const sent = this.sent.withPending(this.without, "A request was sent without a token, and no other one had one.");
    const retried = isFinished
      ? this.retried.withPending(
          this.pending.values(),
          "A request was refused with invalid_token, and never sent again.",
        )
      : new Finding("token.retried");
    return [sent, this.granted, this.renewed, retried, this.host];
  }

  giveUp(): void {
    this.pending.clear();
  }

  /** `list.lost-page` judges the pages of lists. */
  #judgeRetry(observed: ExchangeObservation): void {
    const { id, operation, ending, invalidToken, expected } = observed;
    if (operation === "list") return;
    const key = requestOf(observed);
    const before = this.pending.get(key);
    if (before !== undefined) this.retried.exercise(before);
    this.pending.delete(key);
    if (ending === "delivered" && invalidToken && expected === undefined) remember(this.pending, key, id, most);
  }

  #judgeToken({ id, token, status, ending, host, expected }: ExchangeObservation): void {
    this.hasToken = true;
    this.without = [];
    this.sent.exercise(id);
    const redirect = this.redirects.get(host);
    if (redirect !== undefined)
      this.host.fail("A token was sent to another host, because an answer redirected the request there.", [
        redirect,
        id,
      ]);
    if (token === undefined || ending !== "delivered" || expected !== undefined) return;
    if (status !== 401) {
      // Only what got through shows that a new token was worth it.
      if (status < 400) this.inRow = [];
      return;
    }
    if (this.refused.has(token)) return;
    remember(this.refused, token, id, most);
    this.inRow = [...this.inRow, id].slice(-tooManyRefused);
    if (this.inRow.length > 1) this.renewed.exercise(id);
    if (this.inRow.length >= tooManyRefused)
      this.renewed.fail("New token after new token was refused with 401, and the client went on.", this.inRow);
  }
}
