import { remember } from "../base/remember.js";
import { day } from "../base/text/duration.js";
import { Finding } from "./finding.js";
import type { Judge } from "./judge.js";
import type { ExchangeObservation } from "./observation.js";

/** How many connections of a client whose certificate was refused are remembered. */
const mostConnections = 64;

/** From how many days before its end on the report says how many are left. */
const nearDays = 30;

/** A connection over which a certificate was refused because it has ended. */
interface RefusedConnection {
  readonly id: number;
  /** When the refusal was sent. */
  readonly at: number;
  /** Whether a token request may follow: a token that is refused is replaced by a new one. */
  readonly mayRequestToken: boolean;
}

/** Checks `certificate.*`: what a client does when its certificate changes or ends. */
export class CertificateJudge implements Judge {
  private readonly renewed = new Finding("certificate.renewed");
  private readonly oldConnection = new Finding("certificate.old-connection");
  private readonly chain = new Finding("certificate.chain");
  private readonly nearItsEnd = new Finding("certificate.near-its-end");
  private readonly refused = new Map<number, RefusedConnection>();
  private fewestDays = Number.POSITIVE_INFINITY;

  exchange(observed: ExchangeObservation): void {
    const { id, certificate } = observed;
    if (certificate === undefined) return;
    if (certificate.chain === "sent") this.chain.exercise(id);
    if (certificate.chain === "missing")
      this.chain.fail("A certificate of an intermediate CA was sent without the certificate of this CA.", [id]);
    this.#judgeRenewal(observed, certificate);
    this.#judgeConnection(observed, certificate.hasEnded);
    this.#noteDays(id, certificate.left);
  }

  findings(): readonly Finding[] {
    return [this.renewed, this.oldConnection, this.chain, this.nearItsEnd];
  }

  #judgeRenewal({ id, ordinal }: ExchangeObservation, { replaces, hasOverlapEnded }: Certificate): void {
    if (ordinal !== 1) return;
    if (replaces) this.renewed.exercise(id);
    if (hasOverlapEnded)
      this.renewed.fail("A new connection still had the old certificate when the overlap was over.", [id]);
  }

  #judgeConnection(observed: ExchangeObservation, hasEnded: boolean): void {
    const { id, connection, arrivedAt, releasedAt, operation } = observed;
    const before = this.refused.get(connection);
    const isToken = operation === "token";
    if (before !== undefined && arrivedAt > before.at && !(before.mayRequestToken && isToken))
      this.oldConnection.fail(
        "A connection was used again after a request on it was refused because the certificate has ended.",
        [before.id, id],
      );
    if (!hasEnded) return;
    this.oldConnection.exercise(id);
    remember(this.refused, connection, { id, at: releasedAt, mayRequestToken: !isToken && !before }, mostConnections);
  }

  #noteDays(id: number, left: number): void {
    const days = Math.floor(left / day);
    if (days < 0 || days > nearDays || days >= this.fewestDays) return;
    this.fewestDays = days;
    this.nearItsEnd.exercise(id);
    this.nearItsEnd.note(
      `The certificate has ${days === 1 ? "1 day" : `${days} days`} left; nothing is judged by that.`,
    );
  }
}

type Certificate = NonNullable<ExchangeObservation["certificate"]>;
