import { remember } from "../base/remember.js";
import { Finding } from "./finding.js";
import type { Judge } from "./judge.js";
import type { ExchangeObservation, TokenRequestObservation } from "./observation.js";
import { type Answered, answeredBy, isSentAfter, onTheirWay, readApart, type Sent } from "./sending.js";
import { Suspects, sentAgain, wasQueued } from "./suspects.js";
import { formProblem, secretIn } from "./token-form.js";

/**
 * How many tokens of a client are remembered. A forgotten token is not judged.
 * @internal exported for tests of the bound
 */
export const mostTokens = 64;

/**
 * How many combinations of certificate and scope a client has for which the end of the newest token request is
 * remembered.
 */
const mostKinds = 16;

/** Whether a token with a shorter lifetime was needed is not judged, in milliseconds. */
const shortestLifetime = 120_000;

/** How much later than its announced end a token may still arrive, in milliseconds. */
const graceAfterEnd = 1000;

const bearer = "bearer";

interface IssuedToken {
  readonly request: number;
  readonly connection: number;
  /** Whether it was sent: then it has arrived. */
  wasUsed: boolean;
  /** The first refusal over a renewed certificate: by it the client learns that the token has ended with the old one. */
  endedBy: Answered | undefined;
  /** The certificate and the scope that it was requested with. */
  readonly kind: string | undefined;
  readonly thumbprint: string | undefined;
  /** The type in the answer, in lower case. */
  readonly type: string | undefined;
  readonly releasedAt: number;
  readonly lifetime: number | undefined;
  /** With `invalid_token`, over the certificate that it was issued to. */
  refused: Answered | undefined;
  /** Whether it was sent again, and it is not known whether that was after the refusal. */
  isDoubtful: boolean;
  /** Whether any 401 was given for it. */
  rejected: boolean;
}

interface EndedRequest {
  readonly id: number;
  /** When the last request with its certificate and scope ended, and the clock of that time. */
  readonly endedAt: number;
  readonly clock: string;
  readonly timeError: number;
  readonly token: IssuedToken | undefined;
}

/** Checks `token.*`: how a client gets access tokens, and how it uses them. */
export class TokenJudge implements Judge {
  private readonly noSecret = new Finding("token.no-secret");
  private readonly form = new Finding("token.form");
  private readonly reused = new Finding("token.reused");
  private readonly shared = new Finding("token.shared");
  private readonly expired = new Finding("token.expired");
  private readonly refused = new Finding("token.refused");
  private readonly certificate = new Finding("token.certificate");
  private readonly header = new Finding("token.header");
  private readonly type = new Finding("token.type");
  private readonly tokens = new Map<string, IssuedToken>();
  /** The newest token request that the sandbox has ended, by certificate and scope. */
  private readonly newest = new Map<string, EndedRequest>();
  /** When the first of all tokens expires. */
  private firstEnd = Number.POSITIVE_INFINITY;
  private readonly suspects = new Suspects<IssuedToken>();
  private authorised = 0;
  private tokenRequests = 0;

  exchange(observed: ExchangeObservation, sent: Sent): void {
    const { again, queued } = this.suspects.settle(observed, sent);
    for (const { refused, id } of again) this.refused.fail(sentAgain, [refused.id, id]);
    for (const { token, refused } of queued) this.#doubt(token, refused);
    if (observed.tokenRequest !== undefined) this.#judgeTokenRequest(observed, sent, observed.tokenRequest);
    if (observed.arrivedAt > this.firstEnd + graceAfterEnd) this.expired.exercise(observed.id);
    // A 401 for a request without a token, such as one that was redirected, may well be answered by a new token.
    if (observed.tokenSent === "nowhere" && observed.tokenRequest === undefined && observed.status === 401)
      for (const token of this.tokens.values()) token.rejected = true;
    if (observed.tokenSent === "nowhere") return;
    if (observed.tokenRequest === undefined) this.#judgeUse(observed, sent);
    else this.#judgeRefused(observed, sent, this.#tokenOf(observed));
  }

  findings(): readonly Finding[] {
    return [
      this.noSecret,
      this.form,
      this.reused,
      this.shared,
      this.expired,
      this.refused.withPending(
        this.suspects.all.flatMap(({ refused, id }) => [refused.id, id]),
        sentAgain,
      ),
      this.certificate,
      this.header,
      this.type,
    ];
  }

  #judgeTokenRequest(observed: ExchangeObservation, sent: Sent, request: TokenRequestObservation): void {
    const { id } = observed;
    const secret = secretIn(request);
    if (secret !== undefined) this.noSecret.fail(`A token request carried ${secret}.`, [id]);
    else if (request.form !== undefined) this.noSecret.exercise(id);
    const problem = formProblem(request, secret !== undefined);
    if (problem !== undefined) this.form.fail(`In a token request, ${problem}.`, [id]);
    else if (request.form !== undefined) this.form.exercise(id);
    this.#judgeTiming(observed, sent, request);
  }

  /** Whether a token was needed, and whether another request for one was still open. */
  #judgeTiming(observed: ExchangeObservation, sent: Sent, { form, issued }: TokenRequestObservation): void {
    const { id, thumbprint, releasedAt, clock, timeError, ending, endedByClient } = observed;
    const scope = form?.get("scope")?.[0];
    const kind = scope === undefined || scope === null ? undefined : `${thumbprint} ${scope.slice(0, 200)}`;
    if (kind !== undefined) {
      this.tokenRequests += 1;
      if (this.tokenRequests > 1) this.shared.exercise(id);
      const before = this.newest.get(kind);
      if (before !== undefined && wereOpenTogether(observed, before))
        this.shared.fail("A token was requested while another request for the same token was open.", [before.id, id]);
      else this.#judgeNeed(observed, sent, kind);
    }
    let token: IssuedToken | undefined;
    if (issued !== undefined && ending === "delivered") {
      const { lifetime } = issued;
      const type = issued.type?.toLowerCase();
      const state = { wasUsed: false, endedBy: undefined, refused: undefined, isDoubtful: false, rejected: false };
      token = { request: id, connection: observed.connection, kind, thumbprint, type, releasedAt, lifetime, ...state };
      remember(this.tokens, issued.token, token, mostTokens);
      if (lifetime !== undefined) this.firstEnd = Math.min(this.firstEnd, releasedAt + lifetime);
      if (isForeign(token)) this.type.exercise(id);
    }
    if (kind === undefined || endedByClient) return;
    const before = this.newest.get(kind);
    const last = before && before.endedAt > releasedAt ? before : { endedAt: releasedAt, clock, timeError };
    remember(this.newest, kind, { ...last, id, token }, mostKinds);
  }

  #judgeNeed({ id, arrivedAt, connection, stream }: ExchangeObservation, sent: Sent, kind: string): void {
    for (const token of this.tokens.values()) {
      const { lifetime, releasedAt, request } = token;
      // A client that gave up has no token, although the answer was sent. One that goes on with the connection has it.
      const hasArrived = token.wasUsed || (connection === token.connection && stream === undefined);
      if (!hasArrived) continue;
      if (token.kind !== kind || token.type !== bearer || token.rejected || lifetime === undefined) continue;
      // A client may renew a token some time before its end, such as a minute.
      if (lifetime < shortestLifetime) continue;
      const left = releasedAt + lifetime - arrivedAt;
      // A request that may have been sent before the token came is not a waste.
      if (releasedAt >= arrivedAt || releasedAt > sent.at || left <= lifetime / 2) continue;
      const seconds = `${Math.floor(left / 1000)} of ${Math.round(lifetime / 1000)} s`;
      this.reused.fail(
        `A token was requested although another for the same certificate and scope had ${seconds} left.`,
        [request, id],
      );
      return;
    }
  }

  #judgeUse(observed: ExchangeObservation, sent: Sent): void {
    const { id, tokenSent } = observed;
    this.authorised += 1;
    if (this.authorised > 1) this.reused.exercise(id);
    if (tokenSent !== "header")
      this.header.fail(tokenSent === "url" ? "A token was sent in a URL." : "A token was sent twice in one request.", [
        id,
      ]);
    else this.header.exercise(id);
    const token = this.#tokenOf(observed);
    this.#settleDoubts(observed, sent, token);
    if (token !== undefined) this.#judgeToken(observed, sent, token);
  }

  #tokenOf({ token: hash }: ExchangeObservation): IssuedToken | undefined {
    return hash === undefined ? undefined : this.tokens.get(hash);
  }

  #judgeToken(observed: ExchangeObservation, sent: Sent, token: IssuedToken): void {
    const { id, arrivedAt, thumbprint, status, ending } = observed;
    const { request, lifetime } = token;
    token.wasUsed = true;
    if (isLearning(observed, sent, token)) {
      if (status === 401 && ending === "delivered") token.endedBy ??= answeredBy(observed);
    } else if (thumbprint !== token.thumbprint)
      this.certificate.fail(
        `A token was sent over ${thumbprint === undefined ? "a connection without a certificate" : "another certificate than the one that it was requested with"}.`,
        [request, id],
      );
    else this.certificate.exercise(id);
    if (isForeign(token)) this.type.fail("A token was used although its token_type is not bearer.", [request, id]);
    const late = lifetime === undefined ? 0 : arrivedAt - token.releasedAt - lifetime;
    if (late > graceAfterEnd)
      this.expired.fail(`A token was sent ${(late / 1000).toFixed(1)} s after its announced end.`, [request, id]);
    this.#judgeRefused(observed, sent, token);
    if (status !== 401) return;
    // The client may have read the status even if the answer broke after it.
    token.rejected = true;
    if (ending !== "delivered" || !observed.invalidToken || thumbprint !== token.thumbprint) return;
    if (!token.isDoubtful) this.refused.exercise(id);
    token.refused ??= answeredBy(observed);
  }

  /** Whether a token is sent that was refused before, to whatever operation. */
  #judgeRefused(observed: ExchangeObservation, sent: Sent, token: IssuedToken | undefined): void {
    if (token?.refused === undefined) return;
    const { refused } = token;
    const isAgain = isKnown(observed, sent, refused);
    const { id, arrivedAt } = observed;
    if (isAgain === true) this.suspects.add({ token, refused, id, arrivedAt });
    if (isAgain === undefined) this.#doubt(token, refused);
  }

  #doubt(token: IssuedToken, refused: Answered): void {
    token.isDoubtful = true;
    this.refused.withdraw(refused.id);
  }

  /** A client that sends another token later on has discarded the refused one. */
  #settleDoubts(observed: ExchangeObservation, sent: Sent, used: IssuedToken | undefined): void {
    for (const token of this.tokens.values()) {
      if (token === used || !token.isDoubtful || !token.refused || isSentAfter(observed, sent, token.refused) !== true)
        continue;
      token.isDoubtful = false;
      this.refused.exercise(token.refused.id);
    }
  }
}

/**
 * Whether a client whose certificate was renewed sends a token of the old one, and cannot know yet that it has ended:
 * its refusal is the way to learn that.
 */
function isLearning(observed: ExchangeObservation, sent: Sent, { thumbprint, endedBy }: IssuedToken): boolean {
  if (observed.thumbprint === thumbprint || observed.certificate?.replaces !== true) return false;
  return endedBy === undefined || isKnown(observed, sent, endedBy) !== true;
}

/** Whether the client knew a refusal when it sent a request; undefined if the sandbox cannot know. */
function isKnown(observed: ExchangeObservation, sent: Sent, refusal: Answered): boolean | undefined {
  return wasQueued(observed, sent, refusal) ? undefined : isSentAfter(observed, sent, refusal);
}

/** Whether the answer said that the token has another type than bearer. */
function isForeign({ type }: IssuedToken): boolean {
  return type !== undefined && type !== bearer;
}

/**
 * Whether a token request arrived before another one had its answer. A request on a connection that began before that
 * answer may also have been sent before the answer, and read after it.
 */
function wereOpenTogether(request: ExchangeObservation, before: EndedRequest): boolean {
  const { arrivedAt, begunAt, ordinal } = request;
  const endedAt = before.endedAt - readApart(request, before);
  if (arrivedAt < endedAt) return true;
  const good = before.token?.type === bearer && !before.token.rejected;
  return good && ordinal === 1 && begunAt < endedAt && arrivedAt < endedAt + onTheirWay;
}
