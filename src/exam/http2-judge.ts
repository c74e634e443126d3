import { remember } from "../base/remember.js";
import { Finding } from "./finding.js";
import type { Judge } from "./judge.js";
import type { ExchangeObservation } from "./observation.js";
import { type Answered, answeredBy, isSentAfter, type Sent } from "./sending.js";

/** How many requests are remembered that were not processed and not sent again yet; and how many of the same. */
const mostPending = 128;
const mostOfOne = 16;

/** By method and target: the exchanges whose requests were not sent again yet, in the order in which they ended. */
type Pending = Map<string, readonly Answered[]>;

function add(pending: Pending, key: string, answered: Answered): void {
  remember(pending, key, [...(pending.get(key) ?? []), answered].slice(-mostOfOne), mostPending);
}

/** Removes and returns the first one that a request repeats. */
function takeFirst(pending: Pending, key: string, isRepeated: (answer: Answered) => boolean): Answered | undefined {
  const all = pending.get(key);
  const found = all?.find(isRepeated);
  if (all === undefined || found === undefined) return undefined;
  if (all.length === 1) pending.delete(key);
  else
    pending.set(
      key,
      all.filter((answer) => answer !== found),
    );
  return found;
}

/** Checks `h2.*`: how a client continues when the sandbox ends a stream or a connection of HTTP/2. */
export class Http2Judge implements Judge {
  private readonly retried = new Finding("h2.refused-retried");
  private readonly goaway = new Finding("h2.goaway");
  private readonly refused: Pending = new Map();
  private readonly leftOut: Pending = new Map();
  /** The newest answer that came with a GOAWAY. */
  private ended: Answered | undefined;

  exchange(observed: ExchangeObservation, sent: Sent): void {
    const { connection, method, target, http2Fault } = observed;
    const isWaiting = this.ended !== undefined || this.refused.size > 0 || this.leftOut.size > 0;
    if (http2Fault === undefined && !isWaiting) return;
    const key = `${method} ${target}`;
    // A request that came before and ended later is not a repetition.
    const follows = (answer: Answered) => isSentAfter(observed, sent, answer) !== false;
    if (this.ended !== undefined && this.ended.connection !== connection && follows(this.ended)) {
      this.goaway.exercise(this.ended.id);
      this.ended = undefined;
    }
    const refused = takeFirst(this.refused, key, follows);
    if (refused !== undefined) this.retried.exercise(refused.id);
    takeFirst(this.leftOut, key, (answer) => answer.connection !== connection && follows(answer));
    const answered = answeredBy(observed);
    if (http2Fault === "refused") add(this.refused, key, answered);
    if (http2Fault === "goaway-before") add(this.leftOut, key, answered);
    if (http2Fault === "goaway" || http2Fault === "goaway-before") this.ended = answered;
  }

  findings(): readonly Finding[] {
    const idsOf = (answers: Pending) => [...answers.values()].flat().map(({ id }) => id);
    return [
      this.retried.withPending(idsOf(this.refused), "A request whose stream was refused was never sent again."),
      this.goaway.withPending(
        idsOf(this.leftOut),
        "A request that GOAWAY left out was never sent on another connection.",
      ),
    ];
  }

  giveUp(): void {
    this.refused.clear();
    this.leftOut.clear();
  }
}
