import type { ExchangeObservation } from "../observation.js";
import { type Attempted, Attempts, nothingAttempted } from "./attempts.js";
import { Calls, type EqualRequests } from "./calls.js";
import { sentAgain } from "./proof.js";
import { Reading } from "./reading.js";
import { allCalls, firstPageKey, type Judging, type Reference, requestKey, usualCalls } from "./reference.js";
import { Sending, type Sent } from "./sending.js";
import { Tokens } from "./tokens.js";
import { Walks } from "./walks.js";

/**
 * What is known of one client, built once for all checks: when its requests were sent, what they repeat, its tokens and
 * its walks. While checks judge an exchange, `sent`, `attempted` and `equal` are about it, and all else is what was known
 * before it.
 */
export class Known {
  readonly reading: Reading = new Reading();
  readonly tokens: Tokens = new Tokens();
  readonly walks: Walks = new Walks();
  readonly calls: Calls = new Calls();
  private readonly sending = new Sending();
  private readonly attempts = new Attempts();
  private epoch: number | undefined;
  /** Whether the scenario or the clock has changed since the exchange before it, which its client did not cause. */
  isNewEpoch = false;
  /** When the request was sent, as far as the sandbox can know. */
  sent: Sent = { at: 0, notBefore: 0, alone: true };
  /** What the request repeats. */
  attempted: Attempted = nothingAttempted;
  /** The requests that are equal to it: all, and those with the same correlation ID. */
  equal: readonly EqualRequests[] = [];
  /** R: how many calls of the client can send this request, if a run without a fault has shown it. */
  limit: number | undefined;
  /** How many calls of the client send this request without a fault, if that run has shown it. */
  usual: number | undefined;
  /** The equal requests with fewer calls, where the limit is larger than the usual number. */
  likely: EqualRequests | undefined;
  /** How many requests were refused with 401. */
  private refusals = 0;

  /** How the client is judged. */
  judging: Judging = {};

  /** Takes an exchange in that is over, before the checks judge it. */
  before(observed: ExchangeObservation): void {
    this.isNewEpoch = observed.epoch !== this.epoch && this.epoch !== undefined;
    if (this.isNewEpoch) {
      this.attempts.clear();
      this.calls.clear();
    }
    this.epoch = observed.epoch;
    this.sent = this.sending.sent(observed);
    this.reading.add(observed, this.sending.alone);
    this.attempted = this.attempts.add(observed, this.sent);
    const key = requestKey(observed, this.walks);
    const walk = this.walks.of(observed.page?.cursor)?.filters ?? observed.page?.walk;
    const [all, ofOneCall] = this.calls.add(observed, this.sent, key, this.reading, walk);
    if (observed.status === 401) this.refusals += 1;
    const usual = usualCalls(key, this.judging.reference);
    this.limit = this.#limitOf(observed, usual);
    const counted = { key: key.key, count: all, calls: this.limit };
    this.likely = usual === this.limit ? undefined : { ...counted, calls: usual };
    this.usual = usual;
    const ofCall = ofOneCall && { key: `${observed.correlationId} ${key.key}`, count: ofOneCall, calls: 1 };
    this.equal = ofCall === undefined ? [counted] : [counted, ofCall];
  }

  /**
   * How often a client requests one page of a walk without a fault: more than once if it reads pages again. Undefined if
   * no run has shown it.
   */
  readingsOf(walk: string): number | undefined {
    const begun = this.judging.reference?.calls.get(firstPageKey(walk));
    return this.usual === undefined ? undefined : Math.ceil(this.usual / (begun ?? 1));
  }

  /**
   * How many token requests a client sends at most if it gets none, and each of its calls asks once. Undefined if no run
   * has shown it, or if the request is another one.
   */
  asksFor({ operation }: ExchangeObservation): number | undefined {
    const { reference } = this.judging;
    if (operation !== "token" || reference === undefined || this.usual === undefined) return undefined;
    return reference.begun + this.usual - 1;
  }

  /** A token that was sent again after it was refused, for certain: the ids of the refusal and of the request. */
  tokenSentAgain(token: string): readonly [number, number] | undefined {
    for (const equal of this.equal) {
      const proof = sentAgain(equal, "token", token, this.reading);
      if (proof !== undefined) return proof;
    }
    return undefined;
  }

  /** Whether the client was never seen to have two requests open at once, until now. */
  get isAlone(): boolean {
    return this.sending.alone;
  }

  /** Takes in what its answer tells, after the checks have judged it. */
  after(observed: ExchangeObservation): void {
    this.tokens.after(observed);
    this.walks.after(observed);
  }

  /**
   * A cached token serves all calls. Where none is had, each call asks for one, and again after a 401. A walk that is
   * begun again requests each of its pages once more.
   */
  #limitOf({ operation, page }: ExchangeObservation, usual: number | undefined): number | undefined {
    const { reference } = this.judging;
    if (usual === undefined || reference === undefined) return undefined;
    if (operation === "token") return Math.max(usual, allCalls(reference) + this.refusals);
    return page === undefined ? usual : usual + this.calls.restartsOf(page.walk);
  }

  /** What the client did, if it met no fault. */
  reference(): Reference {
    const { kinds, begun } = this.calls;
    return { calls: this.calls.arrived(), kinds, walks: this.walks.whole(), begun };
  }
}
