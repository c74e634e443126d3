import type * as z from "zod";
import type { RefusalAssumptionId } from "../assumptions.js";
import type { HandshakeBreak } from "../connection/handshake-fault.js";
import type { AnswerHeaders } from "../connection/header-names.js";
import type { Wire } from "../connection/wire.js";
import type { WireAnswer } from "../connection/wire-answer.js";
import type { ErrorCode } from "../errors.js";
import type { CursorPayload } from "../lists/cursor.js";
import type { List } from "../lists/list.js";
import type { Page } from "../lists/page.js";
import type { ListQuery } from "../lists/query.js";
import type { OperationName } from "../operations.js";
import type { HeldFile } from "./defaults.js";
import type { DrawKey } from "./draw.js";
import type { RetryAfter } from "./retry-after.js";
import type { FaultCounter } from "./rule-counters.js";

/**
 * One kind of fault. All that is known of it is in its file in `faults/`. `faults.ts` lists these files, and everything
 * else reads the list, or the faults of a rule.
 *
 * A fault that acts is named in the answer, and counts against the `limit` of its rule. A fault with `delay`,
 * `onConnection` or `onSend` always acts. Another one says when it does: `request.acts()`.
 */
export interface Fault<Settings = unknown> extends FaultFacts, FaultHooks<Settings> {
  /** Its key in `then`; with `under`, its kind. */
  readonly name: string;
  /** The key in `then` that it shares with other kinds. */
  readonly under?: FaultGroup | undefined;
  /** The value of its key in `then`; undefined for a kind. */
  readonly schema: z.ZodType | undefined;
  /** For a kind that has settings: the keys besides `kind`. Each has a default, or is optional. */
  readonly keys: z.ZodRawShape | undefined;
  /** Examples of the value of the key in `then`. */
  readonly examples: readonly unknown[];
  /** Makes the settings from the written form. */
  compile(written: never): Settings;
  /** What it does, in words: `a delay of 200 ms`. */
  words(settings: Settings): string;
}

/** A key in `then` with one of several kinds of faults. */
export type FaultGroup = "connection" | "stream";

/** What is known of a fault whatever its settings are. */
interface FaultFacts {
  /** For people. */
  readonly description: string;
  /** When it acts: on every request, as one of the checks, or on the answer after all checks have passed. */
  readonly acts: "always" | "among-checks" | "on-answer";
  /** If it makes the answer: with what. A rule has one of these at most; the two limits have the same. */
  readonly makes?: string;
  /** Whether `alter` cannot change its answer, because it is not the real answer. */
  readonly isUnalterable?: true;
  /** Why it did not act on a request that passed all checks: `the limit was not reached`. */
  readonly idle?: string;
  /** The version of HTTP on which it acts; without it, both. On the other one, its rule does not match. */
  readonly http?: 1 | 2;
  /**
   * Whether it also sends an answer without a body. Any other fault with `onSend` cuts or divides the body: an answer
   * without one is sent as it is.
   */
  readonly needsNoBody?: true;
  /** Whether the answer takes as long as its settings say. */
  readonly takesTime?: true;
  /** When it acts, for the documents, if that does not follow from its hooks. */
  readonly moments?: readonly Moment[];
}

/** A row of the table that says when faults act. An undefined cell: it does not act there. */
export interface Moment {
  /** How the fault is written, if it is not its name alone. */
  readonly written?: string;
  readonly onToken: string | undefined;
  readonly elsewhere: string | undefined;
}

/** Facts that depend on the settings, and where a fault acts, in the order in which it is called. */
interface FaultHooks<Settings> {
  /** The operations on which it acts; undefined for all. */
  narrows?(settings: Settings): Narrowing | undefined;
  /** What it leaves of the answer; without it, the whole answer. */
  leaves?(settings: Settings): Leaves;
  /** If it acts on new connections, before there is a request: how. */
  onHandshake?(settings: Settings): HandshakeBreak | undefined;
  /** Whether its answer has `Retry-After`. */
  asksToWait?(settings: Settings): boolean;
  /** What is wrong with its settings, if the schema cannot see it. */
  problem?(settings: Settings): string | undefined;

  /**
   * Before anything is checked.
   * @returns a function that refuses the request, without a delay, when it has passed the checks before `onCheck`;
   *   undefined to go on
   */
  onArrival?(settings: Settings, request: FaultyRequest): Promise<(() => never) | undefined>;
  /** How long the request is held back before anything is checked, in milliseconds. */
  delay?(settings: Settings, key: DrawKey): number;
  /** Before anything is checked. If it ends nothing, the usual answer follows. */
  onConnection?(settings: Settings, wire: Wire, key: DrawKey): void | Promise<void>;
  /** Whether its check is one of the steps; without it, whether there is `onCheck`. */
  isStep?(settings: Settings): boolean;
  /** As a check: after certificate, token and scope were accepted; at the token endpoint, first. */
  onCheck?(settings: Settings, request: FaultyRequest): void | Promise<void>;
  /** @returns what a token that is issued says, and the answer about it */
  onToken?(settings: Settings, token: IssuedToken): IssuedToken;
  onPage?(settings: Settings, request: PageRequest): FaultyPage;
  /**
   * Changes the real answer, after certificate, token and scope were accepted.
   * @returns undefined if nothing changes
   */
  onAnswer?(settings: Settings, answer: RealAnswer): ChangedAnswer | undefined;
  /** Sends the answer, whatever it is, if it has a body or `needsNoBody`. It must end it, or break it. */
  onSend?(settings: Settings, answer: WireAnswer, wire: Wire): Promise<void>;
}

/**
 * What is left of an answer: all of it; all of it, and then its connection ends (over HTTP/2, perhaps); a part of it;
 * or nothing, so that no other fault can act on it.
 */
type Leaves = "answer" | "last-answer" | "part" | "nothing";

export interface Narrowing {
  readonly only: readonly OperationName[];
  /** Whether a rule with it matches only these operations. Otherwise it matches all, and does not act on the others. */
  readonly narrowsRule: boolean;
}

/** What a token that is issued says. */
export interface IssuedToken {
  /** Of the certificate that it is bound to. */
  readonly thumbprint: string;
  /** Milliseconds since the epoch. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** The `token_type` of the answer. */
  readonly type: string;
}

/** A request for a page. */
export interface PageRequest {
  readonly list: List;
  readonly query: ListQuery;
  /** The cursor that was sent. */
  readonly sent: string | undefined;
  /** Milliseconds since the epoch on the client's clock. */
  readonly now: number;
}

/** A page as a fault makes it. */
export interface FaultyPage {
  readonly page: Page;
  /** Its cursor as a text, or what it holds; undefined for the one of the page. */
  readonly cursor?: string | CursorPayload;
  /** Whether the text of its cursor has characters that a client has to encode in a URL. */
  readonly reserved?: boolean;
  /** Whether the cursor that was sent leads on. */
  readonly moves?: boolean;
  /** Whether its next link has no filters. */
  readonly losesFilters?: boolean;
  /** Whether it differs from the correct page. */
  readonly acted: boolean;
}

/** The answer of an operation, or its refusal. */
export interface RealAnswer {
  readonly status: number;
  readonly body: string;
  /** The members that lead to the rows of a page, if the operation has pages. */
  readonly rowsPath: readonly string[] | undefined;
}

interface ChangedAnswer {
  readonly status: number;
  /** Headers to set, and null for headers to remove. */
  readonly headers: Readonly<Record<string, AnswerHeaders[string] | null>>;
  readonly body: string;
  readonly chunked: boolean;
}

/** An error as the operation itself would give it. What is undefined is the error's own. */
export interface GivenError {
  readonly code: ErrorCode | RefusalAssumptionId;
  readonly status?: number | undefined;
  readonly message?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** `none`: the answer does not tell a wait, although it usually would. */
  readonly retryAfter?: RetryAfter | "none" | undefined;
}

/** An answer that a rule gives in full. */
export interface GivenAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly retryAfter: RetryAfter | "none" | undefined;
  readonly body: string;
  readonly chunked: boolean;
}

/** How the certificate of a client is replaced. */
export interface CertificateRenewal {
  /** How long the old one stays valid, in milliseconds. */
  readonly overlap: number;
  /** How long the new one is valid, in milliseconds; undefined for about a year. */
  readonly validFor: number | undefined;
  /** Whether the new one has the key of the old one. */
  readonly sameKey: boolean;
  /** The file that stays old for a time, if the client has files. */
  readonly hold: HeldFile | undefined;
  /** How long, in milliseconds by the machine's clock. */
  readonly holdFor: number | undefined;
}

/** The request on which a rule acts. */
export interface FaultyRequest {
  /** Where the rule counts; undefined for a replay. */
  readonly counter: FaultCounter | undefined;
  /** Milliseconds since the epoch on the client's clock, or on the sandbox's for a rule that all clients share. */
  readonly now: number;
  /** The URL of the request, by the other of the names localhost and 127.0.0.1. */
  readonly otherUrl: string;
  /** Says that the fault acts. Must be called before the answer is made. */
  acts(): void;
  /**
   * Moves the client's clock forward, in milliseconds.
   * @returns whether there is a client
   */
  advanceClock(by: number): Promise<boolean>;
  /**
   * Replaces the newest certificate of the client. The request is still answered, and its connection takes no other.
   * @returns whether there is a client
   */
  renewCertificate(renewal: CertificateRenewal): Promise<boolean>;
  /**
   * Ends the certificate of the request: it is refused from now on.
   * @returns whether there is a client
   */
  endCertificate(how: "expired" | "revoked"): Promise<boolean>;
  /** Whether the checks before `onCheck` accept the request. */
  isAccepted(): Promise<boolean>;
  /** Calls back once, when the answer has left, or its connection is gone. */
  onceOver(callback: () => void): void;
  /** Refuses the token of the request, now and from now on. */
  revokeToken(): Promise<never>;
  /** Issues a token to another worker of the client, which ends all that it has. The request is refused. */
  issueToOtherWorker(): Promise<never>;
  refuse(error: GivenError): never;
  answer(answer: GivenAnswer): never;
}

/** A fault of a rule, with its settings. */
export interface GivenFault {
  readonly fault: Fault;
  readonly settings: unknown;
}

/** Whether a rule acts on new connections, not on requests. */
export function actsOnHandshake(faults: readonly GivenFault[]): boolean {
  return handshakeBreakOf(faults) !== undefined;
}

/** How a rule breaks new connections; undefined if it acts on requests. */
export function handshakeBreakOf(faults: readonly GivenFault[]): HandshakeBreak | undefined {
  return faults.map(({ fault, settings }) => fault.onHandshake?.(settings)).find((does) => does !== undefined);
}

/** Whether a client waits under these faults: for an answer, or as long as `Retry-After` says. */
export function makesWait(faults: readonly GivenFault[]): boolean {
  return faults.some(({ fault, settings }) => fault.takesTime === true || fault.asksToWait?.(settings) === true);
}

/** Whether a fault sends the body in a way of its own, so that it does nothing to an answer without one. */
export function needsBody({ fault }: GivenFault): boolean {
  return fault.onSend !== undefined && !fault.needsNoBody;
}

/** Whether a fault leaves no answer on which others could act. */
export function leavesNothing({ fault, settings }: GivenFault): boolean {
  return fault.leaves?.(settings) === "nothing";
}

/** The version of HTTP on which the faults of a rule act; undefined for both. */
export function httpOf(faults: readonly GivenFault[]): 1 | 2 | undefined {
  return faults.find(({ fault }) => fault.http !== undefined)?.fault.http;
}

/** The operations on which the faults of a rule act; undefined for all of them. */
export function operationsOf(faults: readonly GivenFault[]): readonly OperationName[] | undefined {
  return narrowings(faults).find(({ narrowsRule }) => narrowsRule)?.only;
}

export function narrowings(faults: readonly GivenFault[]): readonly Narrowing[] {
  return faults.flatMap(({ fault, settings }) => fault.narrows?.(settings) ?? []);
}

/** How a fault is written in a sentence: `delay`, `connection: reset`. */
export function writtenAs({ name, under }: Pick<Fault, "name" | "under">): string {
  return under === undefined ? name : `${under}: ${name}`;
}
