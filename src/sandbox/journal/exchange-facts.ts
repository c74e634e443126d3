import type { AssumptionId } from "../assumptions.js";
import type { Client } from "../clients.js";
import type { AnswerEnder, ConnectionFacts } from "../connection/connection-facts.js";
import { type AnswerHeaders, inTurn } from "../connection/header-names.js";
import type { Http2ErrorCode } from "../connection/http2-error.js";
import type { EndedPassage, UnprocessedReason } from "../connection/passage.js";
import type { Peer } from "../connection/peer.js";
import type { ErrorCode } from "../errors.js";
import type { ListQuery } from "../lists/query.js";
import type { OperationName } from "../operations.js";
import type { ActingRule } from "../scenarios/engine.js";
import type { TokenRole } from "../scenarios/request-facts.js";
import type { AccessToken } from "../tokens/token-service.js";
import type { Outcome } from "./outcome.js";
import type { Refusal } from "./refusal.js";

/** Facts of a page, besides its text. */
export interface AnsweredPage {
  readonly rows: number;
  /** The cursor of the next page. */
  readonly cursor: string | undefined;
  /** Whether it has the URL of the next page. */
  readonly hasLink?: boolean;
  /** Whether a scenario lets the same cursor lead on: the server has its position. */
  readonly moves?: boolean;
  /** Whether a scenario left the filters out of its next link. */
  readonly losesFilters?: boolean;
}

/** What a rotation means for the certificate of a request. */
export interface Renewal {
  /** Whether it replaces another certificate of the client. */
  readonly replaces: boolean;
  /** How long both are valid, in milliseconds, if another one replaces it. */
  readonly overlap: number | undefined;
  /** Whether the files of that one were held back for a time. */
  readonly filesHeld?: boolean;
}

/** Undefined without a certificate. */
export function renewalOf({ ends }: Client, peer: Peer): Renewal | undefined {
  if (peer.kind === "none") return undefined;
  const { thumbprint } = peer.certificate;
  const end = ends.get(thumbprint);
  return {
    replaces: [...ends.values()].some(({ by }) => by === thumbprint),
    overlap: end?.by === undefined ? undefined : end.at - end.since,
    ...(end?.filesHeld && { filesHeld: true }),
  };
}

const noNames: readonly string[] = [];

/** What the journal shows of a step: what it checks, and its possible refusals. */
export interface TakenStep {
  readonly name: string;
  /** The section of the interface that requires the check; null for the sandbox's own. */
  readonly section: string | null;
  readonly checks: string;
  readonly refuses: readonly (ErrorCode | AssumptionId)[];
  /** The query parameters that the operation knows, if this step reads them. */
  readonly parameters?: readonly string[];
}

/**
 * All facts of a request and its answer, as those who read them see them. `Exchange` writes them. Instants are
 * milliseconds since the epoch, on the clock of the peer's client.
 */
export abstract class ExchangeFacts {
  /** The client for which the peer's certificate is registered. */
  readonly client: Client | undefined = undefined;
  readonly operation: OperationName | undefined = undefined;
  /** The name of the list, for the operation `list`. */
  readonly list: string | undefined = undefined;
  /** For the operation `token`: whether a token was issued to the client before. */
  readonly tokenRole: TokenRole | undefined = undefined;
  /** Set once the token has been verified, whether or not it is accepted. */
  readonly token: AccessToken | undefined = undefined;
  /** The client that the token was issued to, if it is not the one of the certificate. */
  readonly holder: Client | undefined = undefined;
  /** The correlation id of the answer: the client's, or a new one. */
  readonly correlationId: string = "";
  /** The steps of the operation. */
  readonly steps: readonly TakenStep[] = [];
  /** How many of them have passed. */
  readonly stepsPassed: number = 0;
  /** The fault that matched the request, whether or not it acted. */
  readonly fault: ActingRule | undefined = undefined;
  /** The handle of the fault, once it acted: the value of `Sandbox-Fault`. */
  readonly injected: string | undefined = undefined;
  readonly refusal: Refusal | undefined = undefined;
  /** The decoded form of a token request; null means a value that could not be decoded. */
  readonly form: ReadonlyMap<string, readonly (string | null)[]> | undefined = undefined;
  /** The query of a list request, once it was parsed. */
  readonly listQuery: ListQuery | undefined = undefined;
  /** Query parameters that the operation does not know, and ignored: some names, of bounded length. */
  readonly unknownParameters: readonly string[] = noNames;
  /** 0 if no answer was made: a fault broke the exchange before that, or the request was not processed. */
  readonly status: number = 0;
  /** The error code of the answer, as it was sent. */
  readonly code: string | undefined = undefined;
  /** Whether the client that the exchange counts for was declared, when the answer was made, to provoke this code. */
  readonly isExpected: boolean = false;
  /** The headers of the answer as it was made; undefined if none was given. */
  readonly answerHeaders: AnswerHeaders | undefined = undefined;
  /** The headers that were sent, names and values in turn; undefined until they are. */
  readonly sentHeaders: readonly string[] | undefined = undefined;
  /** Whether a scenario gave the answer, or changed it. */
  readonly isByScenario: boolean = false;
  /** The page in the sandbox's own answer to a list request. */
  readonly page: AnsweredPage | undefined = undefined;
  /** Length of the whole body, in bytes. */
  readonly answerLength: number = 0;
  /** How many characters are kept for it: of the body, or to make it again. */
  readonly keptCharacters: number = 0;
  /** How its certificate was, or will be, replaced; undefined for clients whose certificates were never changed. */
  readonly renewal: Renewal | undefined = undefined;
  /** The connection that the request came on; undefined in tests without TLS. */
  readonly connection: ConnectionFacts | undefined = undefined;
  /** Which of several sandboxes with one journal answered; undefined if there is only this one. */
  readonly replica: string | undefined = undefined;
  /** The stream of HTTP/2 that it came on. */
  readonly stream: number | undefined = undefined;
  /**
   * When the turn of the request came, in milliseconds since the epoch on the machine's clock. `now` may be in another
   * century.
   */
  readonly receivedAt: number;
  /** How often the scenario and the clocks of the client had been changed when the entry was made. */
  readonly epoch: number = 0;
  /** How it went over its connection; undefined until it is over, and for restored ones. */
  readonly passage: EndedPassage | undefined = undefined;
  /** Whether the whole answer was passed to the network; undefined until that is known. */
  readonly delivered: boolean | undefined = undefined;
  /** How many bytes of the body were passed to the network; undefined as long as that is not known. */
  readonly sent: number | undefined = undefined;
  /** The code of the RST_STREAM that ended the stream of HTTP/2 before the answer was over, whoever sent it. */
  readonly reset: Http2ErrorCode | undefined = undefined;
  /** How long the answer took from its first part to its end, in milliseconds, if a fault sent it in parts. */
  readonly sending: number | undefined = undefined;
  /** Why it was not processed; undefined if it was. */
  readonly unprocessed: UnprocessedReason | undefined = undefined;
  /** Who ended the answer, if `delivered` is false; undefined if that is not known. */
  readonly endedBy: AnswerEnder | undefined = undefined;

  constructor(
    readonly peer: Peer,
    readonly method: string,
    /** The request target. The absolute and the asterisk form are converted to the origin form (RFC 9112 §3.2). */
    readonly target: string,
    /** Names and values alternately, as they were sent. */
    readonly rawHeaders: readonly string[],
    /** A scenario may change it, with the client's clock. */
    readonly now: number,
  ) {
    this.receivedAt = now;
  }

  /** Names and values in turn: as they were sent, or as the answer was made if it was not. */
  get headersOfAnswer(): readonly string[] {
    return this.sentHeaders ?? inTurn(this.answerHeaders ?? {});
  }
}

/** How an exchange ended: by a scenario, with a refusal or without an answer, or successfully. */
export function outcomeOf({ injected, refusal, status }: ExchangeFacts): Exclude<Outcome, "handshake"> {
  if (injected !== undefined) return "injected";
  return refusal !== undefined || status === 0 || status >= 400 ? "refused" : "success";
}

/** Whether it failed, or had an injected fault or a defective certificate. */
export function isNotable(exchange: ExchangeFacts): boolean {
  return outcomeOf(exchange) !== "success" || exchange.connection?.serverDefect !== undefined;
}
