import { isObject, type JsonObject } from "../../base/text/json-object.js";

/** The identity that sends a probe: the client, another certificate, or none. */
export type Identity = "client" | "other" | "none";

/** A request that probes the service. It only reads. */
export interface ProbeRequest {
  readonly method: "GET" | "POST";
  /** Below the base URL, with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent at once, with its length in `Content-Length`. */
  readonly body?: string;
  readonly identity: Identity;
}

/** What the service answered. */
export interface Answer {
  readonly status: number;
  /** By their names in lower case; values of a repeated header are joined by a comma. */
  readonly headers: ReadonlyMap<string, string>;
  /** The names as they were sent, in their order. */
  readonly names: readonly string[];
  readonly text: string;
}

/**
 * The result of a request: an answer, or the error code of its connection. A server may close an idle connection at the
 * moment when a request is sent: such a failure is `stale`.
 */
export type Reply = { readonly answer: Answer } | { readonly failure: string; readonly stale?: boolean };

/** A request that was sent, and its result. */
export interface Observation {
  /** Its step: the id, and a description of what was sent. */
  readonly step: { readonly id: string; readonly says: string };
  readonly request: ProbeRequest;
  readonly outcome: Reply;
}

/** Everything that was seen, by the id of the step. */
export type Observations = ReadonlyMap<string, Observation>;

/** The answer of an outcome, if there is one. */
export function answerOf(outcome: Reply | undefined): Answer | undefined {
  return outcome && "answer" in outcome ? outcome.answer : undefined;
}

/** More levels than any answer has. The code that reads bodies is recursive. */
const deepest = 60;

/** The body of an answer as JSON; undefined if it is not JSON, or has too many levels. */
export function jsonOf({ text }: Answer): unknown {
  try {
    // A byte order mark is not part of JSON, and some readers ignore it (RFC 8259 §8.1).
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isDeeper(value, deepest) ? undefined : value;
  } catch {
    return undefined;
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}

/** Which parts of an error object (§2.2) the body of a refusal has. */
type ErrorBody = "full" | "code" | "none";

/** A refusal of the service. What it does not show is undefined. */
export interface ShownRefusal {
  readonly status: number;
  readonly code: string | undefined;
  /** The member `error` of RFC 6749 §5.2. */
  readonly error: string | undefined;
  /** The header `WWW-Authenticate`. */
  readonly challenge: string | undefined;
  /** Undefined if the answer cannot show it, because its body has another shape. */
  readonly body: ErrorBody | undefined;
}

/**
 * Reads an answer as a refusal; undefined if it is not one. Overload and failures of the service say nothing about the
 * request.
 */
export function refusalOf(answer: Answer | undefined): ShownRefusal | undefined {
  if (answer === undefined) return undefined;
  const { status, headers, text } = answer;
  if (status < 400 || status > 599 || isPassing(status)) return undefined;
  const body = jsonOf(answer);
  const object = isObject(body) ? body : {};
  const challenge = headers.get("www-authenticate");
  return { status, ...errorCodesIn(object), challenge, body: bodyKind(text, object) };
}

/**
 * Whether a status says nothing about the request: 429, and each 5xx (RFC 9110 §15.6) except 501 and 505, which refuse
 * a method and a version of HTTP.
 */
export function isPassing(status: number): boolean {
  return status === 429 || (status >= 500 && status !== 501 && status !== 505);
}

function bodyKind(text: string, object: JsonObject): ErrorBody | undefined {
  if (text.trim() === "") return "none";
  if (typeof object["message"] === "string" || typeof object["error"] === "string") return "full";
  return typeof object["code"] === "string" ? "code" : undefined;
}

/** The codes of an error: that of §2.2, and the member of RFC 6749 §5.2. */
export function errorCodesIn(object: JsonObject) {
  return { code: codeIn(object), error: word(object["error"]) };
}

/** The member of §2.2, or one that other services use. */
function codeIn(object: JsonObject): string | undefined {
  const { error, errors = object["Errors"] } = object;
  const [first] = Array.isArray(errors) ? errors : [];
  const places = [object, error, first].filter(isObject);
  const names = ["code", "errorCode", "error_code", "ErrorCode"];
  return places.flatMap((place) => names.flatMap((name) => word(place[name]) ?? []))[0];
}

/** Only a word that a program compares. A longer text may repeat what was sent. */
function word(value: unknown): string | undefined {
  return typeof value === "string" && /^[\w.:-]{1,64}$/.test(value) ? value : undefined;
}

/** The code of a refusal: that of §2.2, or else the member of RFC 6749 §5.2. */
export function refusalCode(answer: Answer | undefined): string | undefined {
  const { code, error } = refusalOf(answer) ?? {};
  return code ?? error;
}

/** Status and code on one line, for evidence. Evidence repeats nothing else of an answer. */
export function outcomeText(outcome: Reply): string {
  if ("failure" in outcome) return `no answer (${outcome.failure})`;
  const { status } = outcome.answer;
  const code = refusalCode(outcome.answer);
  return code === undefined ? String(status) : `${status} ${code}`;
}
