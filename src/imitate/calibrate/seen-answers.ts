import { isObject, type JsonObject } from "../../base/text/json-object.js";
import type { FieldSettings, ListSettings } from "../../sandbox/lists/settings.js";
import { operations } from "../../sandbox/operations.js";
import { shapeOf } from "../shape.js";
import {
  type Answer,
  answerOf,
  jsonOf,
  type Observation,
  type Observations,
  type ProbeRequest,
  type Reply,
  refusalOf,
} from "./answer.js";

/** A list that is probed. */
export interface ListTarget {
  /** Its name in `sandbox.yaml`. */
  readonly name: string;
  /** As in `sandbox.yaml`: `/v1/accounts/{accountId}/payments`. */
  readonly path: string;
  /** As it is requested, with the values of the parameters. */
  readonly target: string;
  /** These values, by the names of the parameters. */
  readonly values: Readonly<Record<string, string>>;
  /** The same with a value that does not exist, by the name of the parameter with this value. */
  readonly strangers: Readonly<Record<string, string>>;
  /** What the document of the service says about it. */
  readonly documented?: ListSettings | undefined;
  /** The members of a row in this document, without the values that were made up for filters. */
  readonly documentedFields: FieldSettings;
}

/** What the user knows about the service. */
export interface CalibrationOptions {
  readonly clientId: string;
  /** Requested with every token. */
  readonly scope: string;
  /** A scope that the client may request, and that does not open ping. */
  readonly otherScope?: string | undefined;
  readonly correlationHeader?: string | undefined;
  readonly lists: readonly ListTarget[];
  /** Whether there is another certificate to send requests with. */
  readonly other: boolean;
  /** A UUID that the service has not seen. */
  readonly newId: () => string;
}

/** A header that every request must have. */
export interface CorrelationHeader {
  readonly name: string;
  readonly value: string;
}

export const tokenPath = operations.token.path;
export const pingPath = operations.ping.path;

/** What is printed in place of a value that only an answer has, if requests are printed and not sent. */
export const placeholders = { token: "TOKEN", cursor: "CURSOR", header: "CORRELATION-HEADER" } as const;

/**
 * What is known while the probes are sent: the options, and the answers so far. Everything else is derived from these.
 */
export class SeenAnswers {
  constructor(
    readonly options: CalibrationOptions,
    readonly seen: Observations,
    /** Whether requests are printed and not sent: a value that only an answer has is a word in capitals. */
    readonly printed = false,
  ) {}

  outcome(id: string): Reply | undefined {
    return this.seen.get(id)?.outcome;
  }

  answer(id: string): Answer | undefined {
    return answerOf(this.outcome(id));
  }

  /** The observations of some steps, as far as they exist. */
  observations(...ids: readonly string[]): readonly Observation[] {
    return ids.flatMap((id) => this.seen.get(id) ?? []);
  }

  /** Whether a request was accepted; undefined if it was not sent or got no answer. */
  accepted(id: string): boolean | undefined {
    return acceptedOf(this.outcome(id));
  }

  /** The good token requests whose answers have a token, the newest last. */
  get tokens(): readonly Observation[] {
    return [...this.seen.values()].filter(
      ({ step, outcome }) => step.id.startsWith("session.") && tokenIn(answerOf(outcome)) !== undefined,
    );
  }

  /** The answer with the newest token. */
  get tokenAnswer(): Answer | undefined {
    return answerOf(this.tokens.at(-1)?.outcome);
  }

  /** The access token to send. */
  get token(): string | undefined {
    return this.printed ? placeholders.token : tokenIn(this.tokenAnswer);
  }

  /** Names of headers of the answers that may hold the correlation ID, the likeliest first. */
  get correlationNames(): readonly string[] {
    const { correlationHeader } = this.options;
    if (correlationHeader !== undefined) return [correlationHeader];
    if (this.printed) return [placeholders.header];
    const names = new Map<string, string>();
    for (const { outcome } of this.seen.values()) {
      const answer = answerOf(outcome);
      for (const name of answer?.names ?? []) {
        if (isCorrelation(name, answer?.headers.get(name.toLowerCase()))) names.set(name.toLowerCase(), name);
      }
    }
    return [...names.values()].sort((a, b) => rank(a) - rank(b));
  }

  /** The header that requests must have; undefined if they need none. */
  get correlation(): CorrelationHeader | undefined {
    const correlated = this.tokens.find(({ step }) => step.id.startsWith("session.correlated"));
    for (const [name, value] of Object.entries(correlated?.request.headers ?? {}))
      if (name !== mediaType) return { name, value };
    const [name] = this.correlationNames;
    if (name === undefined || this.printed || !asksForCorrelation(this.answer("ping.plain"))) return undefined;
    return { name, value: this.options.newId() };
  }

  /** A request of the client; undefined if it needs a token, or another certificate, and there is none. */
  call(path: string, options: CallOptions = {}): ProbeRequest | undefined {
    const { method = "GET", token = this.token, headers = {}, identity = "client", body, correlated = true } = options;
    if (token === undefined || (identity === "other" && !this.options.other)) return undefined;
    const correlation = correlated ? this.correlation : undefined;
    const all = {
      ...(token !== null && { Authorization: `Bearer ${token}` }),
      ...(correlation && { [correlation.name]: correlation.value }),
      ...headers,
    };
    return { method, path, headers: all, identity, ...(body !== undefined && { body }) };
  }

  /** Whether the service issues tokens for JSON only. */
  get takesJson(): boolean {
    return this.tokens.at(-1)?.request.headers[mediaType] === json;
  }

  /** A token request: the good one, with the given changes. A field that is null is left out. */
  tokenCall(fields: TokenFields = {}, options: CallOptions = {}): ProbeRequest | undefined {
    const { clientId, scope } = this.options;
    const all = Object.entries({ grant_type: "client_credentials", client_id: clientId, scope, ...fields });
    const sent = all.filter((field): field is [string, string] => field[1] !== null);
    const headers = { [mediaType]: this.takesJson ? json : form, ...options.headers };
    const body =
      headers[mediaType] === json ? JSON.stringify(Object.fromEntries(sent)) : new URLSearchParams(sent).toString();
    return this.call(tokenPath, { method: "POST", body, ...options, token: null, headers });
  }

  /** The same as JSON. */
  jsonTokenCall(): ProbeRequest | undefined {
    return this.tokenCall({}, { headers: { [mediaType]: json } });
  }
}

/** Fields of a token request. */
export type TokenFields = Readonly<Record<string, string | null>>;

export interface CallOptions {
  readonly method?: ProbeRequest["method"];
  /** Instead of the good token; null for none. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly identity?: ProbeRequest["identity"];
  readonly body?: string;
  /** Whether the correlation header is sent if it is needed. Default: true. */
  readonly correlated?: boolean;
}

const mediaType = "Content-Type";
const form = "application/x-www-form-urlencoded";
const json = "application/json";

/** Whether a request was accepted; undefined if its outcome does not say so. */
export function acceptedOf(outcome: Reply | undefined): boolean | undefined {
  const answer = answerOf(outcome);
  if (answer === undefined) return undefined;
  if (answer.status >= 200 && answer.status < 300) return true;
  return refusalOf(answer) === undefined ? undefined : false;
}

/** The access token of an answer (§2.1): visible characters, because it is sent in a header. */
export function tokenIn(answer: Answer | undefined): string | undefined {
  const token = tokenAnswerIn(answer)?.["access_token"];
  return typeof token === "string" && /^[!-~]+$/.test(token) ? token : undefined;
}

/** The members of §2.1: of the answer itself, or of an object in it, which departs from the interface. */
export function tokenAnswerIn(answer: Answer | undefined): JsonObject | undefined {
  if (answer === undefined || answer.status < 200 || answer.status > 299) return undefined;
  const body = jsonOf(answer);
  if (!isObject(body)) return undefined;
  return [body, ...Object.values(body).filter(isObject)].find((each) => "access_token" in each);
}

/** Whether an answer is a refusal because of the correlation ID. */
export function asksForCorrelation(answer: Answer | undefined): boolean {
  return /CORRELATION|REQUEST_?ID|TRACE/i.test(refusalOf(answer)?.code ?? "");
}

/** Headers with an ID that no client sends. */
const others = /^(sandbox-|etag$|set-cookie$|www-authenticate$|cf-ray$)/i;

function isCorrelation(name: string, value: string | undefined): boolean {
  if (others.test(name)) return false;
  return rank(name) < 3 || (value !== undefined && shapeOf(value) === "uuid");
}

function rank(name: string): number {
  if (/correlation/i.test(name)) return 0;
  if (/request-?id/i.test(name)) return 1;
  return /trace|transaction-?id/i.test(name) ? 2 : 3;
}
