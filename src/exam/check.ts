import type { AssumptionId } from "../sandbox/assumptions.js";
import type { Conversation, Finish } from "./conversation.js";
import type { Finding, Level } from "./finding.js";
import type { Known } from "./known/known.js";
import type { ExchangeObservation, HandshakeObservation } from "./observation.js";

/** What is said about a check. */
export interface CheckFacts {
  readonly level: Level;
  /** The section of the interface, the RFC or the assumption that the rule comes from. */
  readonly source: string;
  /** The assumptions that may refuse what it judges. Where one does, it is a warning, whatever the level. */
  readonly assumptions?: readonly AssumptionId[];
  /** What a client must do before the check can pass or fail. Follows "it takes". */
  readonly exercisedBy: string;
  /** Follows "fails when"; of a check that never fails, what it does instead. */
  readonly failsWhen: string | { readonly never: string };
  /** What excuses a client that looks as if it broke the rule, each as a sentence without a full stop. */
  readonly excuses: readonly string[];
  /** What to change in the client: one sentence. */
  readonly fix: string;
}

/** One client, judged by one check. */
interface Judged<State> {
  readonly finding: Finding;
  /** What the check remembers of the client: plain data of bounded size, which can be saved. */
  readonly state: State;
  /** What is known of the client, by all that was over before. Shared by all checks. */
  readonly known: Known;
}

/** One rule about a client. Each is a file in `checks/`; `checks.ts` lists them. */
export interface Check<Id extends string = string, State = unknown> extends CheckFacts {
  readonly id: Id;
  /** What the check remembers of a client that it has not seen; left out if it remembers nothing. */
  readonly begin?: () => State;
  /** An exchange is over. */
  readonly exchange?: (observed: ExchangeObservation, judged: Judged<State>) => void;
  /** A handshake failed, or a connection was closed without a request. */
  readonly handshake?: (observed: HandshakeObservation, judged: Judged<State>) => void;
  /** The finding when a report is asked for: with what is pending. It changes nothing. */
  readonly conclude?: (judged: Judged<State>, finish: Finish) => Finding;
  /** Drops what only later requests could decide, because the client is about to be forgotten. */
  readonly giveUp?: (state: State) => void;
  /** The shortest conversation that fails the check. Left out only where no conversation can show it. */
  readonly fails?: Conversation;
  /** The shortest one that looks like it, and is innocent. */
  readonly innocent?: Conversation;
}

/** A check with its own types; the table has them with the general one. */
export function defineCheck<const Id extends string, State = undefined>(check: Check<Id, State>): Check<Id> {
  return check as Check<Id>;
}
