import type { ExchangeDetail } from "./data.js";

/** A request that a program should send. */
export interface Call {
  readonly method: string;
  /** The request target, with the base path. */
  readonly target: string;
  /** Without the token, and without headers that the program sends by itself. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Whether it is sent with a fresh bearer token. */
  readonly bearer: boolean;
  /** The encoded form. */
  readonly form: string | undefined;
}

/** Headers that an HTTP client sends by itself, or that belong to one connection. */
const ownHeaders = new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "accept-encoding",
  "expect",
  "upgrade",
  "user-agent",
  "sandbox-replay",
]);

/** The request of an exchange, with the fault that acted; undefined if it was not an HTTP request. */
export function callOf({ method, target, fault, request }: ExchangeDetail): Call | undefined {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(method) || target === "-") return undefined;
  const headers = request.headers.filter(([name, value]) => {
    const lower = name.toLowerCase();
    if (ownHeaders.has(lower) || (lower === "accept" && value === "*/*") || isBearer(name, value)) return false;
    return fault === null || lower !== "sandbox-scenario";
  });
  return {
    method,
    target,
    headers: fault === null ? headers : [...headers, ["Sandbox-Replay", fault]],
    bearer: request.headers.some(([name, value]) => isBearer(name, value)),
    form: request.form ? formText(request.form) : undefined,
  };
}

function isBearer(name: string, value: string): boolean {
  return name.toLowerCase() === "authorization" && /^bearer /i.test(value);
}

/** Whether every client sends a target unchanged: some normalise paths, brackets and fragments. */
export function isPlainTarget(target: string): boolean {
  return /^\/(?!\/)[\w\-.~!$&'()*+,;=:@/?%]*$/.test(target) && !/\/\.{1,2}(\/|$|\?)/.test(target);
}

function formText(form: NonNullable<ExchangeDetail["request"]["form"]>): string {
  return form
    .flatMap(({ name, values }) => values.map((value) => `${encoded(name)}=${value === null ? "%ff" : encoded(value)}`))
    .join("&");
}

/** A lone surrogate cannot be encoded, and cannot have been sent over the network. */
function encoded(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, "\ufffd")).replaceAll("%20", "+");
}
